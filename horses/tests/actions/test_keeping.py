"""The Horsened keeps the week's motivation by hand, or leaves it to the system."""

from __future__ import annotations

from datetime import timedelta

from horses.tests.conftest import Stage
from nomic.games.models import Player
from nomic.operations.replay import replay
from tests.kit import Take

KEEP = "horses.keep_by_hand"
OFFICER, SYSTEM = "the officer", "the system"


def ran(stage: Stage) -> list[bool]:
    entries = stage.game.entries.filter(name="horses.run").order_by("seq")
    return [entry.outcome["ran"] for entry in entries]


def test_the_system_motivates_unless_the_horsened_keeps_it_or_has_left(
    officer: Player, player: Player, act: Take, stage: Stage
) -> None:
    said = act(officer, KEEP, keeper=OFFICER).entry.text
    assert said == "snail decides that the officer motivates the horses if nobody has."
    stage.weeks()
    act(officer, KEEP, keeper=SYSTEM)
    stage.weeks()
    act(officer, KEEP, keeper=OFFICER)
    stage.weeks()
    act(officer, "games.resign_office", office="Horsened")
    stage.weeks()
    assert ran(stage) == [False, True, False, True]
    last = stage.last("horses.last_hour")
    assert last.at.minute == 0
    assert stage.last("horses.run").at - last.at == timedelta(hours=1)
    assert replay(stage.game)[1] is None
