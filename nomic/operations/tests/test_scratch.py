"""Scratch games are committed some acts at a time: nobody sees them, and nothing stays of them."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection

from nomic.engine.take import take
from nomic.engine.tests.schedule.test_workers import url_of
from nomic.engine.tests.tiny import TINY
from nomic.games.bounds import BOUNDS, usual_bounds
from nomic.games.models import NEWEST_READINGS, READINGS, Game, Pace
from nomic.governance.powers import powers_of
from nomic.governance.recalculation.revision import Revision
from nomic.infrastructure.paths import ROOT
from nomic.operations import replay as replaying
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recalculation.report import recalculate
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from nomic.operations.scratch import scratch_game
from nomic.operations.setup import lay_out, new_game
from tests.kit import all_at_once, seat, user_of
from tests.kit.visitors import Visitor

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def begun(transactional_db: None) -> Game:
    """A game of six acts."""
    new_game("table", TINY, pace="manual", start=WEDNESDAY)
    game = Game.objects.get()
    seat(game, "Murphy")
    return left_and_joined(game, 2)


@pytest.fixture
def game(begun: Game) -> Game:
    """The same game, of two dozen acts."""
    return left_and_joined(begun, 8)


def left_and_joined(game: Game, times: int) -> Game:
    """Let Murphy leave and join the game that often."""
    player = game.players.get()
    for _ in range(times):
        take("table", player, "games.leave")
        take("table", player.user, "games.join", {"name": "Murphy"})
    game.refresh_from_db()
    return game


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Acts of scratch games are committed two at a time."""
    monkeypatch.setattr(replaying, "AT_ONCE", 2)


def rows() -> dict[str, int]:
    """How many rows each table has."""
    models = apps.get_models(include_auto_created=True)
    return {each._meta.label: each._base_manager.count() for each in models if each._meta.managed}


def exported(game: Game) -> list[str]:
    file = io.StringIO()
    export_game(game, file)
    return file.getvalue().splitlines(keepends=True)


@pytest.mark.thorough
@pytest.mark.usefixtures("often")
def test_nobody_sees_a_game_that_is_played_again(begun: Game, visit: Visitor) -> None:
    player, operator = begun.players.get(), user_of("root")
    type(operator).objects.filter(pk=operator.pk).update(is_superuser=True, is_staff=True)
    pages = ("/", "/api/v1/games", "/settings/", "/notices/", "/office/", "/search/?q=Murphy")

    def seen() -> list[tuple[int, bool]]:
        visitors = [visit(who) for who in (None, player, operator)]
        answers = [visitor.get(page) for visitor in visitors for page in pages]
        return [(each.status_code, b"replay-" in each.content) for each in answers]

    def look(played: int, of: int) -> None:
        scratch = Game.objects.get(scratch=True)
        assert scratch.last_entry == played
        assert seen() == before
        visitor = visit(operator)
        assert visitor.get(f"/g/{scratch.slug}/").status_code == 404
        assert visitor.get(f"/api/v1/games/{scratch.slug}").status_code == 404
        looks.append(played)

    looks: list[int] = []
    before = seen()
    assert not any(names_it for _, names_it in before)
    assert replay(begun, progress=look)[1] is None
    assert looks == [2, 4, 6]


@pytest.mark.thorough
@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("what", ["replay", "recalculate", "import"])
def test_nothing_is_left_where_somebody_presses_ctrl_c(
    game: Game, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*far: int) -> None:
        if Game.objects.filter(scratch=True, last_entry__gt=1).exists():
            raise KeyboardInterrupt

    def lines() -> Iterator[str]:
        for line in exported(game):
            stop()
            yield line

    calls: dict[str, Callable[[], object]] = {
        "replay": lambda: replay(game, progress=stop),
        "recalculate": lambda: recalculate(game, Revision("strike", 4), stop),
        "import": lambda: import_game(lines(), slug="copy"),
    }
    before = rows()
    with pytest.raises(KeyboardInterrupt):
        calls[what]()
    assert rows() == before


@pytest.mark.usefixtures("often")
def test_a_game_that_goes_on_meanwhile_is_compared_as_it_is_in_the_end(game: Game) -> None:
    player = game.players.get()

    def act(played: int, of: int) -> None:
        if played < 9:
            (left,) = all_at_once(lambda: take("table", player, "games.leave"))
            assert not isinstance(left, Exception)
            all_at_once(lambda: take("table", player.user, "games.join", {"name": "Murphy"}))

    agreed, difference = replay(game, progress=act)
    assert (agreed, difference) == (Game.objects.get().last_entry, None)
    assert agreed > game.last_entry


def laid_out(slug: str) -> Game:
    """A scratch game as a process leaves it that is killed."""
    inputs = {
        **dict.fromkeys(("title", "preset", "calendar", "edition", "after_outage"), "agoran"),
        "format": 1, "identity": slug, "pace": "real", "rate": 1,
        "settings": {READINGS: NEWEST_READINGS, BOUNDS: usual_bounds(), **powers_of(Pace.REAL)},
    }  # fmt: skip
    return lay_out(slug, inputs, begins=WEDNESDAY, wall=WEDNESDAY, scratch=True)


@pytest.mark.thorough
def test_what_a_process_that_was_killed_has_left_is_removed_by_the_next(game: Game) -> None:
    before = rows()
    laid_out("replay-killed")
    laid_out("import-killed")
    assert replay(game)[1] is None
    assert rows() == before


def test_what_another_process_plays_is_left_alone(game: Game) -> None:
    with scratch_game("import") as slug:
        laid_out(slug)
        assert all_at_once(lambda: replay(game)[1]) == [None]
        assert Game.objects.filter(slug=slug).exists()
    assert list(Game.objects.all()) == [game]


@pytest.mark.thorough
def test_a_game_is_taken_in_at_one_instant(game: Game) -> None:
    lines = exported(game)
    last = len(lines)

    def looked_at() -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            if number == last:
                assert not Game.objects.filter(slug="copy").exists()
            yield line

    copy = import_game(looked_at(), slug="copy")
    assert not copy.scratch
    assert [finding.wrong for finding in audit(copy) if finding.wrong] == []
    assert replay(copy) == (game.last_entry, None)


def test_of_two_that_take_in_the_same_game_at_once_one_is_told_that_it_is_there(
    game: Game,
) -> None:
    lines = exported(game)

    def take_in() -> Game:
        return import_game(lines, slug="copy")

    ends = all_at_once(take_in, take_in)
    assert sorted(map(type, ends), key=str) == [Game, BadRecording]
    assert Game.objects.count() == 2


_PROGRAM = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "nomic.settings"
django.setup()
from nomic.engine.tests import tiny
from nomic.operations import replay
from nomic.operations.exports import import_game

def lines():
    with open(sys.argv[1], encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number == 15:
                print("now", flush=True)
                sys.stdin.read()
            yield line

replay.AT_ONCE = 2
import_game(lines(), slug="copy")
"""


@pytest.mark.thorough
def test_an_import_that_is_killed_leaves_nothing_that_anybody_finds(
    game: Game, tmp_path: Path
) -> None:
    file = tmp_path / "table.export"
    file.write_text("".join(exported(game)), encoding="utf-8")
    before = rows()
    importing = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _PROGRAM, str(file)],
        env={**os.environ, "DATABASE_URL": url_of(connection.settings_dict)},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert importing.stdout is not None
    assert importing.stdout.readline() == b"now\n"
    importing.send_signal(signal.SIGKILL)
    importing.wait()
    left = Game.objects.get(scratch=True)
    assert left.last_entry > 10
    assert not Game.objects.filter(slug="copy").exists()
    assert replay(game)[1] is None
    assert rows() == before
