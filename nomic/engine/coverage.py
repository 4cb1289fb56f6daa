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

PLAYERS = "players"  # who keep by hand what no office does
_MOST_TOLD, _LONGEST_TOLD = 3, 160
_MOST_KEPT = 100
_OF_ALL_GAMES: list[Path] = []
_READ_PROGRAMS: list[Callable[[Table, RuleText], CarriedProgram | None]] = []
_READ_TABLES: list[Callable[[Iterable[RuleText], RuleText], Iterable[Columns]]] = []


def know(folder: Path) -> None:
    """Let every game be played by what the list in that folder says of the rules there."""
    _OF_ALL_GAMES.append(folder)


def read_programs(read: Callable[[Table, RuleText], CarriedProgram | None]) -> None:
    """Ask this for the program that a rule carries."""
    _READ_PROGRAMS.append(read)


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
        said = self.marked.passage.said
        return said if len(said) <= _LONGEST_TOLD else f"{said[: _LONGEST_TOLD - 1]}…"

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
            found = subgame.machinery(table, title)
            if found is not None:
                return found
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
    machinery = None
    if not rule.by_people:
        machinery = machinery_of(table, rules or table.rules, rule, playing)
    program = _program_of(table, rule)
    marks = marks_of(rule.text, machinery, rule.settled, program)
    # What came into a rule waits for who keeps it, but not in rules that an app brought.
    is_brought = bool(rule.origin) and not rule.began_as
    if rule.by_people or (is_brought if machinery is None else machinery.fitted):
        return marks
    rows = partial(_rows_read, rule, rules or table.rules)
    new = with_new_prose(marks, rule.text, rule.began_as, rule.settled, rows)
    if not rule.switched_off:
        return new
    # What its program would do if it were on is said where it was switched off.
    ran = _program_of(table, replace(rule, switched_off=0))
    bare = marks_of(rule.text, None, None, ran).passages
    several = zip(new.passages, marks.passages, bare, strict=True)
    by_program = (Mark.PROGRAM, Mark.CLAIMED)
    passages = (was if would.mark in by_program else own for own, was, would in several)
    return replace(new, passages=tuple(passages))


def _rows_read(rule: RuleText, rules: Rulebook) -> Collection[int]:
    """The places of the rows that programs claim to carry out: those of the tables that they look
    up."""
    columns = (each for read in _READ_TABLES for each in read(rules.public, rule))
    return rows_under(rule.text, columns)


def _program_of(table: Table, rule: RuleText) -> CarriedProgram | None:
    """The program that the rule carries, where it is on."""
    return next(filter(None, (read(table, rule) for read in _READ_PROGRAMS)), None)


def unfitted(
    table: Table,
    subgames: Iterable[Subgame] | None = None,
    *,
    rules: Rulebook | None = None,
    few: Iterable[RuleText] | None = None,
    claims: bool = False,
) -> Iterator[Unfitted]:
    """The passages of the public rules, or a `few` of them, that are not carried out as they read,
    in the rulebook's order; with `claims` those that programs claim to carry out as well."""
    rules = rules or table.rules
    playing = list(in_play(table.game) if subgames is None else subgames)
    for rule in rules.public if few is None else few:
        marks = rule_marks(table, rule, rules=rules, subgames=playing)
        yield from (Unfitted(rule, marked) for marked in marks.unfitted)
        if claims:
            yield from (Unfitted(rule, marked) for marked in marks.claimed)


def kept_by_hand(table: Table, part: str) -> Refusal | None:
    """Why that action or event does not happen: an officer keeps by hand what its rule says."""
    return table.once(_all_kept_by_hand).get(part)


def _all_kept_by_hand(table: Table) -> dict[str, Refusal]:
    told = {}
    for rule in filter(lambda rule: rule.settled, table.rules.public):
        for part, found in rule_marks(table, rule).kept_by_hand.items():
            sentence = (
                f"The program does not do this any more: since “{rule.title}” reads otherwise, it"
                f" is kept by hand (entry {found.entry}: {found.reason}). Ask who keeps it."
            )
            told[part] = Refusal("kept_by_hand", sentence, rule.title)
    return told


class _Tells(Follower):
    def rules_told(self, table: Table, outcome: Outcome) -> Outcome:
        """Forget what was found of passages that fit or are gone, and say what fits no more."""
        for rule in filter(lambda rule: rule.settled, table.rules.public):
            bare = rule_marks(table, replace(rule, settled={}))
            waiting = {marked.key for marked in bare.unfitted}
            kept = {key: found for key, found in rule.settled.items() if key in waiting}
            if kept.keys() != rule.settled.keys():
                table.rules.settle(rule.pk, kept)
        playing = [each for each in all_subgames() if each.is_on(table.game)]
        return _with_unread(table, _with_unfitted(table, outcome, playing), playing)


def _with_unfitted(table: Table, outcome: Outcome, playing: Sequence[Subgame]) -> Outcome:
    """Say what is not carried out as it reads by the changes of the rulebook at that table, among
    the subgames that it is at now. Of rules that read as they did nothing is new."""
    before = Rulebook(table.game, None)
    had = {each.pk: each for each in before.public}
    changed = [each for each in table.rules.public if each.known_as or each != had.get(each.pk)]
    were = [had[each.pk] for each in changed if each.pk in had]
    waited = unfitted(table, playing, rules=before, few=were)
    known = {(each.rule.pk, each.marked.key) for each in waited}
    waiting = unfitted(table, playing, few=changed)
    came = [each for each in waiting if (each.rule.pk, each.marked.key) not in known]
    if not came:
        return outcome
    keeper = rulebook_keeper(table.game) or PLAYERS
    told = "; ".join(each.quoted for each in came[:_MOST_TOLD])
    more = f"; and {len(came) - _MOST_TOLD} more" if len(came) > _MOST_TOLD else ""
    text = f"{outcome.text} Not carried out as it reads: {told}{more}."
    figures = [
        {
            "rule": each.rule.title,
            "passage": each.marked.passage.text if each.marked.passage else None,
            "parts": list(each.marked.parts),
            "by": keeper,
        }
        for each in came[:_MOST_KEPT]
    ]
    return replace(outcome, text=text, figures={**outcome.figures, "unfitted": figures})


def _with_unread(table: Table, outcome: Outcome, playing: Sequence[Subgame]) -> Outcome:
    """Say of what can be read no more as of which version it is played.

    A rule that is amended while it cannot be read is told of again.
    """
    now = list(_unread(table, playing))
    if not now:  # as nearly always: then nothing of what was before is read
        return outcome
    before = Table(table.game, table.now, table.wall, locked=False)
    before.rules = Rulebook(table.game, None)
    known = set(_unread(before, playing))
    came = [sentence for sentence, version in now if (sentence, version) not in known]
    if not came:
        return outcome
    more = f" And {len(came) - _MOST_TOLD} more." if len(came) > _MOST_TOLD else ""
    text = f"{outcome.text} {' '.join(came[:_MOST_TOLD])}{more}"
    return replace(outcome, text=text, figures={**outcome.figures, "unread": came[:_MOST_KEPT]})


def _unread(table: Table, playing: Sequence[Subgame]) -> Iterator[tuple[str, int]]:
    for subgame in playing:
        for each in subgame.unread(table):
            in_force = table.rules.in_force(each.rule)
            yield str(each), table.rules.find(each.rule).version if in_force else 0


follow(_Tells())
