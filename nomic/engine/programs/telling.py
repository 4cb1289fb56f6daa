"""The additions of rules' programs to a game, told to its players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from nomic.engine.actions import all_actions
from nomic.engine.events import all_events
from nomic.engine.models import ProgramState
from nomic.engine.programs.additions import KINDS, counted
from nomic.engine.programs.checking import Checked
from nomic.engine.programs.declarations import (
    DeclaredAction,
    DeclaredEvent,
    Hook,
    carried_in,
)
from nomic.engine.programs.hooks import all_decisions, all_happenings, is_open
from nomic.engine.programs.programs import Program, programs_of
from nomic.engine.programs.sandbox import Problem
from nomic.engine.table import Table
from nomic.games.calendars import next_start
from nomic.rulebook.fitting.marks import SAID, is_quoted
from nomic.rulebook.passages import passages_of
from nomic.rulebook.phrases import formatted

_FEW = 6  # options that are told of a choice
_TAKEN = {"number": "a number", "text": "a text", "flag": "yes or no", "player": "a player"}


@dataclass(frozen=True, slots=True)
class Failure:
    """Something of a program that came to nothing: at the entry of that number, and why, as a
    sentence."""

    what: str
    entry: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the program of a rule, as a sentence, and the line and the column of the rule's
    text where they are known."""

    rule: str
    sentence: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Coming(DeclaredEvent):
    """An event of a program, and the game moment when it happens next."""

    due: datetime


@dataclass(frozen=True)
class Added:
    """The additions of one rule's program. `problem` is why it adds nothing at all; what is
    `astray` is about something that there is not, in the game or in the rule; `together` says in
    which order its program and those of other rules come where they stand at the same thing."""

    rule: str
    source: str
    actions: list[tuple[str, DeclaredAction]] = field(default_factory=list)
    appointments: list[Coming] = field(default_factory=list)
    hooks: list[Hook] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    astray: list[Fault] = field(default_factory=list)
    together: list[str] = field(default_factory=list)
    problem: Problem | None = None

    def wrong(self, checked: Checked) -> list[Fault]:
        """The faults of the program as it is written, by what was `checked`, and what is astray."""
        found = self.problem or checked.found.get(self.source)
        return [*([unfit(self.rule, found)] if found else []), *self.astray]


def unfit(rule: str, found: Problem) -> Fault:
    """The fault of a rule's program that has that problem."""
    sentence = f"The program of “{rule}” does not fit: {found}"
    return Fault(rule, sentence, *(found.place or ()))


def as_offered(action: DeclaredAction) -> str:
    """An action's sentence as its form will have it, with what its blanks take, and its price."""
    blanks: dict[str, str] = {}
    for blank in action.fields:
        options = " | ".join(map(str, blank.options[:_FEW]))
        more = " | …" if len(blank.options) > _FEW else ""
        takes = _TAKEN.get(blank.kind, options + more)
        if blank.default not in (None, False, ""):
            takes += f", else {blank.default}"
        blanks[blank.name] = f"[{blank.name}: {takes}]"
    named = {each.name for each in formatted(action.sentence) if not isinstance(each, str)}
    told = [action.sentence.format(**blanks)]
    if further := [text for name, text in blanks.items() if name not in named]:
        told.append(f"with {', '.join(further)}")
    if action.price:
        told.append(f"for {action.price}")
    return ", ".join(told)


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """A rule of whose program nothing runs, since the entry of that number, which says why."""

    rule: str
    entry: int
    text: str


def switched_off(table: Table, only: int | None = None) -> list[SwitchedOff]:
    """The public rules in force whose programs are switched off."""
    off = [rule for rule in table.rules.public if rule.switched_off and only in (None, rule.pk)]
    entries = table.game.entries.filter(seq__in=[rule.switched_off for rule in off]) if off else ()
    texts = {entry.seq: entry.text for entry in entries}
    return [
        SwitchedOff(rule.title, rule.switched_off, texts.get(rule.switched_off, "")) for rule in off
    ]


def added(table: Table, rule: int) -> Added | None:
    """The additions by the program of that rule in force; None where it has none."""
    return next(iter(added_by(table, only=rule)), None)


def added_by(table: Table, only: int | None = None) -> list[Added]:
    """The additions by the programs of the rules in force, in the order in which these are
    called."""
    every = programs_of(table.rules.public)
    found = [each for each in every if only in (None, each.rule.pk)]
    if not found:
        return []
    # Where several stand at the same thing: their rules, and a sentence with their order.
    places: dict[tuple[str, str], dict[str, None]] = {}
    for program in every:
        hooks = [(each.when, each.of) for each in program.declared.hooks]
        for place in [*hooks, *(("", each.of) for each in program.declared.decisions)]:
            places.setdefault(place, {})[program.rule.title] = None
    together: list[tuple[list[str], str]] = []
    for (when, of), titles in sorted(places.items(), reverse=True):
        first, *others = [f"“{title}”" for title in titles]
        order = ", ".join([first, *others])
        if others and when:
            said = f"{when.capitalize()} {of} come, in this order: {order}."
            together.append((list(titles), said))
        elif others:
            then = f"; {', '.join(others)} does where what it decides does not fit."
            together.append((list(titles), f"{first} decides {of}{then}"))
    keys = [program.rule.pk for program in found]
    rows = {row.pk: row for row in ProgramState.objects.filter(pk__in=keys)}
    return [_added(table, program, rows.get(program.rule.pk), together) for program in found]


def _added(
    table: Table,
    program: Program,
    row: ProgramState | None,
    together: Sequence[tuple[list[str], str]],
) -> Added:
    declared = program.declared
    return Added(
        program.rule.title,
        program.source,
        [
            (program.name(each.name), replace(each, price=counted(table, each.price)))
            for each in declared.actions
        ],
        [
            Coming(
                program.name(each.name), each.title, each.every, next_start(each.every, table.now)
            )
            for each in declared.events
        ],
        list(declared.hooks),
        [each.title for each in declared.views],
        [each.of for each in declared.decisions],
        [  # since the rule has the text that it has
            Failure(what, each["entry"], each["sentence"])
            for what, each in sorted((row.failures if row else {}).items())
            if each["version"] == program.rule.version
        ],
        [
            Fault(program.rule.title, f"The program of “{program.rule.title}” {what}", *place)
            for what, *place in _astray(table, program)
        ],
        [sentence for titles, sentence in together if program.rule.title in titles],
        declared.problem,
    )


def hooked(table: Table) -> list[str]:
    """All that a program may run before or after: actions whose every act is public, events, and
    what programs of rules add; and what happens within these, which it may run after."""
    acts = [act.name for act in all_actions(table) if is_open(act) and act.applies(table)]
    events = [event.kind for event in all_events() if event.kind not in KINDS.values()]
    own = [
        program.name(each.name)
        for program in programs_of(table.rules.public)
        for each in program.declared.events
    ]
    return [*acts, *events, *own, *(each.name for each in all_happenings())]


def _astray(table: Table, program: Program) -> Iterator[tuple[str, int] | tuple[str, int, int]]:
    """Each hook, decision or sentence that it says it carries out which is about something that
    there is not: as words behind “the program”, with the line and perhaps the column."""
    hooks, decisions = program.declared.hooks, program.declared.decisions
    known = set(hooked(table)) if hooks else set()
    within = {each.name for each in all_happenings()}
    for hook in hooks:
        if hook.of not in known or (hook.when == "before" and hook.of in within):
            yield (
                f"is to run {hook.when} {hook.of}, which is nothing that a program may run"
                f" {hook.when} in this game (line {hook.place[0]}).",
                *hook.place,
            )
    published = {each.name: each for each in all_decisions()}
    for each in decisions:
        line = each.place[0]
        if each.of not in published:
            yield f"decides {each.of}, which no program decides (line {line}).", *each.place
        elif odd := sorted(set(each.takes) - published[each.of].takes.keys()):
            takes = ", ".join(published[each.of].takes) or "nothing"
            told = f"takes {odd[0]} to decide {each.of}: it is given {takes} (line {line})."
            yield told, *each.place
    said = [each.text for each in passages_of(program.rule.text) if each.kind in SAID]
    for line, words in carried_in(program.source):
        if not any(is_quoted(words, each) for each in said):
            yield f"carries out “{words}”, which is no sentence of the rule (line {line}).", line
