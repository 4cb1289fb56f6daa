"""Pages where there is much: many games, long entries, reports that were published long ago."""

import hashlib
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.reports import reports_of
from nomic.operations.setup import new_game
from nomic.record.canonical import canonical_json
from nomic.record.chain import header
from nomic.record.models import EntryKind
from nomic.web.views import lobby
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line

LONG = {"report": "testing", "facts": {"rows": ["“long” enough"] * 100_000}, "text": ""}


def _written(game: Game, **outcome: object) -> int:
    """The number of a report's entry with that outcome."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        wall = wall_now()
        table = Table(locked, locked.now(wall), wall, locked=True)
        told = Outcome("A report is published.", outcome)
        return table.write(EntryKind.EVENT, "reports.weekly", None, {}, told).seq


@pytest.mark.thorough
def test_ones_own_games_come_first_then_the_liveliest(
    player: Player, outsider: User, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "A_PAGE", 2)
    own = '"/g/table/"'
    for number in range(3):
        moved = WEDNESDAY + timedelta(hours=1 + number)
        new_game(f"livelier-{number}", "agora-races", pace="manual", start=moved)
    assert own in visit(player).get("/").content.decode()
    assert own not in visit(outsider).get("/").content.decode()
    assert own in visit(outsider).get("/?page=2").content.decode()
    first = visit().get("/").content.decode()
    assert first.index("livelier-2") < first.index("livelier-1")
    assert "page=2" in first


def test_a_page_of_games_that_is_not_there_is_the_nearest(game: Game, visit: Visitor) -> None:
    for page in ("0", "-1", "9" * 30, "½", "%00", "x"):
        assert "/g/table/" in visit().get(f"/?page={page}").content.decode()


@pytest.mark.thorough
def test_a_long_entry_is_cut_on_its_page_and_whole_at_its_own_address(
    game: Game, visit: Visitor
) -> None:
    seq = _written(game, **LONG)
    page = visit().get(f"/g/table/record/{seq}/").content
    assert len(page) < 100_000
    assert b"?format=json" in page
    whole = visit().get(f"/g/table/record/{seq}/?format=json").content
    assert len(whole) > 1_000_000
    entry = game.entries.get(seq=seq)
    head = canonical_json(header(entry, hashlib.sha256(whole).hexdigest()))
    assert hashlib.sha256(head).hexdigest() == entry.hash


def test_lists_of_entries_load_nothing_that_they_do_not_show(game: Game, visit: Visitor) -> None:
    _written(game, **LONG)
    for path in ("", "record/", "record/feed/", "reports/"):
        with CaptureQueriesContext(connection) as asked:
            assert visit().get(f"/g/table/{path}").status_code == 200
        entries = [query["sql"] for query in asked if 'FROM "record_entry"' in query["sql"]]
        assert entries
        assert not any('"record_entry"."outcome",' in sql for sql in entries), path


def test_a_report_is_listed_however_long_ago_it_was_published(
    game: Game, visit: Visitor, act: Take
) -> None:
    rare = reports_of(game)[0]
    seq = act(None, "reports.publish", report=rare.name).entry.seq
    for _ in range(31):
        _written(game, report="another", facts={}, text="")
    page = on_one_line(visit().get("/g/table/reports/").content.decode())
    assert f"entry {seq}" in page
    assert "not published yet" not in page


def test_the_way_back_from_signing_in_is_quoted(game: Game) -> None:
    back = "/g/table/record/?kind=event%26player=Murphy"
    answer = Client().get(f"/g/table/act/horses.bet/?back={back}")
    assert "next=/g/table/record/%3Fkind%3Devent%26player%3DMurphy" in answer["Location"]


def test_who_may_not_come_in_is_told_the_reason(player: Player, visit: Visitor) -> None:
    answer = visit(player).get("/office/g/table/act/games.pause/")
    assert answer.status_code == 403
    assert "An office is taken on the page of a game" in answer.content.decode()
