"""The actions that programs add: with a form of what their functions take."""

from typing import Any, ClassVar

from django import forms

from nomic.engine.actions import Action, Inputs, further_actions
from nomic.engine.effects import Effects, Then
from nomic.engine.forms import (
    ActionForm,
    Flag,
    IntegerChoice,
    PlayerField,
    Text,
    TextChoice,
    WholeNumber,
)
from nomic.engine.programs.assets import counted
from nomic.engine.programs.declarations import LONGEST_LINE, DeclaredAction
from nomic.engine.programs.programs import Program
from nomic.engine.programs.running import RefusedByProgram, programs_at
from nomic.engine.programs.sandbox import ProgramWrong
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.kept import kept

_MOST = 10**9
_CLASS = 20_000  # bytes of an action's class and that of its form, with its fields


class ProgramForm(ActionForm):
    """The parameters of a program's function; one that is left out is what its default says."""

    defaults: ClassVar[dict[str, Any]] = {}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name, default in self.defaults.items():
            if cleaned.get(name) in (None, "") and name not in self.errors:
                cleaned[name] = default
        return cleaned


class ProgramAction(Action):
    """An action that the program of a rule carries out."""

    program: ClassVar[Program]
    declared: ClassVar[DeclaredAction]

    @property
    def about(self) -> str:
        return f"The program of the rule “{self.rule}” carries it out."

    def price(self, table: Table, player: Any, data: Inputs) -> str:
        return counted(table, self.declared.price)

    def judge(self, table: Table, player: Player, /, **data: Any) -> Effects:
        return Effects(Then(lambda at: self._call(at, player, data)))

    def _call(self, table: Table, player: Player, data: Inputs) -> str:
        programs = programs_at(table)
        what = self.declared.name
        try:
            given = {"me": player.name, **data}
            done = programs.call(self.program, self.declared.function, what, given)
        except ProgramWrong as wrong:
            programs.fail(self.program, what, wrong.problem)
            sentence = f"The program of this rule fails, and nothing is done: {wrong.problem}"
            raise RefusedByProgram(Refusal("program_failed", sentence, self.rule)) from None
        if done.refused:
            raise RefusedByProgram(Refusal("refused", done.refused, self.rule))
        said = " ".join(programs.keep(self.program, what, done))
        return said or f"{player}: {self.sentence.format(**data).rstrip('.')}."


@kept(0.05, more=_CLASS)
def _made(program: Program, declared: DeclaredAction) -> Action:
    fields: dict[str, Any] = {}
    for field in declared.fields:
        # One with a default begins with it, and may be left out.
        more: dict[str, Any] = {"initial": field.default, "required": field.default is None}
        if field.kind == "flag":
            drawn: forms.Field = Flag()
        elif field.kind == "number":
            drawn = WholeNumber(0, _MOST, **more)
        elif field.kind == "player":
            drawn = PlayerField(**more)
        elif field.kind == "text":
            drawn = Text(longest=LONGEST_LINE, **more)
        elif isinstance(field.options[0], int):
            drawn = IntegerChoice(*field.options, **more)
        else:
            drawn = TextChoice(*map(str, field.options), **more)
        fields[field.name] = drawn
    fields["defaults"] = {
        field.name: field.default for field in declared.fields if field.default is not None
    }
    told = {
        "name": program.name(declared.name),
        "title": declared.title,
        "sentence": declared.sentence,
        "button": declared.title,
        "rule": program.rule.title,
        "program": program,
        "declared": declared,
        "Form": type("Form", (ProgramForm,), fields),
    }
    made: type[ProgramAction] = type("RuledAction", (ProgramAction,), told)
    return made()


further_actions(
    lambda table: [
        _made(program, declared)
        for program in programs_at(table).all
        for declared in program.declared.actions
    ]
)
