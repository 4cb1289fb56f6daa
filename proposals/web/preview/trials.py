"""What a program of a rule does on a copy of the game, before anybody votes on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from nomic.engine.dry_run import Covered
from nomic.engine.programs.programs import Program
from nomic.engine.programs.running import Programs
from nomic.engine.programs.sandbox import ProgramWrong
from nomic.engine.programs.telling import Added
from nomic.engine.table import Table


def trials(table: Table, known: Iterable[Added]) -> tuple[str, ...]:
    """What fails of programs that are not `known` if it happens now, at an imagined table: what
    goes by itself, and views. What the dice decide is not tried further than to them."""
    sources = {each.rule: each.source for each in known}
    programs = Programs(table)
    told: list[str] = []
    for program in programs.all:
        if sources.get(program.rule.title) == program.source:
            continue
        for event in program.declared.events:
            told += _tried(programs, program, event.name)
        for view in program.declared.views:
            told += _tried(programs, program, view.function, looks=True)
    return tuple(told)


def _tried(
    programs: Programs, program: Program, function: str, *, looks: bool = False
) -> Iterator[str]:
    try:
        with suppress(Covered):
            programs.call(program, function, "trial", {}, looks=looks)
    except ProgramWrong as wrong:
        yield f"Tried now, {function} of “{program.rule.title}” fails: {wrong.problem}"
