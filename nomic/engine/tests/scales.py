"""A weighing of coins that is prepared as the test wants, for the tests of prepared events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from nomic.engine import effects
from nomic.engine.actions import _ACTIONS, Action, action
from nomic.engine.effects import Effects, Gain
from nomic.engine.events import _EVENTS, appointment
from nomic.engine.forms import ActionForm, IntegerChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.audit import audit
from nomic.operations.replay import replay

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
THURSDAY = WEDNESDAY + timedelta(days=1)
FRIDAY = WEDNESDAY + timedelta(days=2)
KIND = "tiny.prepared"

Work = Callable[[Table, str], dict[str, Any]]


def weigh(table: Table, subject: str) -> dict[str, Any]:
    """What everybody has, of which the handler makes a sentence."""
    return {"coins": table.ledger.balances(COIN), "at": table.now.isoformat()}


class Appoint(Action):
    """Let coins be weighed at the first or the second moment, and something happen afterwards."""

    name = "tiny.appoint"
    title = "Appoint a weighing"

    class Form(ActionForm):
        day = IntegerChoice(5, 6)

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")

    def judge(self, table: Table, player: Player, day: int | None) -> Effects:
        due = WEDNESDAY.replace(day=day or WEDNESDAY.day)
        return Effects(
            Gain(player, 3, COIN),
            effects.Appoint(KIND, due, "scales"),
            effects.Appoint("tiny.scripted", due, "afterwards"),
            say="Coins are to be weighed.",
        )


class Works:
    """What preparing does in a test, and how often it was done."""

    def __init__(self) -> None:
        self.work: Work = weigh
        self.calls: list[str] = []

    def __call__(self, table: Table, subject: str) -> dict[str, Any]:
        self.calls.append(subject)
        return self.work(table, subject)


@pytest.fixture
def works() -> Iterator[Works]:
    works = Works()

    @appointment(KIND, title="Coins are weighed", prepare=works)
    def coins_are_weighed(table: Table, subject: str) -> Outcome:
        return Outcome(f"{subject}: {json.dumps(table.prepared, sort_keys=True)}")

    action(Appoint)
    yield works
    del _EVENTS[KIND], _ACTIONS["tiny.appoint"]


@pytest.fixture
def late(game: Game, player: Player, works: Works) -> Game:
    """A game at which coins are to be weighed since Thursday; now it is Friday."""
    return let_it_be_late(game, player)


def let_it_be_late(game: Game, player: Player) -> Game:
    take(game.slug, player, "tiny.appoint", {"day": 5})
    Game.objects.filter(pk=game.pk).update(anchor_game=FRIDAY, wakes_at=wall_now())
    game.refresh_from_db()
    return game


def wrong_with(game: Game) -> str:
    """What the audit or the replay finds; empty where nothing is."""
    game.refresh_from_db()
    found = [str(each) for each in audit(game) if each.wrong]
    return "; ".join(found) or str(replay(game)[1] or "")


def told(game: Game) -> list[str]:
    return list(game.entries.filter(kind="event").order_by("seq").values_list("text", flat=True))


def no_scales(table: Table, subject: str) -> dict[str, Any]:
    raise ZeroDivisionError("no such number")
