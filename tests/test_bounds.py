"""What docs/scaling.md tells of bounds is what stands in the code, and is what a game meets."""

from datetime import timedelta
from typing import Any, cast

import pytest
from django.test import Client

from nomic.dice.models import Master
from nomic.embedded.places import ROOT
from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.offices.management.commands.bounds import tables
from nomic.operations.exports import import_game
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.record.chain import text_of
from nomic.record.game_file import lines_of
from nomic.record.models import Entry
from nomic.testing import WEDNESDAY, seat
from nomic.web.tokens import make_token

_BEGIN, _END = "<!-- manage.py bounds -->\n", "\n<!-- end of bounds -->"


def test_the_table_of_bounds_is_the_one_that_the_command_prints():
    page = (ROOT / "docs" / "scaling.md").read_text()
    told = page.partition(_BEGIN)[2].partition(_END)[0]
    assert told.strip() == tables(), "write what `manage.py bounds` prints into docs/scaling.md"


# What may wait, and what one act may record: each bound met exactly, passed by one, and lowered


def bounded(game: Game, bound: str, most: int) -> None:
    change = {"bound": bound, "most": most, "reason": "a test"}
    take(game.slug, None, "games.set_bound", change)


def proposed(turn: int) -> dict[str, Any]:
    return {"title": f"No. {turn}", "body": "x" * 100}


WAITS = {
    "proposals_of_player": ("proposals.submit", proposed, 1),
    "proposals": ("proposals.submit", proposed, 1),
    "waiting_of_player": ("proposals.submit", proposed, 100),
    "waiting": ("proposals.submit", proposed, 100),
    "remarks_of_player": ("proposals.comment", lambda turn: said(turn, "text"), 1),
    "remarks": ("proposals.comment", lambda turn: said(turn, "text"), 1),
    "drafts_of_player": ("aceofspades.propose", lambda turn: contested(turn), 1),
    "drafts": ("aceofspades.propose", lambda turn: contested(turn), 1),
    "requests_of_player": (
        "aceofspades.request_judgement", lambda turn: {"text": f"Is it {turn}?"}, 1,
    ),
    "requests": ("aceofspades.request_judgement", lambda turn: {"text": f"Is it {turn}?"}, 1),
}  # fmt: skip


def said(turn: int, field: str) -> dict[str, Any]:
    return {"proposal": "p1", field: f"So it is, {turn}."}


def contested(turn: int) -> dict[str, Any]:
    return {"number": 500 + turn, "text": "Nothing.", "visibility": "public"}


@pytest.fixture
def player(db: None) -> Player:
    """Murphy, in a game of everything, where somebody else has proposed something."""
    game = new_game("table", "demo", pace="manual", start=WEDNESDAY)[0]
    murphy, madrid = seat(game, "Murphy"), seat(game, "Madrid")
    take("table", murphy, "aceofspades.join")
    take("table", madrid, "proposals.submit", {"title": "First", "body": "x"})
    return murphy


@pytest.mark.parametrize("bound", WAITS)
def test_what_waits_meets_its_bound_and_what_is_there_beyond_it_stays(
    bound: str, player: Player
) -> None:
    name, inputs, size = WAITS[bound]
    game = player.game
    there = 1 if bound in ("proposals", "waiting") else 0
    bounded(game, bound, there + 2 * size)
    for turn in (1, 2):
        take("table", player, name, inputs(turn))
    for most in dict.fromkeys((there + 2 * size, there + 2 * size - 1, 1)):
        if most != there + 2 * size:
            bounded(game, bound, most)
        with pytest.raises(Refused, match=f"at most {most:,} .*this would be {there + 3 * size:,}"):
            take("table", player, name, inputs(3))
    bounded(game, bound, there + 3 * size)
    assert take("table", player, name, inputs(3)).entry
    game.refresh_from_db()
    assert replay(game)[1] is None


def test_an_act_that_records_too_much_is_refused_wherever_it_comes_from(player: Player) -> None:
    game, submit = player.game, "proposals.submit"
    size = len(text_of(cast("Entry", take("table", player, submit, proposed(1)).entry)))
    bounded(game, "act_bytes", size)
    assert take("table", player, submit, proposed(2)).entry
    before = Game.objects.get(pk=game.pk).last_entry
    longer = {**proposed(3), "body": "x" * 101}
    told = f"at most {size:,} bytes of the record, and this would be {size + 1:,}"
    with pytest.raises(Refused, match=told):
        take("table", player, submit, longer)
    assert player.user is not None
    secret = make_token(player.user, "a test")[1]
    program = {"Authorization": f"Bearer {secret}", "Idempotency-Key": "once"}
    address = f"/api/v1/games/table/actions/{submit}"
    wide = {**longer, "body": "x" * 1000 * size}
    for sent in (longer, wide):
        answer = Client().post(address, sent, content_type="application/json", headers=program)
        assert answer.status_code in (409, 413, 422), answer.content
    client = Client()
    client.force_login(player.user)
    page = client.post(f"/g/table/act/{submit}/", longer, follow=True)
    assert (page.status_code < 500, told in page.content.decode()) == (True, True)
    game.refresh_from_db()
    assert (game.last_entry, replay(game)[1]) == (before, None)


def test_an_event_that_would_record_too_much_waits_until_the_bound_is_another(
    player: Player,
) -> None:
    game = player.game
    bounded(game, "event_bytes", 1)
    advance("table", WEDNESDAY + timedelta(days=14))
    game.refresh_from_db()
    assert game.stuck_error.startswith("nomic.engine.table.TooMuchRecorded: An event")
    bounded(game, "event_bytes", 40_000_000)
    take("table", None, "games.retry_appointment")
    advance("table", WEDNESDAY + timedelta(days=14))
    game.refresh_from_db()
    assert (game.stuck_at, replay(game)[1]) == (None, None)
    copied = import_game(
        list(lines_of(game, bytes(Master.objects.get(game=game).key))), slug="copy"
    )
    assert (copied.record_head, copied.settings) == (game.record_head, game.settings)
