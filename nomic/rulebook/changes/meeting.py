"""Edits of one sentence or head that meet: carried out one after the other, a later one would find
what an earlier one has brought, or would count otherwise than its author did."""

import re
from collections import defaultdict
from collections.abc import Iterable

from nomic.rulebook.changes import kinds
from nomic.rulebook.changes.kinds import LONGEST_SAID, Change, RuleRef, folded
from nomic.rulebook.charts import cut
from nomic.rulebook.edits.parts import WORDS, TextPart, straight

_ENDS = {
    "paragraph": re.compile(r"\n\s*+\n"),
    "item": re.compile(r"\n"),
    "sentence": re.compile(r"[.!?…。]"),
}
"""What a text has within that is more than one of a counted unit."""
_OF_WHICH = {
    "paragraph": ("paragraph",),
    "item": ("paragraph", "item"),
    "sentence": ("paragraph", "item", "line", "sentence"),
}
"""The units that a counted one is, or is a part of."""


class Edits:
    """The edits of one sentence, or of one head, so far."""

    def __init__(self) -> None:
        self._brought: defaultdict[RuleRef, list[str]] = defaultdict(list)
        self._miscounted: defaultdict[RuleRef, set[str]] = defaultdict(set)

    def why_not(self, changes: Iterable[Change]) -> str:
        """Why one of these changes may not be carried out behind those before it; "" where each
        may. They are among the edits so far then."""
        for change in changes:
            rule = getattr(change, "rule", kinds.RuleRef())
            old, part = _named(change)
            plain = _plain(old)
            if plain and any(plain in brought for brought in self._brought[rule]):
                return (
                    f"“{cut(folded(old), LONGEST_SAID)}” also stands in the text that another of"
                    " the changes brings, so that it is not clear which is meant; write a sentence"
                    " for each."
                )
            if isinstance(part.which, int) and part.unit in self._miscounted[rule]:
                return (
                    f"It counts a {part.unit}, and another of the changes may bring or take one;"
                    " quote what is meant."
                )
            self._brought[rule].append(_plain(_brought(change)))
            self._miscounted[rule] |= {unit for unit in _ENDS if _is_miscounted(change, unit)}
            is_deleted = isinstance(change, kinds.ReplaceRow) and not change.row
            if is_deleted or isinstance(change, kinds.AddRows):
                self._miscounted[rule].add("row")
        return ""


def _is_miscounted(change: Change, unit: str) -> bool:
    """Whether there may be more or fewer of such units after a change."""
    new, (old, part) = _brought(change).strip(), _named(change)
    ends, of_which = _ENDS[unit], _OF_WHICH[unit]
    if isinstance(change, kinds.ReplacePassage):
        if new and part.unit == unit:
            return ends.search(new, 0, len(new) - 1) is not None
        is_whole = part.unit in of_which
    else:
        is_whole = getattr(change, "unit", "") in of_which
    return is_whole or ends.search(new) is not None or ends.search(old) is not None


def _named(change: Change) -> tuple[str, TextPart]:
    """The words by which a change finds its place, and which part of the text it means."""
    match change:
        case kinds.ReplacePassage():
            return change.old, change.part
        case kinds.ReplaceRow():
            return "", change.part
        case kinds.ReplaceThroughout():
            return change.old, WORDS
        case kinds.Insert() | kinds.Append():
            return change.anchor, change.part
    return "", WORDS


def _brought(change: Change) -> str:
    match change:
        case kinds.ReplacePassage() | kinds.ReplaceThroughout():
            return change.new
        case kinds.Insert() | kinds.Append() | kinds.AddBullets() | kinds.ReplaceText():
            return change.text
        case kinds.AddRows():
            return change.rows
        case kinds.ReplaceRow():
            return change.row
    return ""


def _plain(words: str) -> str:
    return straight(folded(words))
