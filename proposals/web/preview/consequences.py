"""Consequences of a list of changes beyond the changes themselves, told by before and after, and by
trials of what programs of rules add, on a copy of the game, before anybody votes on it.

What goes by itself throws dice there that are none of the game's: what they show tells nothing.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import pairwise

from nomic.engine.coverage import Unfitted, unfitted, version_of
from nomic.engine.dry_run import Covered, scratch_dice
from nomic.engine.events import find_event
from nomic.engine.programs.additions import KINDS
from nomic.engine.programs.declarations import PERIODS, DeclaredEvent
from nomic.engine.programs.descriptions import Added, ProgramFault, added_by, as_offered
from nomic.engine.programs.hooks import try_out
from nomic.engine.programs.host_functions import size_of
from nomic.engine.programs.in_force import Program, programs_now
from nomic.engine.programs.running import Programs, programs_at, quoted
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.rule_switches import rule_switches
from nomic.engine.subgames import Rulemaking, all_subgames, passage_notes, switched_off
from nomic.engine.table import Table
from nomic.governance.powers import unread
from nomic.governance.rulebook_keeping import claim_sentences, new_passages, unplayed_sentences
from nomic.rulebook.changes.kinds import Repeal, ReplacePassage, ReplaceText
from nomic.rulebook.charts import cut, unless_broken
from nomic.rulebook.passages import fingerprint, passages_of
from nomic.rulebook.rendering.markdown import tables_in_code
from nomic.rulebook.tables import is_markdown_head, is_ruler
from nomic.web.templatetags.moments import moment, span
from proposals.events.effects import Effect
from proposals.events.opening import Earliest, earliest
from proposals.rules.words import names_in_words
from proposals.state.laws import LawFacts
from proposals.state.reading import MAIN, State

_AN_EVENT = 6_000  # bytes of its entry and appointment in the database, whatever happens
LEAST = 0.25  # seconds for which trials go on, however long all before them took
_SIZES = ((10**6, "MB"), (10**3, "kB"))


@dataclass(frozen=True, slots=True)
class EventCost:
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
        amounts = f"{_cost_in_words(self.rolls, self.moves, self.size)}, {self.milliseconds} ms"
        return f"“{self.title}” of “{self.rule}”, each {self.every}: {amounts}."


@dataclass(frozen=True, slots=True)
class Trials:
    """The faults, the costs of appointments that had none, and how many things were not tried,
    since that would have taken too long. `tried` are rules' titles with their functions."""

    faults: tuple[ProgramFault, ...] = ()
    costs: tuple[EventCost, ...] = ()
    untried: int = 0
    tried: frozenset[tuple[str, str]] = frozenset()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The costs as sentences: first of all that happens each day, each week, each month."""
        of_period: defaultdict[str, list[EventCost]] = defaultdict(list)
        for cost in self.costs:
            of_period[cost.every].append(cost)
        sums = []
        for period in PERIODS:
            costs = of_period[period]
            if costs:
                amounts = _cost_in_words(
                    sum(cost.rolls for cost in costs),
                    sum(cost.moves for cost in costs),
                    sum(cost.size for cost in costs),
                )
                events = f"{len(costs)} event{'s' if len(costs) > 1 else ''}"
                sums.append(f"All that this lets happen each {period}: {events}, {amounts}.")
        rest = f"{self.untried:,} more of what programs add took too long to be tried here."
        return (*sums, *([rest] if self.untried else ()), *map(str, self.costs))


NOTHING_TRIED = Trials()


class _Undone(Exception):
    """Raised when enough has been seen, to undo what led to it."""


def trials(
    table: Table, unchanged: Iterable[Added], is_up: Callable[[], bool], before: Trials
) -> Trials:
    """The trials of programs that are not among the `unchanged`, at an imagined table: of what goes
    by itself, views, and decisions, until the time `is_up`. Those tried `before` are not tried
    again."""
    sources = {added.rule: added.source for added in unchanged}
    faults, costs, tried = list(before.faults), list(before.costs), set(before.tried)
    untried = 0
    for program in Programs(table).all:
        if sources.get(program.rule.title) == program.source:
            continue
        for function, attempt in _attempts(table, program, costs):
            part = program.rule.title, function
            if part in tried:
                continue
            if is_up():
                untried += 1
                continue
            tried.add(part)
            try:
                with suppress(Covered):
                    attempt()
            except ProgramWrong as wrong:
                rule, problem = program.rule.title, wrong.problem
                sentence = f"Tried now, {function} of “{rule}” fails: {problem}"
                faults.append(ProgramFault(rule, sentence, *(problem.place or ())))
    return Trials(tuple(faults), tuple(costs), untried, frozenset(tried))


def _attempts(
    table: Table, program: Program, costs: list[EventCost]
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each thing that is tried, by its function; each happens by itself, with all of its bounds."""
    for event in program.declared.events:
        yield event.name, partial(_happens, table, program, event, costs)
    for view in program.declared.views:
        look = partial(Programs(table).call, program, view.function, "trial", {}, looks=True)
        yield view.function, look
    for decision in program.declared.decisions:
        yield decision.function, partial(try_out, table, program, decision)


def _happens(table: Table, program: Program, event: DeclaredEvent, costs: list[EventCost]) -> None:
    """Let it happen and undo it, and note what it cost. Raises ProgramWrong."""
    programs, began = Programs(table), time.perf_counter()
    with scratch_dice(table):
        done = programs.call(program, event.name, "trial", {})
        if done.refused:
            refused = quoted(done.refused)
            raise ProgramWrong(Problem(f"What happens by itself cannot be refused: {refused}"))
        with suppress(_Undone), table.tentatively():
            programs.keep(program, "trial", done)
            raise _Undone
    took, size = round(1000 * (time.perf_counter() - began)), _AN_EVENT + size_of(done)
    costs.append(
        EventCost(
            event.title,
            program.rule.title,
            event.every,
            done.rolls,
            len(done.moves),
            size,
            milliseconds=took,
        )
    )


def _cost_in_words(rolls: int, moves: int, size: int) -> str:
    unit_size, unit = next((scale for scale in _SIZES if size >= scale[0]), _SIZES[-1])
    parts = [(rolls, "roll"), (moves, "movement")]
    amounts = [f"{many:,} {noun}{'s' if many > 1 else ''}" for many, noun in parts if many]
    return ", ".join([*amounts, f"{size / unit_size:.1f} {unit}"])


_MOST_OFF = 10
_MOST_LOSSES = 5


@dataclass(frozen=True, slots=True)
class Consequence:
    """A sentence, and the game moments that go with it, where it has any."""

    sentence: str
    due: datetime | None = None
    instead_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProgramPart:
    """A part that a program adds: a name of its kind (actions, appointments, hooks, decisions,
    views), and when it happens next if it happens by itself."""

    kind: str
    name: str
    due: datetime | None = None


@dataclass(frozen=True)
class MachineryState:
    """The public state of a game's machinery, as far as changes of its rules can move it.

    `on` are the subgames in play; `broken` is what is wrong with the tables that each plays by,
    `unread` the rules that are played as of an earlier version, each with that in force, `off` what
    no rule says any more; `switches` are those that rules declare, with a sentence of each;
    `alike` are titles of rules that the eye takes for one another,
    `programs` what those of the rules add, `tried` what became of that when it was tried,
    `unfitted` what the program does not carry out as it reads, `claimed` what programs of rules say
    they carry out, and `keeper` is the office that keeps the former by hand, "" for none. `next` is
    when the next proposal could at the earliest be adopted, `law` what binds a vote that opens, and
    `open_votes` how many are open.
    """

    on: frozenset[str]
    offices: frozenset[str]
    currencies: frozenset[str]
    appointments: dict[tuple[str, str], datetime]
    broken: dict[str, str]
    alike: frozenset[tuple[str, ...]] = frozenset()
    programs: tuple[Added, ...] = ()
    tried: Trials = NOTHING_TRIED
    unfitted: tuple[Unfitted, ...] = ()
    claimed: tuple[Unfitted, ...] = ()
    unread: tuple[tuple[str, int], ...] = ()
    off: tuple[str, ...] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    keeper: str = ""
    next: Earliest | None = None
    law: LawFacts = field(default_factory=dict)
    open_votes: int = 0


def standing(table: Table) -> MachineryState:
    """How the game stands at that table, by the programs of its rules as they are now. Nothing
    private is in it."""
    with programs_at(table).supposing(programs_now(table)):
        return _standing(table)


def _standing(table: Table) -> MachineryState:
    rules, state = table.rules, State(table)
    votes = bool(table.game.edition) and rules.in_force(MAIN)
    on = [subgame for subgame in all_subgames() if subgame.is_on(table.game)]
    passages = tuple(unfitted(table, subgames=on, claims=True))
    unplayed = [*unread(table), *(rule for subgame in on for rule in subgame.unread(table))]
    waiting = table.game.appointments.waiting().filter(hidden=False)
    waiting = waiting.exclude(kind__in=KINDS.values())
    return MachineryState(
        on=frozenset(subgame.name for subgame in on),
        offices=frozenset(table.game.offices.values_list("name", flat=True)),
        currencies=frozenset(
            table.game.assets.filter(visibility="public", kind="currency").values_list(
                "plural", flat=True
            )
        ),
        appointments={
            # Of several of one subject the next one, which comes last.
            (appointment.kind, appointment.subject): appointment.due
            for appointment in waiting.order_by("-due")
        },
        broken={subgame.name: subgame.broken(table) for subgame in on if not subgame.unread(table)},
        unread=tuple((str(rule), version_of(rules, rule)) for rule in unplayed),
        switches={switch.name: switch.about for switch in rule_switches(table).by_key.values()},
        off=tuple(sentence for subgame in on for sentence in switched_off(subgame, table)),
        alike=frozenset(rules.look_alikes()),
        programs=tuple(added_by(table)),
        next=earliest(state),
        law=unless_broken(state.law_now, {}) if votes else {},
        open_votes=state.counts["open"] if votes else 0,
        unfitted=tuple(passage for passage in passages if passage.marked.is_unfitted),
        claimed=tuple(passage for passage in passages if not passage.marked.is_unfitted),
        keeper=next(
            (
                subgame.keeps_the_rulebook(table.game)
                for subgame in on
                if isinstance(subgame, Rulemaking)
            ),
            "",
        ),
    )


def follows(before: MachineryState, after: MachineryState) -> Iterator[Consequence]:
    """The things that begin, end, appear and move, each as a sentence."""
    subgames = {subgame.name: subgame for subgame in all_subgames()}
    for name in sorted(after.on - before.on):
        yield Consequence(f"{subgames[name].title} begin.")
    for name in sorted(before.on - after.on):
        yield Consequence(f"{subgames[name].title} end: a rule that they need is in force no more.")
    for name in sorted(after.offices - before.offices):
        yield Consequence(f"There is an office “{name}”, vacant at first.")
    for plural in sorted(after.currencies - before.currencies):
        yield Consequence(f"{plural[:1].upper()}{plural[1:]} can be owned.")
    for name in sorted(after.switches.keys() - before.switches.keys()):
        yield Consequence(after.switches[name])
    for name in sorted(before.switches.keys() - after.switches.keys()):
        yield Consequence(f"The switch {name} is off. How it stood is kept, should it come back.")
    earlier, due = before.appointments, after.appointments
    for kind, subject in sorted(due.keys() - earlier.keys()):
        yield Consequence(f"“{_title(kind)}” is appointed", due[kind, subject])
    for place in sorted(earlier.keys() & due.keys()):
        if earlier[place] != due[place]:
            yield Consequence(f"“{_title(place[0])}” moves", due[place], earlier[place])
    for kind in sorted({kind for kind, _ in earlier} - {kind for kind, _ in due}):
        yield Consequence(f"“{_title(kind)}” does not happen any more.")
    # The parts that come and go with programs of rules.
    parts_before, parts_after = _parts(before.programs), _parts(after.programs)
    for sentence in sorted(parts_after.keys() - parts_before.keys()):
        at = parts_after[sentence].due
        yield Consequence(f"{sentence} is added{'' if at else '.'}", at)
    for sentence in sorted(parts_before.keys() - parts_after.keys()):
        yield Consequence(f"{sentence} goes.")
    yield from map(Consequence, _law_sentences(before.law, after.law, after.open_votes))
    # In which order programs come that stand at the same thing.
    orders = {sentence for added in before.programs for sentence in added.together}
    ordered = {sentence for added in after.programs for sentence in added.together}
    yield from map(Consequence, sorted(ordered - orders))
    yield from map(Consequence, claim_sentences(new_passages(before.claimed, after.claimed)))


def _law_sentences(before: LawFacts, after: LawFacts, open_votes: int) -> Iterator[str]:
    """What votes that open afterwards have otherwise, by tables, sentences and programs."""
    words, voters, strengths = (
        after.get(part) if after.get(part) != before.get(part) else None
        for part in ("words", "voters", "strengths")
    )
    quorum = after.get("quorum")
    sentences = []
    if words and before:
        counts = [f"{word}, which counts as {meant or 'nothing'}" for word, meant in words]
        sentences.append(f"the words are {'; '.join(counts)}")
    if voters:
        sentences.append(f"{names_in_words(voters)} may vote, and nobody else")
    if strengths:
        others = [f"{name} {strength}" for name, strength in strengths.items()]
        sentences.append(
            f"voting strengths are {names_in_words(others)}, and those of others usual"
        )
    if quorum and quorum != before.get("quorum"):
        sentences.append(f"a rule's program lets a proposal need {quorum}")
    yield from (f"In votes that open after it {sentence}." for sentence in sentences)
    if sentences and open_votes:
        yield "Votes that are open by then are counted by what was in force as they opened."


def _parts(programs: tuple[Added, ...]) -> dict[str, ProgramPart]:
    """Each thing that programs add, by words for it."""
    parts: dict[str, ProgramPart] = {}
    for added in programs:
        by = f"by “{added.rule}”"
        for name, action in added.actions:
            words = f"The action “{action.title}” ({as_offered(action)}) {by}"
            parts[words] = ProgramPart("actions", name)
        for coming in added.appointments:
            words = f"“{coming.title}” each {coming.every} {by}"
            parts[words] = ProgramPart("appointments", coming.name, coming.due)
        for hook in added.hooks:
            occasion = f"{hook.when} {hook.of}"
            parts[f"What happens {occasion} ({hook.function}) {by}"] = ProgramPart(
                "hooks", occasion
            )
        for of in added.decisions:
            parts[f"The decision of {of} {by}"] = ProgramPart("decisions", of)
        for title in added.views:
            parts[f"The view “{title}” {by}"] = ProgramPart("views", title)
    return parts


def adds(before: MachineryState, after: MachineryState) -> tuple[ProgramPart, ...]:
    """The parts that programs would add that were not there, or not so."""
    earlier = _parts(before.programs)
    return tuple(part for words, part in _parts(after.programs).items() if words not in earlier)


def new_programs(before: MachineryState, after: MachineryState) -> list[Added]:
    """The programs that were not there, or not so."""
    sources = {added.rule: added.source for added in before.programs}
    return [added for added in after.programs if sources.get(added.rule) != added.source]


def breakages(before: MachineryState, after: MachineryState) -> list[str]:
    """Sentences on all that the machinery could not play by any more, or players would mistake."""
    mistaken = [
        f"After it these are titles of different rules, told apart by letters that look alike:"
        f" {', '.join(f'“{title}”' for title in titles)}."
        for titles in sorted(after.alike - before.alike)
    ]
    # Of a rule that is amended while it cannot be read it is told again: that is not played either.
    unread = [f"After it {rule[0]}" for rule in after.unread if rule not in before.unread]
    off = [f"After it this is off: {reason}" for reason in after.off if reason not in before.off]
    later = []
    if before.next and after.next and after.next.is_much_later_than(before.next):
        sentence = f"After it no proposal could be adopted any more. {after.next.never}"
        if after.next.due is not None:
            sentence = (
                f"After it the next proposal could be adopted on {moment(after.next.due)} at the"
                f" earliest, {_from_now(after.next)}; as it is, {_from_now(before.next)}."
            )
        later.append(sentence)
    waiting = [
        f"After it a part of the game would wait until the text is mended: {sentence}"
        for name, sentence in after.broken.items()
        if sentence and sentence != before.broken.get(name)
    ]
    unfitted_now = unplayed_sentences(new_passages(before.unfitted, after.unfitted), after.keeper)
    return [*later, *mistaken, *unfitted_now, *unread, *off[:_MOST_OFF], *waiting]


def unreadable(before: MachineryState, after: MachineryState) -> tuple[str, ...]:
    """Those of these sentences that tell what of the rules could not be read any more."""
    return tuple(rule[0] for rule in after.unread if rule not in before.unread)


def _from_now(adoption: Earliest) -> str:
    seconds = int(adoption.wait.total_seconds())
    return f"{span(seconds)} from now" if seconds else "at once"


def _title(kind: str) -> str:
    try:
        return find_event(kind).title
    except LookupError:
        return kind


# What would be lost without a fault


def losses(table: Table, effects: Iterable[Effect], after: MachineryState) -> list[str]:
    """A sentence for each rule of a subgame in play that would be repealed, or lose its tables
    without saying in words that the program reads what they said.

    `table` has the rulebook as it is without the effects, `after` is how the game stands with them.
    """
    touched = {effect.rule: effect for effect in effects if _takes_away(effect)}
    if not touched:
        return []
    played = [subgame.name for subgame in all_subgames() if subgame.is_on(table.game)]
    rules = table.game.rules.filter(repealed_in=None, visibility="public", origin__in=played)
    titles = rules.filter(title__in=touched).order_by("position").values_list("title", flat=True)
    sentences = []
    for title in titles[:_MOST_LOSSES]:
        if isinstance(touched[title].change, Repeal):
            sentences.append(f"Without the rule “{title}”, what it makes possible would be off.")
        elif any(unread.startswith(f"“{title}” is ") for unread, _ in after.unread):
            sentences.append(
                f"The text of “{title}” has no table any more: what no sentence of it says in words"
                " that the program reads would be off, or go on as of the version before."
            )
    return sentences


_MOST_READ = 10


def read_sentences(table: Table, effects: Iterable[Effect]) -> list[str]:
    """A sentence for each passage that a case has read, of rules that would change: how it was
    read, and whether it would stand no more, which ends that."""
    carried_out = [effect for effect in effects if effect.done]
    # A change of several rules at once tells the text of one of them alone.
    texts = {
        effect.touched[0]: effect.after for effect in carried_out if len(set(effect.touched)) == 1
    }
    keys = {pk for effect in carried_out for pk in effect.touched}
    sentences = []
    for note in passage_notes(table, keys) if keys else ():
        if note.has_ended:
            continue
        ends = ""
        if note.rule in texts:
            stand = {fingerprint(passage.text) for passage in passages_of(texts[note.rule])}
            ends = "" if note.key in stand else " It would change, and the mark at it would end."
        sentences.append(f"“{cut(note.passage, 200)}” – {note.text}{ends}")
    return sentences[:_MOST_READ]


_LONGEST_HEADING = 80
_MOST_CODE = 5


def code_tables(effects: Iterable[Effect]) -> list[str]:
    """A sentence for each table that a rule would have and its page would draw as code."""
    texts = {effect.rule: effect for effect in effects if effect.done and effect.rule}
    return [
        f"The table “{cut(heading, _LONGEST_HEADING)}” in “{rule}” is indented by four columns or"
        " more: that is code in Markdown, and the rule's page does not show it as a table."
        for rule, effect in texts.items()
        for heading in tables_in_code(effect.after)
        if heading not in tables_in_code(effect.before)
    ][:_MOST_CODE]


def _takes_away(effect: Effect) -> bool:
    if not effect.done:
        return False
    if isinstance(effect.change, Repeal):
        return True
    if not isinstance(effect.change, ReplaceText | ReplacePassage):
        return False
    had_one = any(is_markdown_head(*two) for two in pairwise(effect.before.splitlines()))
    lines = effect.after.splitlines()
    return had_one and not any(is_ruler(line) or line.startswith("{|") for line in lines)
