"""Trials of a program of a rule on a copy of the game, before anybody votes on it, and its cost.

What goes by itself throws dice there that are none of the game's: what they show tells nothing.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from nomic.engine.dry_run import Covered, scratch_dice
from nomic.engine.programs.declarations import PERIODS, DeclaredEvent
from nomic.engine.programs.hooks import try_out
from nomic.engine.programs.programs import Program
from nomic.engine.programs.questions import size_of
from nomic.engine.programs.running import Programs
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.programs.telling import Added, Fault
from nomic.engine.table import Table

_AN_EVENT = 6_000  # bytes of its entry and appointment in the database, whatever happens
LEAST = 0.25  # seconds for which trials go on, however long all before them took
_SIZES = ((10**6, "MB"), (10**3, "kB"))


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one happening, by which the costs of many are told: dice thrown, movements of
    assets, bytes of the database, milliseconds."""

    title: str
    rule: str
    every: str
    rolls: int
    moves: int
    size: int
    milliseconds: int

    def __str__(self) -> str:
        told = f"{_told(self.rolls, self.moves, self.size)}, {self.milliseconds} ms"
        return f"“{self.title}” of “{self.rule}”, each {self.every}: {told}."


@dataclass(frozen=True, slots=True)
class Trials:
    """The faults, the costs of appointments that had none, and how many things were not tried,
    since that would have taken too long. `tried` are rules' titles with their functions."""

    faults: tuple[Fault, ...] = ()
    costs: tuple[Cost, ...] = ()
    untried: int = 0
    tried: frozenset[tuple[str, str]] = frozenset()

    @property
    def told(self) -> tuple[str, ...]:
        """The costs as sentences: first of all that happens each day, each week, each month."""
        of_period: defaultdict[str, list[Cost]] = defaultdict(list)
        for cost in self.costs:
            of_period[cost.every].append(cost)
        sums = []
        for period in PERIODS:
            found = of_period[period]
            if found:
                rolls, moves = sum(each.rolls for each in found), sum(each.moves for each in found)
                told = _told(rolls, moves, sum(each.size for each in found))
                events = f"{len(found)} event{'s' if len(found) > 1 else ''}"
                sums.append(f"All that this lets happen each {period}: {events}, {told}.")
        more = f"{self.untried:,} more of what programs add took too long to be tried here."
        return (*sums, *([more] if self.untried else ()), *map(str, self.costs))


NOTHING_TRIED = Trials()


class _Seen(Exception):
    """Raised when enough has been seen, to undo what led to it."""


def trials(
    table: Table, known: Iterable[Added], is_up: Callable[[], bool], before: Trials
) -> Trials:
    """The trials of programs that are not `known`, at an imagined table: of what goes by itself,
    views, and decisions, until the time `is_up`. Those tried `before` are not tried again."""
    sources = {each.rule: each.source for each in known}
    faults, costs, tried = list(before.faults), list(before.costs), set(before.tried)
    untried = 0
    for program in Programs(table).all:
        if sources.get(program.rule.title) == program.source:
            continue
        for function, attempt in _attempts(table, program, costs):
            what = program.rule.title, function
            if what in tried:
                continue
            if is_up():
                untried += 1
                continue
            tried.add(what)
            try:
                with suppress(Covered):
                    attempt()
            except ProgramWrong as wrong:
                rule, problem = program.rule.title, wrong.problem
                said = f"Tried now, {function} of “{rule}” fails: {problem}"
                faults.append(Fault(rule, said, *(problem.place or ())))
    return Trials(tuple(faults), tuple(costs), untried, frozenset(tried))


def _attempts(
    table: Table, program: Program, costs: list[Cost]
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each thing that is tried, by its function; each happens by itself, with all of its bounds."""
    for event in program.declared.events:
        yield event.name, partial(_happens, table, program, event, costs)
    for view in program.declared.views:
        look = partial(Programs(table).call, program, view.function, "trial", {}, looks=True)
        yield view.function, look
    for each in program.declared.decisions:
        yield each.function, partial(try_out, table, Programs(table), program, each)


def _happens(table: Table, program: Program, event: DeclaredEvent, costs: list[Cost]) -> None:
    """Let it happen and undo it, and note what it cost. Raises ProgramWrong."""
    programs, began = Programs(table), time.perf_counter()
    with scratch_dice(table):
        done = programs.call(program, event.name, "trial", {})
        if done.refused:
            raise ProgramWrong(Problem(f"What happens by itself cannot be refused: {done.refused}"))
        with suppress(_Seen), table.tentatively():
            programs.keep(program, "trial", done)
            raise _Seen
    took, size = round(1000 * (time.perf_counter() - began)), _AN_EVENT + size_of(done)
    its = event.title, program.rule.title, event.every
    costs.append(Cost(*its, done.rolls, len(done.moves), size, took))


def _told(rolls: int, moves: int, size: int) -> str:
    most, unit = next((each for each in _SIZES if size >= each[0]), _SIZES[-1])
    parts = [(rolls, "roll"), (moves, "movement")]
    told = [f"{many:,} {what}{'s' if many > 1 else ''}" for many, what in parts if many]
    return ", ".join([*told, f"{size / most:.1f} {unit}"])
