"""Hostile programs by each way in: what comes of each is what the limits say, and the game goes on.

A test takes one way and tries all bodies in one game, and lists those that do otherwise.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

import pytest

from nomic.engine.models import ProgramState
from nomic.engine.outcomes import Refused
from nomic.engine.programs.tests.bodies import AT_THE_MARGIN, FAILS, ODD, REFUSES, function
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.tests.test_programs import is_sound
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.engine.tests.tiny import COINS
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.record.models import Entry
from tests.kit import WEDNESDAY, Take

SAMPLE = 24  # of which one is tried in the brief test
FAILED, REFUSED, DONE = "failed", "refused", "done"


@dataclass
class Stage:
    """The game, and who acts in it; `weeks` have passed."""

    game: Game
    player: Player
    act: Take
    weeks: int = 0

    def failed_at(self, entry: Entry) -> str:
        """Whether the program failed at that entry, and what is noted of it fits."""
        failed = entry.outcome["programs"].get("failed", [])
        noted = ProgramState.objects.get().failures if failed else {}
        for each in failed:
            assert each["rule"] == COINS
            assert noted[each["what"]]["entry"] == entry.seq
            assert each["sentence"].isprintable()
        return FAILED if failed else DONE


def by_action(stage: Stage) -> str:
    try:
        receipt = stage.act(stage.player, "rule.coins.go")
    except Refused as refused:
        told = refused.refusal
        if told.rule != COINS or not told.sentence.isprintable():
            return str(told)
        return {"program_failed": FAILED, "refused": REFUSED}[told.code]
    return stage.failed_at(receipt.entry) if isinstance(receipt.entry, Entry) else ""


def by_event(stage: Stage) -> str:
    stage.weeks += 1
    advance(stage.game.slug, WEDNESDAY + timedelta(weeks=stage.weeks))
    newest = stage.game.entries.filter(name="rule.week").latest("seq")
    assert stage.game.entries.filter(name="rule.week").count() == stage.weeks
    return stage.failed_at(newest)


def by_hook(stage: Stage) -> str:
    try:
        entry = stage.act(stage.player, "tiny.pay", coins=1, to="Murphy").entry
    except Refused as refused:
        return REFUSED if refused.refusal.rule == COINS else str(refused)
    return stage.failed_at(entry)


def by_view(stage: Stage) -> str:
    [drawing] = drawings(glance(Game.objects.get(pk=stage.game.pk)))
    assert drawing.wrong.isprintable()
    return FAILED if drawing.wrong else DONE


Way = Callable[[Stage], str]
# How each is declared, what tries it, and what comes of the odd ones and of those that refuse.
WAYS: dict[str, tuple[str, str, Way, str, str]] = {
    "action": ('@action("go", "Go")', "go(me: Player)", by_action, DONE, REFUSED),
    "event": ('@every("week")', "go()", by_event, DONE, FAILED),
    "hook before": ('@before("tiny.pay")', "go()", by_hook, DONE, REFUSED),
    "hook after": ('@after("tiny.pay")', "go()", by_hook, DONE, FAILED),
    "view": ('@view("View")', "go()", by_view, FAILED, FAILED),
}


def programs(way: str) -> Iterator[tuple[str, str, str]]:
    """Each hostile program for that way, by its name, and what has to come of it."""
    declared, head, _, of_odd, of_refusing = WAYS[way]
    tables: tuple[tuple[Mapping[str, str], str], ...]
    tables = ((FAILS, FAILED), (ODD, of_odd), (REFUSES, of_refusing))
    for bodies, expected in tables:
        for name, body in bodies.items():
            yield name, f"{declared}\n{function(head, body)}", expected
    for name, body in AT_THE_MARGIN.items():
        yield name, f"{body}\n{declared}\n{function(head, 'pass')}", FAILED


def all_comes_as_it_should(stage: Stage, adopt: Adopt, way: str, each: int) -> None:
    found = {}
    for name, program, expected in islice(programs(way), 0, None, each):
        adopt(program)
        try:
            came = WAYS[way][2](stage)
        except Exception as error:
            came = f"{type(error).__name__}: {error}"[:300]
        if came != expected:
            found[name] = came
        stage.game.refresh_from_db()
        if stage.game.state != "running":
            found[name] = stage.game.state
            break
    assert found == {}
    assert set(ProgramState.objects.values_list("state", flat=True)) <= {"{}"}
    is_sound(stage.game)
    adopt("")
    stage.act(stage.player, "tiny.pay", coins=1, to="Madrid")


@pytest.mark.thorough
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "each",
    [pytest.param(SAMPLE, marks=pytest.mark.brief), pytest.param(1, marks=pytest.mark.slow)],
)
def test_what_is_hostile_comes_to_what_the_limits_say(
    rich: Game, player: Player, act: Take, adopt: Adopt, way: str, each: int
) -> None:
    all_comes_as_it_should(Stage(rich, player, act), adopt, way, each)


def test_there_are_enough_of_them() -> None:
    assert len(FAILS) >= 150
