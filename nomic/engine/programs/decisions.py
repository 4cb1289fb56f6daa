"""The decisions of subgames that a program of a rule may take over, each published with its types.

A subgame publishes one where it has it, and asks `decided` for it with what the rules' own words
would make of it. A program only looks, and what does not fit is left out and noted.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from nomic.engine.programs.declarations import DeclaredDecision
from nomic.engine.programs.inside import STUBS
from nomic.engine.programs.programs import Program
from nomic.engine.programs.running import Programs, programs_at
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table


@dataclass(frozen=True)
class Decision:
    """`takes` are the types of what a program is given, by their names, and `gives` is what it
    returns, as Python writes them. `about` says in a sentence what it decides, `fits` whether a
    value of that type can be."""

    name: str
    gives: str
    about: str
    takes: Mapping[str, str]
    fits: Callable[[Table, Any], bool]


MOST_DECIDED = 10**6  # of an amount
_DECISIONS: dict[str, Decision] = {}
FAILS, PASSES = OUTCOMES = ("fails", "passes")


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_number(value: Any) -> bool:
    return type(value) is int


def _is_dict(of: Callable[[Any], bool], value: Any) -> bool:
    return type(value) is dict and all(map(of, value.values()))


_TYPES: dict[str, Callable[[Any], bool]] = {
    "int": _is_number,
    "str": _is_text,
    "Outcome": lambda value: value in OUTCOMES,
    "list[Player]": lambda value: type(value) is list and all(map(_is_text, value)),
    "dict[str, str]": partial(_is_dict, _is_text),
    "dict[str, int]": partial(_is_dict, _is_number),
    "dict[Player, int]": partial(_is_dict, _is_number),
}


def publish(
    name: str,
    gives: str,
    about: str,
    takes: Mapping[str, str],
    fits: Callable[[Table, Any], bool] = lambda table, value: True,
) -> Decision:
    """Let programs take over that Decision; its name must be new, its type one that is known."""
    if name in _DECISIONS or gives not in _TYPES:
        raise ValueError(f"There is no new decision {name} of {gives}.")
    _DECISIONS[name] = Decision(name, gives, about, takes, fits)
    return _DECISIONS[name]


def all_decisions() -> list[Decision]:
    """Every decision, in the order in which subgames publish them."""
    return list(_DECISIONS.values())


def stubs() -> str:
    """The functions and types that programs are given, those of all decisions among them, for the
    checker."""
    told = [STUBS]
    for each in all_decisions():
        takes = ", ".join(each.takes.values())
        function = f"Callable[[{takes}], {each.gives}] | Callable[[], {each.gives}]"
        head = f'def decide(of: Literal["{each.name}"])'
        told.append(f"@overload\n{head} -> Callable[[{function}], Any]: ...")
    return "\n".join([*told, "@overload\ndef decide(of: str) -> Callable[[F], F]: ...", ""])


def decided[Value](
    table: Table,
    decision: Decision,
    otherwise: Value,
    *,
    can_be: Callable[[Value], bool] = lambda value: True,
    **given: Any,
) -> Value:
    """The value that the first program which takes the decision over makes of it, else `otherwise`;
    decided once a table for each that is given. What neither the decision nor `can_be` lets be is
    left out."""
    programs = programs_at(table)
    for program in programs.all:
        for declared in program.declared.decisions:
            if declared.of != decision.name:
                continue
            what = f"{declared.function} decides {decision.name}"
            place = f"{program.key} {what} {json.dumps(given, sort_keys=True)}"
            if place not in programs.decided:
                programs.decided[place] = None
                try:
                    answer = _answer(table, programs, program, declared, given, can_be)
                    programs.decided[place] = (answer,)
                    programs.ran(program, what)
                except ProgramWrong as wrong:
                    programs.fail(program, what, wrong.problem)
            found = programs.decided[place]
            if found is not None:
                return found[0]  # type: ignore[no-any-return]
    return otherwise


def try_out(table: Table, programs: Programs, program: Program, declared: DeclaredDecision) -> None:
    """Ask for it once, of the first player, of all of them or of a vote of the first one; nothing
    where it takes anything else. Raises ProgramWrong."""
    players, decision = table.directory.players, _DECISIONS.get(declared.of)
    if decision is None or not players:
        return
    ballot = {"number": 1, "title": "", "author": players[0], "votes": {players[0]: "FOR"}}
    counts = {"votes_for": 1, "against": 0, "present": 0, "outcome": PASSES}
    samples = {"Player": players[0], "list[Player]": players, "Ballot": ballot | counts}
    given = {name: samples.get(kind) for name, kind in decision.takes.items()}
    if None not in given.values():
        _answer(table, programs, program, declared, given, lambda value: True)


def _answer(
    table: Table,
    programs: Programs,
    program: Program,
    declared: DeclaredDecision,
    given: Mapping[str, Any],
    can_be: Callable[[Any], bool],
) -> Any:
    taken = {name: given[name] for name in declared.takes if name in given}
    what = f"{declared.function} decides {declared.of}"
    done = programs.call(program, declared.function, what, taken, looks=True)
    decision, value = _DECISIONS[declared.of], done.drawn
    if done.moves or done.said or done.refused:
        raise ProgramWrong(Problem("What decides looks at the game, and does nothing in it"))
    is_such = _TYPES[decision.gives](value)
    if not is_such or not decision.fits(table, value) or not can_be(value):
        told = f"It decides {str(value)[:60]}, which cannot be: it has to return {decision.gives}"
        raise ProgramWrong(Problem(told))
    return value
