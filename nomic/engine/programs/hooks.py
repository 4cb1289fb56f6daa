"""Programs that run before and after an action or an event."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nomic.engine.actions import Action
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.programs.running import RefusedByProgram, programs_at
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal

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
    table: Table, what: Happening, outcome: Outcome, *, by: Player | None = None, subject: str = ""
) -> None:
    """Let programs run after what has happened just now; what they say comes into the entry."""
    ProgramsAround(table, what.name, actor=by).happened(_told(what.name, subject, outcome))


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
        self._programs = programs_at(table)
        self._actor = actor
        self._inputs = inputs or {}
        self._said: list[str] = []

    @property
    def are_none(self) -> bool:
        """Whether no program stands around it."""
        return not self._programs

    def before(self) -> bool:
        """Let those before it run; whether one has moved something. Raises Refused."""
        return self._run("before")

    def after(self, outcome: Outcome, subject: str = "") -> Outcome:
        """Let those after it run; the outcome with what programs have said and done in all."""
        if not self._programs:
            return outcome
        self._run("after", _told(self._name, subject, outcome))
        return self._programs.ended(outcome, self._said)

    @property
    def may_roll(self) -> bool:
        """Whether programs may throw dice at this act: then it cannot be undone altogether."""
        return bool(self._programs) and self._act is not None and is_open(self._act)

    @property
    def rolled(self) -> bool:
        """Whether one has thrown a die, also in a call that came to nothing."""
        return self._programs.rolled

    def in_vain(self, act: Action, refused: Refused) -> Outcome:
        """The outcome of the refused act, once all is undone that was done at it. What the dice
        showed may be known by its refusal, so they stay as they fell, in an entry of their own. A
        refusal that is no program's is the actor's alone to know."""
        by_program = isinstance(refused, RefusedByProgram)
        why = refused.refusal.sentence if by_program else "it is refused."
        self._programs.come_to_nothing()
        text = f"“{act.title}” comes to nothing: {why}"
        return self._programs.ended(Outcome(text, {"failed": why}), [])

    def sealed(self) -> dict[str, Any]:
        """The figures of programs at an act that the sealed book keeps, for its replay: what was
        late in a decision then. Nothing of that is public."""
        return self._programs.sealed()

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
            for program in self._programs.all
            for hook in program.declared.hooks
            if (hook.when, hook.of) == (when, self._name)
        ]
        for program, hook in hooks:
            what = f"{hook.function} {when} {self._name}"
            try:
                me = self._actor.name if self._actor else None
                given = {"me": me, "inputs": _plain(self._inputs), "event": event}
                taken = {name: given[name] for name in hook.takes}
                done = self._programs.call(program, hook.function, what, taken)
                if done.refused:
                    if self._act is None or when == "after":
                        raise ProgramWrong(Problem(_TOO_LATE))
                    if is_needed(self._act):
                        raise ProgramWrong(Problem(_NEEDED))
                    raise RefusedByProgram(Refusal("refused", done.refused, program.rule.title))
                self._said += self._programs.keep(program, what, done)
                moved |= bool(done.moves)
            except ProgramWrong as wrong:
                self._programs.fail(program, what, wrong.problem)
        return moved


def _told(name: str, subject: str, outcome: Outcome) -> dict[str, Any]:
    """The facts that programs after it get; figures that take long to read are left out."""
    figures = _plain(outcome.figures)
    if len(json.dumps(figures)) > _LONGEST_FIGURES:
        figures = {}
    return {"name": name, "subject": subject, "text": outcome.text, "figures": figures}


def _plain(values: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(dict(values), default=str))


def is_open(act: Action) -> bool:
    """Whether all that is done by this action is public, so that programs may learn of it."""
    return not (act.private or act.perhaps_private or act.private_side)


def is_needed(act: Action) -> bool:
    """Whether the game could not mend itself without it."""
    return bool(act.needed or act.office or act.while_stuck or act.while_paused)
