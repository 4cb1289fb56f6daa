"""Changes of single spots of rules, written as sentences of a body, one behind the other. Pure.

What is written is read back and carried out on paper before anybody sees it: a sentence that would
do something else than the change that was asked for is never given out.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from nomic.games.wording import counted, enumerated
from nomic.rulebook.changes import kinds
from nomic.rulebook.changes.applying import REASONS, carry, find, is_of_rules
from nomic.rulebook.changes.kinds import Change, RuleRef
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.on_paper import ImaginedRules
from nomic.rulebook.changes.reading import read_changes, readable_changes
from nomic.rulebook.charts import cut
from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.limits import LONGEST_TEXT, LONGEST_TITLE
from nomic.rulebook.spots import Spot, SpotKind, same_spot, spots_of
from nomic.rulebook.tables import pipe_cells

_MARKS = frozenset('“”"{}\n')
_SHOWN = 60  # characters of words in a sentence
_MOST_TOLD = 3  # words that differ, in a title


class NotGathered(ValueError):
    """A change of a spot cannot be written; says why, and what would help."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The public rules in force, and whether two of them may have one title."""

    public: RulesInForce
    share_titles: bool

    def on_paper(self) -> ImaginedRules:
        """The same rules, to be changed."""
        return ImaginedRules(self.public, share_titles=self.share_titles)

    def rule_after(self, body: str, pk: int) -> RuleText | None:
        """The rule of that key as the changes of that body leave it, as far as they can be made;
        None where they repeal it."""
        rules = self.on_paper()
        for change in readable_changes(body):
            if is_of_rules(change):
                with suppress(*REASONS):
                    carry(rules, change)
        return next((rule for rule in rules.public if rule.pk == pk), None)

    def named(self, rule: RuleText) -> str:
        """The rule as a sentence of a change names it."""
        called = self.on_paper().called(rule)
        return f"rule {called}" if called == rule.number else f"the rule “{called}”"


def takes_more(body: str) -> bool:
    """Whether sentences can be added to that body: it holds changes and comments alone."""
    try:
        reading = read_changes(body)
    except Unreadable:
        return False
    return not reading.unread and not reading.misfit


def gathered(body: str, rules: Rules, rule: RuleText, spot: Spot, words: str) -> str:
    """The body with one change more: other `words` at that spot of the rule in force. What the body
    changes of the same row or sentence becomes one change with it; what it changes back to what is
    in force is changed no more. Raises NotGathered."""
    words = _checked(spot, words)
    drafted = rules.rule_after(body, rule.pk)
    if drafted is None:
        raise NotGathered(f"Your draft repeals “{rule.title}”, so nothing of it can be changed.")
    there = same_spot(spot, drafted.text)
    if there is None:
        raise NotGathered(
            f"Your draft changes already what stands there, so that “{cut(spot.words, _SHOWN)}” is"
            " not to be found: change it in the draft, or begin a new one."
        )
    if there.words == words and words != spot.words:
        return body
    if there.words == words:
        raise NotGathered(f"“{cut(words, _SHOWN)}” stands there already: type something else.")
    asked = drafted.text[: there.start] + words + drafted.text[there.end :]
    for written in _written(body, rules, rule, drafted, there, words):
        if _does(rules, rule, written, there, words, asked):
            return written
    raise NotGathered(
        "This cannot be written as one sentence that the site reads, since the same words stand"
        " there more than once, or have quotes or braces that do not fit. Amend the whole rule."
    )


def headline(body: str, rules: Rules) -> str:
    """What a proposal of that body is called by itself: “Fargo: 9 instead of 7”."""
    changes = readable_changes(body)
    titles = dict.fromkeys(change.target for change in changes)
    if not changes:
        return ""
    named = titles if len(titles) == 1 else [counted(len(titles), "rule")]
    several = f"{counted(len(changes), 'change')} of {next(iter(named))}"
    if len(changes) > 1:
        return cut(several, LONGEST_TITLE)
    change = changes[0]
    with suppress(*REASONS):
        if told := _difference(find(rules.on_paper(), getattr(change, "rule", RuleRef())), change):
            return cut(told, LONGEST_TITLE)
    return cut(f"Amend {change.target}", LONGEST_TITLE)


def _difference(rule: RuleText, change: Change) -> str:
    """What a change makes of the cells of a row, or of the words of a sentence; "" where it is
    another change, or a longer story."""
    old: Sequence[str] = ()
    new: Sequence[str] = ()
    called = rule.title
    if isinstance(change, kinds.ReplaceRow):
        called, new = change.cell, pipe_cells(change.row)
        rows = {
            spot.cells
            for spot in spots_of(rule.text)
            if spot.row == change.cell and change.table in ("", spot.table)
        }
        old = next(iter(rows)) if len(rows) == 1 else ()
    elif isinstance(change, kinds.ReplacePassage):
        old, new = ([word.strip(".,;:") for word in w.split()] for w in (change.old, change.new))
    different = [pair for pair in zip(old, new, strict=False) if pair[0] != pair[1]]
    if len(old) != len(new) or not 0 < len(different) <= _MOST_TOLD:
        return ""
    before, after = (enumerated(words) for words in zip(*different, strict=True))
    return f"{called}: {after} instead of {before}"


def _checked(spot: Spot, words: str) -> str:
    """The words as they are to stand there. Raises NotGathered."""
    words = words.replace("\r\n", "\n").strip()
    if spot.kind is not SpotKind.SENTENCE:
        words = " ".join(words.split())
    if not words:
        raise NotGathered(
            "Type what is to stand there. A dash, –, stands for nothing."
            if spot.kind is SpotKind.CELL
            else "Type what is to stand there; what is to go altogether is deleted in the composer."
        )
    if len(words) > LONGEST_TEXT // 4:
        raise NotGathered(
            f"This has {len(words):,} characters, and a change of one place at most"
            f" {LONGEST_TEXT // 4:,}: amend the whole rule instead."
        )
    return words


def _does(rules: Rules, rule: RuleText, body: str, there: Spot, words: str, asked: str) -> bool:
    """Whether the rule reads as it was asked for once that body is carried out."""
    after = rules.rule_after(body, rule.pk)
    if after is None or not takes_more(body):
        return False
    if there.kind is not SpotKind.CELL:
        return after.text.split() == asked.split()
    changed = same_spot(there.with_words(words), after.text)
    before = [spot.words for spot in spots_of(asked)]
    return (
        changed is not None
        and changed.words == words
        and [spot.words for spot in spots_of(after.text)] == before
    )


def _written(
    body: str, rules: Rules, rule: RuleText, drafted: RuleText, there: Spot, words: str
) -> Iterator[str]:
    """The ways to write the body with that change, the plainest first."""
    is_cell = there.kind is SpotKind.CELL
    ways = _rows if is_cell else _passages
    earlier = _change_of(body, rules, rule, drafted, there)
    if earlier is None:
        for sentence in ways(rules.named(rule), drafted.text, there, words, ""):
            yield f"{body.rstrip()}\n\n{sentence}".strip()
        return
    old = earlier.cell if isinstance(earlier, kinds.ReplaceRow) else earlier.old
    before, behind = body[: earlier.start].rstrip(), body[earlier.end :].strip()
    yield "\n\n".join(filter(None, (before, behind)))
    for sentence in ways(rules.named(rule), drafted.text, there, words, old):
        yield "\n\n".join(filter(None, (before, sentence, behind)))


def _change_of(
    body: str, rules: Rules, rule: RuleText, drafted: RuleText, there: Spot
) -> kinds.ReplaceRow | kinds.ReplacePassage | None:
    """The change of a body that made the row or sentence there what it is; None where none did, or
    one that has other changes in its sentence."""
    changes = readable_changes(body)
    paper = rules.on_paper()
    for change in changes:
        is_alone = sum(other.start == change.start for other in changes) == 1
        if not is_alone or not isinstance(change, kinds.ReplaceRow | kinds.ReplacePassage):
            continue
        with suppress(*REASONS):
            if find(paper, change.rule).pk != rule.pk:
                continue
        if isinstance(change, kinds.ReplaceRow):
            is_it = there.kind is SpotKind.CELL and pipe_cells(change.row) == [*there.cells]
        else:
            start, end = there.within if there.kind is SpotKind.FIGURE else (there.start, there.end)
            is_it = change.new.split() == drafted.text[start:end].split()
        if is_it:
            return change
    return None


def _rows(named: str, text: str, there: Spot, words: str, old: str) -> Iterator[str]:
    """Sentences that replace the row of a cell."""
    cells = there.with_words(words).cells
    row = f"| {' | '.join(cell.replace('|', '\\|') for cell in cells)} |"
    tables = {spot.table for spot in spots_of(text) if spot.kind is SpotKind.CELL}
    of_table = f" of the table “{there.table}”" if len(tables) > 1 else ""
    begins = f"In {named}, replace the row “{old or there.row}”{of_table} with"
    for sentence in (f"{begins} “{row}”.", f"{begins}:\n{{\n{row}\n}}"):
        if not _MARKS & set(row) or not sentence.endswith("."):
            yield sentence


def _passages(named: str, text: str, there: Spot, words: str, old: str) -> Iterator[str]:
    """Sentences that replace a sentence, or the lines in which it stands where it does so twice."""
    start, end = there.within if there.kind is SpotKind.FIGURE else (there.start, there.end)
    lines = text.rfind("\n", 0, start) + 1, (text + "\n").find("\n", end)
    for from_, to in dict.fromkeys(((start, end), lines)):
        passage = text[from_ : there.start] + words + text[there.end : to]
        yield _replaced(
            named, (old if (from_, to) == (start, end) else "") or text[from_:to], passage
        )


def _replaced(named: str, old: str, new: str) -> str:
    if not _MARKS & {*old, *new}:
        return f"In {named}, replace “{old}” with “{new}”."
    return f"In {named}, replace\n{{\n{old}\n}}\nwith\n{{\n{new}\n}}"
