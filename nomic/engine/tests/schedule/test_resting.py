"""A game that is set aside rests: nothing happens in it, and nobody acts, until it is let go on."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.fairness.worker_share import let_go_on
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.monitoring.health import lateness
from nomic.operations.setup import new_game
from tests.kit import at_the_table, seat

BEGINS = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
WHY = "The operator looks at it."


@pytest.fixture
def resting(db: None, wall: time_machine.Traveller) -> Game:
    """A game at real pace that was set aside before something was due, two hours ago."""
    game = new_game("resting", "tiny", pace="real")[0]
    seat(game, "Murphy")
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", BEGINS + HOUR, "bell")
    Game.objects.filter(pk=game.pk).update(set_aside=WHY)
    wall.shift(3 * HOUR)
    game.refresh_from_db()
    return game


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(BEGINS, tick=False) as wall:
        yield wall


def test_nothing_happens_in_it_and_time_stands_where_something_is_due(resting: Game) -> None:
    assert sweep() == catch_up(resting.pk) == 0
    assert (resting.state, glance(resting).now) == ("stuck", BEGINS + HOUR)
    assert lateness() == timedelta(0)


def test_acts_in_it_are_refused_with_the_reason(resting: Game) -> None:
    before = resting.last_entry
    with pytest.raises(Refused, match=WHY):
        take(resting.slug, resting.players.get(), "tiny.whisper", {"words": "xyzzy"})
    resting.refresh_from_db()
    assert resting.last_entry == before


def test_it_goes_on_where_it_was_and_nothing_is_lost(resting: Game) -> None:
    let_go_on(resting.pk)
    assert sweep() == 1
    newest = resting.entries.order_by("-seq")[0]
    assert (newest.text, newest.at) == ("bell happens.", BEGINS + HOUR)
    resting.refresh_from_db()
    assert resting.state == "running"
