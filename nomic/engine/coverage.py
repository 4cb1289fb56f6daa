"""Which passages of a game's rules the program carries out, and which it does not as they read.

What officers have switched off, since its sentence reads otherwise now, is refused or skipped.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import Subgame, all_subgames, in_play, rulebook_keeper
from nomic.engine.table import Follower, Table, follow
from nomic.games.refusal import Refusal
from nomic.rulebook.book import Rulebook
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import (
    CarriedProgram,
    Machinery,
    Mark,
    MarkedPassage,
    PassageMarks,
    marks_of,
    with_new_prose,
)
from nomic.rulebook.coverage.rows import Columns, rows_under
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.last_readable import Unread


@dataclass(frozen=True, slots=True)
class TablePlayed:
    """A table by which the program plays in whatever rule it stands, by its columns, and whether it
    can be read as it stands."""

    columns: Columns
    is_read: bool


PLAYERS = "players"  # stands in an entry as who keeps something, where no office does
_MOST_TOLD, _LONGEST_TOLD = 3, 160
_MOST_KEPT = 100
_OF_ALL_GAMES: list[Path] = []
_READ_PROGRAMS: list[Callable[[Table, RuleText], CarriedProgram | None]] = []
_PLAYED_TABLES: list[Callable[[Rulebook, RuleText], TablePlayed | None]] = []
_UNREAD_TABLES: list[Callable[[Table], Iterable[Unread]]] = []
_READ_TABLES: list[Callable[[Iterable[RuleText], RuleText], Iterable[Columns]]] = []


def know(folder: Path) -> None:
    """Let every game be played by what the list in that folder says of the rules there."""
    _OF_ALL_GAMES.append(folder)


def read_programs(read: Callable[[Table, RuleText], CarriedProgram | None]) -> None:
    """Ask this for the program that a rule carries."""
    _READ_PROGRAMS.append(read)


def play_tables(read: Callable[[Rulebook, RuleText], TablePlayed | None]) -> None:
    """Ask this for a table of a rule among these by which the program plays."""
    _PLAYED_TABLES.append(read)


def unread_tables(table: Table) -> Iterator[Unread]:
    """What is wrong with such tables as the rules read at that table."""
    for read in _UNREAD_TABLES:
        yield from read(table)


def tell_unread(read: Callable[[Table], Iterable[Unread]]) -> None:
    """Ask this for what is wrong with tables by which the program plays in whatever rule."""
    _UNREAD_TABLES.append(read)


def version_of(rules: Rulebook, fault: Unread) -> int:
    """The version of the rule that has this fault, 0 where it is not in force."""
    if fault.pk:
        return rules.find(fault.pk).version
    return rules.find(fault.rule).version if rules.in_force(fault.rule) else 0


def read_tables(read: Callable[[Iterable[RuleText], RuleText], Iterable[Columns]]) -> None:
    """Ask this for the columns of a rule's tables that programs of these rules look up."""
    _READ_TABLES.append(read)


@dataclass(frozen=True, slots=True)
class Unfitted:
    """A passage that is not carried out as it reads, or is gone and carried out still; or one of
    which its rule's program claims that it carries it out."""

    rule: RuleText
    marked: MarkedPassage

    @property
    def name(self) -> str:
        """Its words, or the beginning of them: what it is called in its rule."""
        if self.marked.passage is None:
            return f"a sentence that does not stand there any more ({self.marked.key})"
        sentence = self.marked.passage.said
        return sentence if len(sentence) <= _LONGEST_TOLD else f"{sentence[: _LONGEST_TOLD - 1]}…"

    @property
    def key(self) -> tuple[int, str]:
        """What it is known by while its rule and its words stay."""
        return self.rule.pk, self.marked.key

    @property
    def quoted(self) -> str:
        """How a sentence of the record names it."""
        if self.marked.passage is None:
            return f"in “{self.rule.title}”, a sentence that does not stand there any more"
        return f"in “{self.rule.title}”, “{self.name}”"


def machinery_of(
    table: Table, rules: Rulebook, rule: RuleText, subgames: Iterable[Subgame]
) -> Machinery | None:
    """The program's knowledge of that rule; None where it plays by no rule of that title."""
    titles = [rule.title]
    if rule.known_as and rules.find(rule.known_as).pk == rule.pk:
        titles.append(rule.known_as)
    for title in titles:
        for subgame in subgames:
            machinery = subgame.machinery(table, title)
            if machinery is not None:
                return machinery
        for folder in _OF_ALL_GAMES:
            if name_key(title) in machinery_in(folder):
                return machinery_in(folder)[name_key(title)]
    return None


def rule_marks(
    table: Table,
    rule: RuleText,
    *,
    rules: Rulebook | None = None,
    subgames: Iterable[Subgame] | None = None,
) -> PassageMarks:
    """Who carries out each passage of a rule in force, by the subgames that are in play."""
    playing = in_play(table.game) if subgames is None else subgames
    rules = rules or table.rules
    return _with_tables(_marks_by(table, rule, rules, playing), rule, rules)


def _with_tables(marks: PassageMarks, rule: RuleText, rules: Rulebook) -> PassageMarks:
    """The marks with those of the rows by which the program plays in whatever rule they stand."""
    for read in _PLAYED_TABLES:
        played = read(rules, rule)
        if played is None:
            continue
        columns = played.columns if played.is_read else played.columns[:1]
        mark = Mark.TABLE if played.is_read else Mark.UNREAD
        places = rows_under(rule.text, [columns])
        marks = replace(
            marks,
            passages=tuple(
                replace(marked, mark=mark, settled=None) if place in places else marked
                for place, marked in enumerate(marks.passages)
            ),
        )
    return marks


def _marks_by(
    table: Table, rule: RuleText, rules: Rulebook, playing: Iterable[Subgame]
) -> PassageMarks:
    machinery = None
    if not rule.by_people:
        machinery = machinery_of(table, rules, rule, playing)
    program = _program_of(table, rule)
    marks = marks_of(rule.text, machinery, rule.settled, program)
    if rule.by_people or (machinery is not None and machinery.fitted):
        return marks
    # What came into a rule waits for who keeps it, but not in rules that an app brought.
    if machinery is None and rule.origin and not rule.began_as:
        return marks
    rows = partial(_rows_read, rule, rules)
    updated = with_new_prose(marks, rule.text, rule.began_as, rule.settled, rows)
    return _with_program_off(table, rule, marks, updated) if rule.switched_off else updated


def _with_program_off(
    table: Table, rule: RuleText, marks: PassageMarks, updated: PassageMarks
) -> PassageMarks:
    """The updated marks, but those of before for what the rule's program would do if it were on:
    that nobody does it is said where the program was switched off."""
    program_when_on = _program_of(table, replace(rule, switched_off=0))
    marks_when_on = marks_of(rule.text, None, None, program_when_on).passages
    alternatives = zip(updated.passages, marks.passages, marks_when_on, strict=True)
    by_program = (Mark.PROGRAM, Mark.CLAIMED)
    passages = (
        before if when_on.mark in by_program else now for now, before, when_on in alternatives
    )
    return replace(updated, passages=tuple(passages))


def _rows_read(rule: RuleText, rules: Rulebook) -> Collection[int]:
    """The places of the rows that programs claim to carry out: those of the tables that they look
    up."""
    columns = (
        columns_of_table for read in _READ_TABLES for columns_of_table in read(rules.public, rule)
    )
    return rows_under(rule.text, columns)


def _program_of(table: Table, rule: RuleText) -> CarriedProgram | None:
    """The program that the rule carries, where it is on."""
    return next(filter(None, (read(table, rule) for read in _READ_PROGRAMS)), None)


def unfitted(
    table: Table,
    subgames: Iterable[Subgame] | None = None,
    *,
    rules: Rulebook | None = None,
    only: Iterable[RuleText] | None = None,
    claims: bool = False,
) -> Iterator[Unfitted]:
    """The passages of the public rules, or `only` of these, that are not carried out as they read,
    in the rulebook's order; with `claims` those that programs claim to carry out as well."""
    rules = rules or table.rules
    playing = list(in_play(table.game) if subgames is None else subgames)
    for rule in rules.public if only is None else only:
        marks = rule_marks(table, rule, rules=rules, subgames=playing)
        yield from (Unfitted(rule, marked) for marked in marks.unfitted)
        if claims:
            yield from (Unfitted(rule, marked) for marked in marks.claimed)


def kept_by_hand(table: Table, part: str) -> Refusal | None:
    """Why that action or event does not happen: an officer keeps by hand what its rule says."""
    return table.once(_all_kept_by_hand).get(part)


def _all_kept_by_hand(table: Table) -> dict[str, Refusal]:
    refusals = {}
    for rule in filter(lambda rule: rule.settled, table.rules.public):
        for part, settlement in rule_marks(table, rule).kept_by_hand.items():
            sentence = (
                f"The program does not do this any more: since “{rule.title}” reads otherwise, it"
                f" is kept by hand (entry {settlement.entry}: {settlement.reason}). Ask who keeps"
                " it."
            )
            refusals[part] = Refusal("kept_by_hand", sentence, rule.title)
    return refusals


class _Tells(Follower):
    def rules_told(self, table: Table, outcome: Outcome) -> Outcome:
        """Forget what was found of passages that fit or are gone, and say what fits no more."""
        # Not `in_play`, which in this entry has those of before it.
        playing = [subgame for subgame in all_subgames() if subgame.is_on(table.game)]
        for rule in filter(lambda rule: rule.settled, table.rules.public):
            bare = rule_marks(table, replace(rule, settled={}), subgames=playing)
            waiting = {marked.key for marked in bare.unfitted}
            still_settled = {
                key: settlement for key, settlement in rule.settled.items() if key in waiting
            }
            if still_settled.keys() != rule.settled.keys():
                table.rules.settle(rule.pk, still_settled)
        return _with_unread(table, _with_unfitted(table, outcome, playing), playing)


def _with_unfitted(table: Table, outcome: Outcome, playing: Sequence[Subgame]) -> Outcome:
    """Say what is not carried out as it reads by the changes of the rulebook at that table, among
    the subgames that it is at now. Of rules that read as they did nothing is new."""
    before = Rulebook(table.game, None)
    rules_before = {rule.pk: rule for rule in before.public}
    # One that was retitled is played by its old title while no other rule has that.
    changed = [
        rule for rule in table.rules.public if rule.known_as or rule != rules_before.get(rule.pk)
    ]
    changed_before = [rules_before[rule.pk] for rule in changed if rule.pk in rules_before]
    unfitted_before = unfitted(table, playing, rules=before, only=changed_before)
    old_keys = {passage.key for passage in unfitted_before}
    unfitted_now = unfitted(table, playing, only=changed)
    new = [passage for passage in unfitted_now if passage.key not in old_keys]
    if not new:
        return outcome
    keeper = rulebook_keeper(table.game) or PLAYERS
    passages = "; ".join(passage.quoted for passage in new[:_MOST_TOLD])
    ending = f"; and {len(new) - _MOST_TOLD} more" if len(new) > _MOST_TOLD else ""
    text = f"{outcome.text} Not carried out as it reads: {passages}{ending}."
    figures = [
        {
            "rule": passage.rule.title,
            "passage": passage.marked.passage.text if passage.marked.passage else None,
            "parts": list(passage.marked.parts),
            "by": keeper,
        }
        for passage in new[:_MOST_KEPT]
    ]
    return replace(outcome, text=text, figures={**outcome.figures, "unfitted": figures})


def _with_unread(table: Table, outcome: Outcome, playing: Sequence[Subgame]) -> Outcome:
    """Say of what can be read no more as of which version it is played.

    A rule that is amended while it cannot be read is told of again.
    """
    faults = list(_unread(table, playing))
    if not faults:  # as nearly always: then nothing of what was before is read
        return outcome
    before = Table(table.game, table.now, table.wall, locked=False)
    before.rules = Rulebook(table.game, None)
    faults_before = set(_unread(before, playing))
    new = [fault for fault, version in faults if (fault, version) not in faults_before]
    if not new:
        return outcome
    ending = f" And {len(new) - _MOST_TOLD} more." if len(new) > _MOST_TOLD else ""
    text = f"{outcome.text} {' '.join(new[:_MOST_TOLD])}{ending}"
    return replace(outcome, text=text, figures={**outcome.figures, "unread": new[:_MOST_KEPT]})


def _unread(table: Table, playing: Sequence[Subgame]) -> Iterator[tuple[str, int]]:
    faults = (fault for subgame in playing for fault in subgame.unread(table))
    for fault in (*faults, *unread_tables(table)):
        yield str(fault), version_of(table.rules, fault)


follow(_Tells())
