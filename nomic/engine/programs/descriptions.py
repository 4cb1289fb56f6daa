"""The additions of rules' programs to a game, told to its players."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from nomic.engine.actions import all_actions
from nomic.engine.events import all_events
from nomic.engine.models import ProgramState
from nomic.engine.programs.additions import KINDS, price_in_words
from nomic.engine.programs.checking import ProgramProblems
from nomic.engine.programs.declarations import (
    DeclaredAction,
    DeclaredEvent,
    Hook,
    carried_in,
)
from nomic.engine.programs.hooks import all_decisions, all_happenings, is_open
from nomic.engine.programs.in_force import KeptState, Program, programs_of, states_beside_rules
from nomic.engine.programs.running import Failure
from nomic.engine.programs.sandbox import Problem
from nomic.engine.table import Table
from nomic.games.calendars import next_start
from nomic.rulebook.coverage.marks import SAID, is_quoted
from nomic.rulebook.passages import passages_of
from nomic.rulebook.phrases import formatted

_FEW = 6  # options that are told of a choice
_TAKEN = {"number": "a number", "text": "a text", "flag": "yes or no", "player": "a player"}


@dataclass(frozen=True, slots=True)
class PastFailure:
    """Something of a program that came to nothing: at the entry of that number, and why, as a
    sentence."""

    what: str
    entry: int
    sentence: str


@dataclass(frozen=True, slots=True)
class ProgramFault:
    """A fault of the program of a rule, as a sentence, and the line and the column of the rule's
    text where they are known."""

    rule: str
    sentence: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class ScheduledEvent(DeclaredEvent):
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
    appointments: list[ScheduledEvent] = field(default_factory=list)
    hooks: list[Hook] = field(default_factory=list)
    views: list[str] = field(default_factory=list)
    decisions: list[str] = field(default_factory=list)
    failures: list[PastFailure] = field(default_factory=list)
    astray: list[ProgramFault] = field(default_factory=list)
    together: list[str] = field(default_factory=list)
    problem: Problem | None = None

    def wrong(self, checked: ProgramProblems) -> list[ProgramFault]:
        """The faults of the program as it is written, by what was `checked`, and what is astray."""
        problem = self.problem or checked.problems.get(self.source)
        return [*([fault_of(self.rule, problem)] if problem else []), *self.astray]


def fault_of(rule: str, problem: Problem) -> ProgramFault:
    """The fault of a rule's program that has that problem."""
    sentence = f"The program of “{rule}” does not fit: {problem}"
    return ProgramFault(rule, sentence, *(problem.place or ()))


def fault_of_decision(failure: Failure) -> ProgramFault:
    """The fault of a program that decides what cannot be, at the line where it says so."""
    rule, decisions = failure.program.rule.title, failure.program.declared.decisions
    declared = next(hook for hook in decisions if hook.deciding == failure.called)
    sentence = f"Tried now, {declared.function} of “{rule}” fails: {failure.problem}"
    return ProgramFault(rule, sentence, *(failure.problem.place or declared.place))


def as_offered(action: DeclaredAction) -> str:
    """An action's sentence as its form will have it, with what its blanks take, and its price."""
    blanks: dict[str, str] = {}
    for blank in action.fields:
        options = " | ".join(map(str, blank.options[:_FEW]))
        ellipsis = " | …" if len(blank.options) > _FEW else ""
        takes = _TAKEN.get(blank.kind, options + ellipsis)
        if blank.default not in (None, False, ""):
            takes += f", else {blank.default}"
        blanks[blank.name] = f"[{blank.name}: {takes}]"
    named = {piece.name for piece in formatted(action.sentence) if not isinstance(piece, str)}
    parts = [action.sentence.format(**blanks)]
    if further := [text for name, text in blanks.items() if name not in named]:
        parts.append(f"with {', '.join(further)}")
    if action.price:
        parts.append(f"for {action.price}")
    return ", ".join(parts)


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
    wanted = [program for program in every if only in (None, program.rule.pk)]
    if not wanted:
        return []
    # Where several stand at the same thing: their rules, and a sentence with their order.
    places: dict[tuple[str, str], dict[str, None]] = {}
    for program in every:
        hooks = [(hook.when, hook.of) for hook in program.declared.hooks]
        decisions = [("", decision.of) for decision in program.declared.decisions]
        for place in hooks + decisions:
            places.setdefault(place, {})[program.rule.title] = None
    together: list[tuple[list[str], str]] = []
    for (when, of), titles in sorted(places.items(), reverse=True):
        first, *followers = [f"“{title}”" for title in titles]
        order = ", ".join([first, *followers])
        if followers and when:
            sentence = f"{when.capitalize()} {of} come, in this order: {order}."
            together.append((list(titles), sentence))
        elif followers:
            fallback = f"; {', '.join(followers)} does where what it decides does not fit."
            together.append((list(titles), f"{first} decides {of}{fallback}"))
    keys = [program.rule.pk for program in wanted]
    rows = {row.pk: row for row in ProgramState.objects.filter(pk__in=keys)}
    return [
        _additions_of(table, program, rows.get(program.rule.pk), together) for program in wanted
    ]


def added_beside(table: Table, programs: Sequence[Program]) -> list[Added]:
    """What these programs, which no rule carries, add to the game."""
    rows = states_beside_rules(table, programs)
    return [_additions_of(table, program, rows.get(program.rule.pk), ()) for program in programs]


def _additions_of(
    table: Table,
    program: Program,
    row: KeptState | None,
    together: Sequence[tuple[list[str], str]],
) -> Added:
    declared = program.declared
    return Added(
        program.rule.title,
        program.source,
        [
            (program.name(action.name), replace(action, price=price_in_words(table, action.price)))
            for action in declared.actions
        ],
        [
            ScheduledEvent(
                program.name(event.name),
                event.title,
                event.every,
                next_start(event.every, table.now),
            )
            for event in declared.events
        ],
        list(declared.hooks),
        [view.title for view in declared.views],
        [decision.of for decision in declared.decisions],
        [  # since the rule has the text that it has
            PastFailure(called, failure["entry"], failure["sentence"])
            for called, failure in sorted((row.failures if row else {}).items())
            if failure["version"] == program.rule.version
        ],
        [
            ProgramFault(
                program.rule.title, f"The program of “{program.rule.title}” {sentence}", *place
            )
            for sentence, *place in _astray(table, program)
        ],
        [sentence for titles, sentence in together if program.rule.title in titles],
        declared.problem,
    )


def hookable_names(table: Table) -> list[str]:
    """All that a program may run before or after: actions whose every act is public, events, and
    what programs of the rules as they are now add; and what happens within these, which it may run
    after."""
    acts = [act.name for act in all_actions() if is_open(act) and not act.absence(table)]
    events = [event.kind for event in all_events() if event.kind not in KINDS.values()]
    added_names = [
        program.name(name)
        for program in programs_of(table.rules.public)
        for name in (
            *(action.name for action in program.declared.actions),
            *(event.name for event in program.declared.events),
        )
    ]
    return [*acts, *events, *added_names, *(happening.name for happening in all_happenings())]


def _astray(table: Table, program: Program) -> Iterator[tuple[str, int] | tuple[str, int, int]]:
    """Each hook, decision or sentence that it says it carries out which is about something that
    there is not: as words behind “the program”, with the line and perhaps the column."""
    hooks, decisions = program.declared.hooks, program.declared.decisions
    hookable = set(hookable_names(table)) if hooks else set()
    within = {happening.name for happening in all_happenings()}
    for hook in hooks:
        if hook.of not in hookable or (hook.when == "before" and hook.of in within):
            yield (
                f"is to run {hook.when} {hook.of}, which is nothing that a program may run"
                f" {hook.when} in this game (line {hook.place[0]}).",
                *hook.place,
            )
    published = {decision.name: decision for decision in all_decisions()}
    for decision in decisions:
        line = decision.place[0]
        if decision.of not in published:
            yield f"decides {decision.of}, which no program decides (line {line}).", *decision.place
        elif odd := sorted(set(decision.takes) - published[decision.of].takes.keys()):
            takes = ", ".join(published[decision.of].takes) or "nothing"
            needs = f"takes {odd[0]} to decide {decision.of}"
            yield f"{needs}: it is given {takes} (line {line}).", *decision.place
    passages = passages_of(program.rule.text)
    sentences = [passage.text for passage in passages if passage.kind in SAID]
    for line, words in carried_in(program.source):
        if not any(is_quoted(words, sentence) for sentence in sentences):
            yield f"carries out “{words}”, which is no sentence of the rule (line {line}).", line
