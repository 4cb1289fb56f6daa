"""All that programs do at one act, and what of it is kept, while others have the processor."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from nomic.engine.programs import running, sandbox
from nomic.engine.programs.in_force import Program
from nomic.engine.programs.running import Programs
from nomic.engine.programs.sandbox import GRACE, Limits, Meter, Problem, ProgramWrong, Sandbox
from nomic.engine.programs.tests.conftest import Adopt
from nomic.engine.programs.views import drawings
from nomic.engine.table import glance
from nomic.games.models import Game
from tests.kit.cast import OWN_DEADLINE

VIEW = '@view("View")\ndef view():\n    return table(["A"], [["b"]])\n'


class Starving:
    """A sandbox in which each run takes as long as it may, after a part of that with waiting."""

    def __init__(self, waiting: float) -> None:
        self.waiting, self.now = waiting, 0.0

    def run(self, ours: str, program: str, given: object, limits: Limits, **_: object) -> None:
        waits = limits.remaining * self.waiting
        rest = replace(limits, remaining=limits.remaining - waits)
        assert rest.longest >= 0
        assert rest.waiting >= 0
        self.now += waits + rest.longest + rest.waiting + GRACE
        raise ProgramWrong(Problem("It is late", late=True))


@pytest.fixture(autouse=True)
def _the_sites_own_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LONGEST", OWN_DEADLINE)


@pytest.fixture
def program(rich: Game, adopt: Adopt) -> Iterator[Program]:
    adopt(VIEW)
    return Programs(glance(rich)).all[0]


@pytest.mark.parametrize("waiting", [0, 0.1, 0.9, 1])
def test_programs_hold_a_game_for_less_than_a_second(
    rich: Game, program: Program, monkeypatch: pytest.MonkeyPatch, waiting: float
) -> None:
    starving = Starving(waiting)
    clock = SimpleNamespace(monotonic=lambda: starving.now, thread_time=lambda: 0.0)
    monkeypatch.setattr(running, "time", clock)
    monkeypatch.setattr(running, "shared", lambda: starving)
    programs = Programs(glance(rich))
    for _ in range(50):
        with pytest.raises(ProgramWrong):
            programs.call(program, "view", "view", {})
    assert starving.now < 1


class Hogging(Starving):
    """One in which what decides comes to its end, and all else takes as long as it may."""

    def run(
        self, ours: str, program: str, given: Any, limits: Limits, *, meter: Meter, **more: object
    ) -> str:
        if given["function"] == "gain":
            assert limits.longest >= 0.05
            return '[[], [], {"": "{}"}, 7, [], [], [], []]'
        meter.seconds += limits.longest
        super().run(ours, program, given, limits, **more)
        raise AssertionError


def test_what_hooks_take_is_not_what_decisions_need(
    rich: Game, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt('@decide("horses.gain")\ndef gain(player: Player) -> int:\n    return 7\n')
    hogging = Hogging(0)
    clock = SimpleNamespace(monotonic=lambda: hogging.now, thread_time=lambda: 0.0)
    monkeypatch.setattr(running, "time", clock)
    monkeypatch.setattr(running, "shared", lambda: hogging)
    programs = Programs(glance(rich))
    for _ in range(50):
        with pytest.raises(ProgramWrong):
            programs.call(programs.all[0], "hook", "hook", {})
    assert programs.call(programs.all[0], "gain", "gain", {}, looks=True).drawn == 7
    assert hogging.now < 1


POOREST = """
@view("Poorest")
def view():
    return table(["A"], [[min(players(), key=lambda player: balance(player, "coin"))]])
"""


class Late:
    """The sandbox, whose second run is late: it had to wait for a processor."""

    def __init__(self, rest: Sandbox) -> None:
        self.rest, self.runs = rest, 0

    def run(self, *given: Any, **more: Any) -> Any:
        self.runs += 1
        if self.runs == 2:
            raise ProgramWrong(Problem("It is late", late=True))
        return self.rest.run(*given, **more)


def test_what_cannot_wait_to_be_told_is_told_again_where_it_was_late(
    rich: Game, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt(POOREST)
    late = Late(running.shared())
    monkeypatch.setattr(running, "shared", lambda: late)
    programs = Programs(glance(rich))
    drawn = programs.call(programs.all[0], "view", "view", {}, looks=True).drawn
    assert (drawn["kind"], late.runs) == ("table", 3)


def test_who_waits_for_a_worker_waits_no_longer_than_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def waits(free: object, *, timeout: float) -> bool:
        waited.append(timeout)
        return False

    waited: list[float] = []
    monkeypatch.setattr(sandbox.BoundedSemaphore, "acquire", waits)
    box = Sandbox()
    for left in (0.0, 0.3, 100.0):
        with pytest.raises(ProgramWrong, match="No worker of the sandbox is free"):
            box.run("1", "", {}, Limits(remaining=left))
    assert waited == [0.0, 0.3, 1.0]


def test_a_view_that_was_only_late_is_soon_drawn_anew(
    rich: Game, adopt: Adopt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> None:
        raise ProgramWrong(Problem("It is late", late=True))

    adopt(VIEW)
    table = glance(rich)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Programs, "_run", late)
        [drawing] = drawings(table)
    assert drawing.wrong == "This cannot be shown: It is late."
    assert drawings(table) == [drawing]
    [anew] = drawings(glance(rich, table.wall + timedelta(seconds=10)))
    assert (anew.wrong, anew.rows) == ("", (("b",),))
