"""The additions of programs to a game: actions, events and assets."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from django import forms

from nomic.engine.actions import Action, Inputs, further_actions
from nomic.engine.effects import Effects, Then
from nomic.engine.events import appointment
from nomic.engine.forms import (
    ActionForm,
    Flag,
    IntegerChoice,
    PlayerField,
    Text,
    TextChoice,
    WholeNumber,
)
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.declarations import LONGEST_LINE, PERIODS, DeclaredAction, DeclaredEvent
from nomic.engine.programs.host_functions import Done
from nomic.engine.programs.in_force import (
    PREFIX,
    Program,
    name_of_event,
    programs_beside_rules,
    programs_of,
)
from nomic.engine.programs.running import RefusedByProgram, programs_at, quoted
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Follower, Table, follow
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.infrastructure.caching.memory import memoized
from nomic.ledger.models import AssetKind

PARTIES = "contract"  # of the names of what programs add that are no rules'
KINDS = {period: f"{PREFIX}.{period}" for period in PERIODS}
_NOT_REFUSED = "What happens by itself cannot be refused"
_MOST = 10**9
_CLASS = 20_000  # bytes of an action's class and that of its form, with its fields


# Assets: in the ledger from when their rule is in force, for good


def define_assets(table: Table) -> bool:
    """Make those that the ledger does not have yet; whether there was one. A name that is taken
    stays what it is."""
    wanted = {
        asset.name: asset
        for program in reversed(programs_of(table.rules.public))
        for asset in program.declared.assets
    }
    if not wanted:
        return False
    taken = table.game.assets.filter(name__in=wanted).values_list("name", flat=True)
    missing = wanted.keys() - {*taken}
    for name in sorted(missing):
        kind = AssetKind.UNIQUE if wanted[name].is_unique else AssetKind.CURRENCY
        table.ledger.define(name, wanted[name].plural, kind=kind)
    return bool(missing)


def price_in_words(table: Table, price: str) -> str:
    """A price as it is counted, “5 coins” for “5 coin”; as it is written if it is none of these."""
    number, _, name = price.partition(" ")
    if number.isdecimal():
        for asset in table.ledger.public_assets():
            if name in (asset.name, asset.plural):
                return asset.amount(int(number))
    return price


class _Assets(Follower):
    """Makes what is declared as soon as the rule is in force."""

    def rules_changed(self, table: Table) -> None:
        define_assets(table)


follow(_Assets())


# Actions, with a form of what their functions take


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
        return price_in_words(table, self.declared.price)

    def judge(self, table: Table, player: Player, /, **data: Any) -> Effects:
        return Effects(Then(lambda at: self._call(at, player, data)))

    def _call(self, table: Table, player: Player, data: Inputs) -> str:
        programs = programs_at(table)
        name = self.declared.name
        try:
            inputs = {"me": player.name, **data}
            done = programs.call(self.program, self.declared.function, name, inputs)
            if done.refused:
                sentence = f"“{self.rule}” refuses it: {quoted(done.refused)}"
                raise RefusedByProgram(Refusal("refused", sentence, self.rule))
            # What it announces is judged once more, after what it has done before.
            announcement = " ".join(programs.keep(self.program, name, done))
        except ProgramWrong as wrong:
            programs.fail(self.program, name, wrong.problem)
            carrier = self.rule if self.program.power else "this rule"
            sentence = f"The program of {carrier} fails, and nothing is done: {wrong.problem}"
            raise RefusedByProgram(Refusal("program_failed", sentence, self.rule)) from None
        act = quoted(self.sentence.format(**data).rstrip("."))
        return announcement or f"{player}, by “{self.rule}”: {act}."


class PartyAction(ProgramAction):
    """An action of a program that no rule carries: the players whom the program binds do it."""

    @property
    def about(self) -> str:
        return f"The program of {self.rule} carries it out, for its parties."

    def judge(self, table: Table, player: Player, /, **data: Any) -> Effects | Refusal:  # type: ignore[override]
        power = self.program.power
        if power is None or player.name not in power.parties:
            return Refusal("no_party", f"Only the parties of {self.rule} do this.", self.rule)
        return super().judge(table, player, **data)


@memoized(share=0.05, more=_CLASS)
def _action_of(program: Program, declared: DeclaredAction) -> Action:
    fields: dict[str, Any] = {}
    for field in declared.fields:
        # One with a default begins with it, and may be left out.
        settings: dict[str, Any] = {"initial": field.default, "required": field.default is None}
        if field.kind == "flag":
            form_field: forms.Field = Flag()
        elif field.kind == "number":
            form_field = WholeNumber(0, _MOST, **settings)
        elif field.kind == "player":
            form_field = PlayerField(**settings)
        elif field.kind == "text":
            form_field = Text(longest=LONGEST_LINE, **settings)
        elif isinstance(field.options[0], int):
            form_field = IntegerChoice(*field.options, **settings)
        else:
            form_field = TextChoice(*map(str, field.options), **settings)
        fields[field.name] = form_field
    fields["defaults"] = {
        field.name: field.default for field in declared.fields if field.default is not None
    }
    attributes = {
        "name": program.name(declared.name),
        "title": declared.title,
        "sentence": declared.sentence,
        "button": declared.title,
        "rule": program.rule.title,
        "program": program,
        "declared": declared,
        "Form": type("Form", (ProgramForm,), fields),
    }
    base = PartyAction if program.power else ProgramAction
    action_class: type[ProgramAction] = type("RuledAction", (base,), attributes)
    return action_class()


@further_actions(PREFIX)
def program_actions(table: Table) -> list[Action]:
    """What the programs of the rules let players do at that table."""
    return [
        _action_of(program, declared)
        for program in programs_at(table).all
        for declared in program.declared.actions
        if program.power is None
    ]


@further_actions(PARTIES)
def party_actions(table: Table) -> list[Action]:
    """The actions that programs which no rule carries add for the players whom they bind."""
    return [
        _action_of(program, declared)
        for program in programs_at(table).all
        for declared in program.declared.actions
        if program.power is not None
    ]


# Events, which happen by themselves day by day, week by week, month by month


def happen(table: Table, subject: str) -> Outcome:
    """Let what the subject names happen; where it fails, the entry says so and that is all."""
    programs = programs_at(table)
    program, declared = _program_and_event(programs.all, subject)
    rule, name = program.rule.title, declared.name
    try:
        done = programs.call(program, name, name, {})
        if done.refused:
            raise ProgramWrong(Problem(f"{_NOT_REFUSED}: {quoted(done.refused)}"))
        with _as_a_whole(table, done):
            sentences = programs.keep(program, name, done)
    except ProgramWrong as wrong:
        programs.fail(program, name, wrong.problem)
        text = f"{_titled(program, declared)} comes to nothing: {wrong.problem}"
        return Outcome(text, {"failed": str(wrong.problem)}, rule=rule)
    return Outcome(" ".join(sentences) or f"{_titled(program, declared)} happens.", rule=rule)


@contextmanager
def _as_a_whole(table: Table, done: Done) -> Iterator[None]:
    """Undo all that is done in the block where it raises. Acts for others may fail as they are done
    though each could be done by itself."""
    if not done.deeds:
        yield
        return
    with programs_at(table).tentatively(), table.tentatively():
        yield


def name_of(kind: str, subject: str) -> str:
    """The name by which programs call the event of that kind and subject."""
    return name_of_event(subject) if kind in KINDS.values() else kind


def title_at(table: Table, subject: str) -> str:
    """The title of the event that the subject names, as a quotation with its rule; the subject,
    where it names none any more."""
    try:
        return _titled(*_program_and_event(_all_now(table), subject))
    except LookupError:
        return subject


def _all_now(table: Table) -> tuple[Program, ...]:
    return (*programs_of(table.rules.public), *programs_beside_rules(table))


def _titled(program: Program, declared: DeclaredEvent) -> str:
    return f"{quoted(declared.title)} of “{program.rule.title}”"


for _period, _kind in KINDS.items():
    appointment(_kind, title="A program of a rule", every=_period, priority=150, titled=title_at)(
        happen
    )


def _program_and_event(
    programs: tuple[Program, ...], subject: str
) -> tuple[Program, DeclaredEvent]:
    for program in programs:
        for declared in program.declared.events:
            if _subject(program, declared) == subject:
                return program, declared
    raise LookupError(f"No rule in force lets “{subject}” happen.")


def _subject(program: Program, declared: DeclaredEvent) -> str:
    return f"{program.key}.{declared.name}"


class _Appointments(Follower):
    """Makes what programs of the rules in force let happen, and cancels what none does any more."""

    def rules_changed(self, table: Table) -> None:
        appoint(table)


def appoint(table: Table) -> None:
    """Make the appointments of what programs let happen now, and cancel those that none lets."""
    declared_ones = {
        (KINDS[declared.every], _subject(program, declared))
        for program in _all_now(table)
        for declared in program.declared.events
    }
    appointed = table.appointments.subjects_by_kind(*KINDS.values())
    for kind, subject in sorted(appointed - declared_ones):
        table.appointments.cancel(kind, subject)
    for kind, subject in sorted(declared_ones - appointed):
        table.appointments.begin(kind, subject)


follow(_Appointments())
