"""Where programs come in: before and after an action or an event, and where a subgame decides.

A subgame publishes a decision, with its types, where it has it, and asks `decided` for it with what
the rules' own words would make of it. A program only looks there, and what does not fit is left out
and noted.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from nomic.engine.actions import Action, NeededAction, PrivateAction, TwoSidedAction
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.programs.declarations import Hook
from nomic.engine.programs.in_force import Program, programs_now
from nomic.engine.programs.prelude import STUBS
from nomic.engine.programs.running import (
    Failure,
    Programs,
    RefusedByProgram,
    programs_at,
    quoted,
    were_asked,
)
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

_MOST_DECIDED = 10**6  # of an amount
_TOO_LATE = "A program can refuse an action before it is done, and nothing else"
_LONGEST_FIGURES = 20_000  # characters
_NEEDED = "Without this the game could not be mended, so a program cannot refuse it"


@dataclass(frozen=True, slots=True)
class Happening:
    """A thing that happens within an act or event, perhaps often; `about` says it in a sentence."""

    name: str
    about: str


_HAPPENINGS: dict[str, Happening] = {}


def publish_happening(name: str, about: str) -> Happening:
    """Let programs run after it; its name must be new."""
    if name in _HAPPENINGS:
        raise ValueError(f"There are two happenings named {name}.")
    _HAPPENINGS[name] = Happening(name, about)
    return _HAPPENINGS[name]


def all_happenings() -> list[Happening]:
    """Every happening, in the order in which subgames publish them."""
    return list(_HAPPENINGS.values())


def happened(
    table: Table,
    happening: Happening,
    outcome: Outcome,
    *,
    by: Player | None = None,
    subject: str = "",
) -> None:
    """Let programs run after what has happened just now; what they say comes into the entry."""
    facts = _event_facts(happening.name, subject, outcome)
    ProgramsAround(table, happening.name, actor=by).happened(facts)


class ProgramsAround:
    """The programs around one act or event of that name, in the order of their rules' numbers.

    An act is refused where one before it refuses it, or is at fault. What else goes wrong is
    noted and left out.
    """

    def __init__(
        self,
        table: Table,
        name: str,
        *,
        act: Action | None = None,
        actor: Player | None = None,
        inputs: Mapping[str, Any] | None = None,
    ) -> None:
        self._name = name
        self._act = act
        self._table = table
        self._all = table.throughout(programs_now)
        self._actor = actor
        self._inputs = inputs or {}
        self._said: list[str] = []

    @property
    def are_none(self) -> bool:
        """Whether no program stands around it."""
        return not self._all

    @property
    def _programs(self) -> Programs:
        return programs_at(self._table)

    def before(self) -> bool:
        """Let those before it run; whether one has moved something. Raises Refused."""
        return self._run("before")

    def after(self, outcome: Outcome, subject: str = "") -> Outcome:
        """Let those after it run; the outcome with what programs have said and done in all."""
        if self.are_none and not were_asked(self._table):
            return outcome
        if not self.are_none:
            self._run("after", _event_facts(self._name, subject, outcome))
        return self._programs.ended(outcome, self._said)

    @property
    def may_roll(self) -> bool:
        """Whether programs may throw dice at this act: then it cannot be undone altogether."""
        return not self.are_none and self._act is not None and is_open(self._act)

    @property
    def rolled(self) -> bool:
        """Whether one has thrown a die, also in a call that came to nothing."""
        return self._programs.rolled

    def in_vain(self, act: Action, refused: Refused) -> Outcome:
        """The outcome of the refused act, once all is undone that was done at it. What the dice
        showed may be known by its refusal, so they stay as they fell, in an entry of their own. A
        refusal that is no program's is the actor's alone to know."""
        by_program = isinstance(refused, RefusedByProgram)
        reason = refused.refusal.sentence if by_program else "it is refused."
        self._programs.come_to_nothing()
        text = f"“{act.title}” comes to nothing: {reason}"
        return self._programs.ended(Outcome(text, {"failed": reason}), [])

    def sealed(self) -> dict[str, Any]:
        """The figures of programs at an act that the sealed book keeps, for its replay: what was
        late in a decision then. Nothing of that is public."""
        return self._programs.sealed()

    def done_meanwhile(self, outcome: Outcome) -> None:
        """Let those run that stand after an act which was done within another act or event."""
        if not self.are_none:
            self.happened(_event_facts(self._name, "", outcome))

    def happened(self, event: Mapping[str, Any]) -> None:
        """Let those run that stand after what has happened within an act or event."""
        self._run("after", event)
        self._programs.said_meanwhile += self._said

    def _run(self, when: str, event: Mapping[str, Any] | None = None) -> bool:
        """Let those that stand there run; whether one has moved something. Raises Refused."""
        if self._act is not None and not is_open(self._act):
            return False
        moved = False
        hooks = [
            (program, hook)
            for program in self._all
            for hook in program.declared.hooks
            if (hook.when, hook.of) == (when, self._name)
        ]
        for program, hook in hooks:
            called = f"{hook.function} {when} {self._name}"
            try:
                me = self._actor.name if self._actor else None
                facts = {"me": me, "inputs": _plain(self._inputs), "event": event}
                taken = {name: facts[name] for name in hook.takes}
                done = self._programs.call(program, hook.function, called, taken)
                if done.refused:
                    reason = f"“{program.rule.title}” refuses it: {quoted(done.refused)}"
                    if self._act is None or when == "after":
                        raise ProgramWrong(Problem(_TOO_LATE))
                    if is_needed(self._act):
                        raise ProgramWrong(Problem(_NEEDED))
                    raise RefusedByProgram(Refusal("refused", reason, program.rule.title))
                self._said += self._programs.keep(program, called, done)
                moved |= done.moves_something
            except ProgramWrong as wrong:
                self._programs.fail(program, called, wrong.problem)
        return moved


def _event_facts(name: str, subject: str, outcome: Outcome) -> dict[str, Any]:
    """The facts that programs after it get; figures that take long to read are left out."""
    figures = _plain(outcome.figures)
    if len(json.dumps(figures)) > _LONGEST_FIGURES:
        figures = {}
    return {"name": name, "subject": subject, "text": outcome.text, "figures": figures}


def _plain(values: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(dict(values), default=str))


def is_open(act: Action) -> bool:
    """Whether all that is done by this action is public, so that programs may learn of it."""
    return not isinstance(act, PrivateAction | TwoSidedAction)


def is_needed(act: Action) -> bool:
    """Whether the game could not mend itself without it."""
    return isinstance(act, NeededAction) or bool(act.office or act.possible_while)


# Decisions of subgames that a program may take over


@dataclass(frozen=True)
class Decision:
    """`takes` are the types of what a program is given, by their names, and `gives` is what it
    returns, as Python writes them. `about` says in a sentence what it decides, `unfit` why a value
    of that type cannot be, "" where it can."""

    name: str
    gives: str
    about: str
    takes: Mapping[str, str]
    unfit: Callable[[Table, Any], str]


class EndsAll(str):
    """Why a value cannot be: by it nobody could propose, vote or adopt anything any more."""

    __slots__ = ()


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


def is_of_type(decision: Decision, value: Any) -> bool:
    """Whether the value has the type of what that decision gives."""
    return _TYPES[decision.gives](value)


def publish(
    name: str,
    gives: str,
    about: str,
    takes: Mapping[str, str],
    unfit: Callable[[Table, Any], str] = lambda table, value: "",
) -> Decision:
    """Let programs take over that Decision; its name must be new, its type one that is known."""
    if name in _DECISIONS or gives not in _TYPES:
        raise ValueError(f"There is no new decision {name} of {gives}.")
    _DECISIONS[name] = Decision(name, gives, about, takes, unfit)
    return _DECISIONS[name]


def unfit_amount(table: Table, amount: int) -> str:
    """Why that is no amount that a program may decide; "" where it is one."""
    return "" if 0 <= amount <= _MOST_DECIDED else f"it is a number from 0 to {_MOST_DECIDED:,}"


_LOOKS: dict[str, Callable[[Table], object]] = {}


def asks_for(look: Callable[[Table], object], *decisions: Decision) -> None:
    """Let these decisions be tried out by that look, which asks for them as the game does."""
    _LOOKS.update((decision.name, look) for decision in decisions)


def all_decisions() -> list[Decision]:
    """Every decision, in the order in which subgames publish them."""
    return list(_DECISIONS.values())


def stubs() -> str:
    """The functions and types that programs are given, those of all decisions among them, for the
    checker."""
    lines = [STUBS]
    for decision in all_decisions():
        takes = ", ".join(decision.takes.values())
        gives = f"{decision.gives} | None"
        function = f"Callable[[{takes}], {gives}] | Callable[[], {gives}]"
        head = f'def decide(of: Literal["{decision.name}"])'
        lines.append(f"@overload\n{head} -> Callable[[{function}], Any]: ...")
    return "\n".join([*lines, "@overload\ndef decide(of: str) -> Callable[[F], F]: ...", ""])


def decided[Value](
    table: Table,
    decision: Decision,
    otherwise: Value,
    *,
    unfit: Callable[[Value], str] = lambda value: "",
    by: Collection[str] | None = None,
    **facts: Any,
) -> Value:
    """The value that the first program which takes the decision over makes of it, unless that is
    None, else `otherwise`; decided once a table for each that is given. What is `unfit`, by the
    decision or here, is left out. Only programs are asked that are among those of `by`, by their
    digests, where it is given.
    """
    programs = programs_at(table)
    for program in programs.all:
        # A judgement's programs stand behind the rule's own, and go before them.
        for declared in reversed(program.declared.decisions):
            if declared.of != decision.name or (by is not None and program.digest not in by):
                continue
            called = declared.deciding
            place = f"{program.key} {called} {json.dumps(facts, sort_keys=True)}"
            if place not in programs.decided:
                # Noted before it is asked: one that fails fails once, however often it is needed.
                programs.decided[place] = None
                try:
                    answer = _answer(table, programs, program, declared, facts, unfit)
                    programs.decided[place] = None if answer is None else (answer,)
                    programs.ran(program, called)
                except ProgramWrong as wrong:
                    programs.fail(program, called, wrong.problem)
            made_of_it = programs.decided[place]
            if made_of_it is not None:
                return made_of_it[0]  # type: ignore[no-any-return]
    return otherwise


def deciders(table: Table, decision: Decision) -> list[str]:
    """The digests of the programs that take that decision over now."""
    return [
        program.digest
        for program in programs_at(table).all
        if any(declared.of == decision.name for declared in program.declared.decisions)
    ]


def try_out(table: Table, program: Program, declared: Hook) -> None:
    """Let that program of the rules as they are now decide it before all others, and ask for it as
    the game does; or else once, of the first player, of all of them or of a vote of the first one;
    nothing where it takes anything else. Raises ProgramWrong."""
    programs = programs_at(table)
    others = [another for another in programs_now(table) if another.key != program.key]
    with programs.supposing([program, *others]) as failures:
        if look := _LOOKS.get(declared.of):
            look(table)
            for failure in failures:
                if (failure.program, failure.called) == (program, declared.deciding):
                    raise ProgramWrong(failure.problem)
        else:
            _ask_once(table, programs, program, declared)


def fatal_decision(table: Table, before: Collection[str]) -> Failure | None:
    """The decision by which nobody could propose, vote or adopt anything, of a program that is none
    of those of `before`, by their sources; None where somebody could. It is asked for what the game
    asks for, with the programs of the rules as they are now."""
    now = programs_now(table)
    new = [program for program in now if program.source not in before]
    deciding = {declared.of for program in new for declared in program.declared.decisions}
    looks = dict.fromkeys(look for of, look in _LOOKS.items() if of in deciding)
    if not looks:
        return None
    with programs_at(table).supposing(now) as failures:
        for look in looks:
            look(table)
    fatal = (failure for failure in failures if failure.problem.ends_all)
    return next((failure for failure in fatal if failure.program in new), None)


def _ask_once(table: Table, programs: Programs, program: Program, declared: Hook) -> None:
    players, decision = table.directory.players, _DECISIONS.get(declared.of)
    if decision is None or not players:
        return
    ballot = {"number": 1, "title": "", "author": players[0], "votes": {players[0]: "FOR"}}
    counts = {"votes_for": 1, "against": 0, "present": 0, "outcome": PASSES}
    samples = {"Player": players[0], "list[Player]": players, "Ballot": ballot | counts}
    facts = {name: samples.get(kind) for name, kind in decision.takes.items()}
    if None not in facts.values():
        _answer(table, programs, program, declared, facts, lambda value: "")


def _answer(
    table: Table,
    programs: Programs,
    program: Program,
    declared: Hook,
    facts: Mapping[str, Any],
    unfit: Callable[[Any], str],
) -> Any:
    taken = {name: facts[name] for name in declared.takes if name in facts}
    done = programs.call(program, declared.function, declared.deciding, taken, looks=True)
    decision, value = _DECISIONS[declared.of], done.drawn
    if not done.only_looks:
        raise ProgramWrong(Problem("What decides looks at the game, and does nothing in it"))
    obstacle = f"it has to return {decision.gives}"
    if is_of_type(decision, value):
        obstacle = decision.unfit(table, value) or unfit(value)
    if value is None and done.only_looks:
        return None
    if obstacle:
        complaint = f"It decides {str(value)[:60]}, which cannot be: {obstacle}"
        raise ProgramWrong(Problem(complaint, ends_all=isinstance(obstacle, EndsAll)))
    return value
