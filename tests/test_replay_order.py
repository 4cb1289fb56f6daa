"""A replay works out when each thing could happen, and takes no moment from the record that can be
worked out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

import pytest
import time_machine

from nomic.engine import catch_up as catching_up
from nomic.engine.actions import find_action
from nomic.engine.catch_up import catch_up, keep
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Refused
from nomic.engine.schedule import oldest_appointment
from nomic.engine.table import Table
from nomic.engine.take import perform, take
from nomic.games.clock import iso, read_moment, wall_now
from nomic.games.models import Game, Player
from nomic.operations.exports import import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from tests.kit import WEDNESDAY, seat
from tests.tampering.tools import exported

A_MINUTE, A_WEEK = timedelta(minutes=1), timedelta(weeks=1)


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


@pytest.fixture
def game(db: None, wall: time_machine.Traveller) -> Game:
    return new_game("table", "agora-races")[0]


@pytest.fixture
def player(game: Game) -> Player:
    return seat(game, "Murphy")


def found(game: Game) -> str:
    return str(replay(Game.objects.get(pk=game.pk))[1] or "")


def done(game: Game, player: Player, after: timedelta = timedelta()) -> None:
    """Let the player act by the game's clock, or so much later, whatever is due."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        table = Table(locked, locked.now(wall_now()) + after, wall_now(), locked=True)
        perform(table, player, find_action("horses.gain_dollaries", table), {})


def kept(game: Game) -> None:
    """Let what comes next happen, whether it is due or not."""
    with locked_game(pk=game.pk) as locked:
        assert locked is not None
        oldest = oldest_appointment(locked)
        assert oldest is not None
        keep(locked, oldest, wall_now())


def test_what_was_due_before_an_act_happened_before_it(
    game: Game, player: Player, wall: time_machine.Traveller
) -> None:
    wall.shift(A_WEEK)
    done(game, player)
    assert "was due before it" in found(game)


def test_an_act_is_of_the_moment_at_which_it_was_recorded(game: Game, player: Player) -> None:
    done(game, player, timedelta(hours=1))
    assert "by the game's clock" in found(game)


def test_what_is_not_due_yet_has_not_happened(game: Game, player: Player) -> None:
    kept(game)
    assert "was not due" in found(game)


def test_a_clock_is_set_back_by_as_much_as_the_game_was_late(
    db: None, wall: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = new_game("away", "agora-races", after_outage="shift")
    shift = catching_up.shift

    def further(table: Table, late: timedelta, to: datetime) -> Entry:
        return shift(table, late - A_MINUTE, to + A_MINUTE)

    wall.shift(A_WEEK)
    catch_up(game.pk)
    assert game.entries.filter(name="games.shift").exists()
    assert found(game) == ""
    wall.shift(A_WEEK)
    with monkeypatch.context() as falsely:
        falsely.setattr(catching_up, "shift", further)
        catch_up(game.pk)
    assert "inputs is {'to'" in found(game)


@pytest.mark.parametrize("later", [0, 1])
def test_a_file_tells_of_the_clock_that_the_record_tells_of(game: Game, later: int) -> None:
    lines = [json.loads(line) for line in exported(game).splitlines()]
    clock = lines[0]["clock"]
    clock["anchor_game"] = iso(read_moment(clock["anchor_game"]) + later * A_MINUTE)
    taken = partial(import_game, map(json.dumps, lines), slug="copy")
    if not later:
        assert taken().clock == game.clock
        return
    with pytest.raises(BadRecording, match="clock"):
        taken()


def test_nothing_happens_in_a_pause(
    game: Game, player: Player, wall: time_machine.Traveller
) -> None:
    take("table", None, "games.pause", {"reason": "a test"})
    wall.shift(A_WEEK)
    assert catch_up(game.pk) == 0
    kept(game)
    assert "was not due" in found(game)


def test_a_game_that_is_paused_while_it_is_stuck_replays(
    game: Game, player: Player, wall: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall.shift(A_WEEK)
    with monkeypatch.context() as broken:
        broken.setattr("nomic.dice.roller.DiceRoller.close_period", None)
        catch_up(game.pk)
    game.refresh_from_db()
    assert game.stuck_at
    take("table", None, "games.pause", {"reason": "a fault"})
    skip = partial(take, "table", None, "games.skip_appointment", {"reason": "a test"})
    with pytest.raises(Refused, match="paused"):
        skip()
    take("table", None, "games.resume")
    assert skip().entry.actor is None
    assert found(game) == ""
