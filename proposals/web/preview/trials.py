"""What a program of a rule does on a copy of the game, before anybody votes on it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from nomic.engine.dry_run import Covered
from nomic.engine.programs.decisions import try_out
from nomic.engine.programs.programs import Program
from nomic.engine.programs.running import Programs
from nomic.engine.programs.sandbox import ProgramWrong
from nomic.engine.programs.telling import Added, Fault
from nomic.engine.table import Table


def trials(table: Table, known: Iterable[Added]) -> tuple[Fault, ...]:
    """What fails of programs that are not `known` if it happens now, at an imagined table: what
    goes by itself, views, and decisions. What the dice decide is not tried further than to them."""
    sources = {each.rule: each.source for each in known}
    programs = Programs(table)
    told: list[Fault] = []
    for program in programs.all:
        if sources.get(program.rule.title) == program.source:
            continue
        for event in program.declared.events:
            call = partial(programs.call, program, event.name, "trial", {})
            told += _tried(program, event.name, call)
        for view in program.declared.views:
            call = partial(programs.call, program, view.function, "trial", {}, looks=True)
            told += _tried(program, view.function, call)
        for each in program.declared.decisions:
            ask = partial(try_out, table, programs, program, each)
            told += _tried(program, each.function, ask)
    return tuple(told)


def _tried(program: Program, function: str, call: Callable[[], object]) -> Iterator[Fault]:
    try:
        with suppress(Covered):
            call()
    except ProgramWrong as wrong:
        rule, place = program.rule.title, wrong.problem.place or ()
        yield Fault(rule, f"Tried now, {function} of “{rule}” fails: {wrong.problem}", *place)
