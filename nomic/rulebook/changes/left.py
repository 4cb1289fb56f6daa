"""Changes that are left to the officer, and why; and what a reading warns of."""

from collections.abc import Collection

from nomic.rulebook.changes.forms import ByHand, Change, Remark
from nomic.rulebook.changes.marking import LONGEST_SAID
from nomic.rulebook.charts import cut

NO_EDITS = (
    "It names a rule, and nothing below it could be read as an edit of it; write each edit as a"
    " sentence, or the whole text behind: Amend rule 12 to read: {…}"
)
UNREAD = (
    "It is no instruction that can be read, no text of one and no comment. What changes nothing is"
    " marked as a remark by its author, or stands in a comment: [ … ]."
)
IN_A_COMMENT = (
    "It stands behind the heading of a comment, and reads as an instruction. What is none stands in"
    " brackets: [ … ]; what is one stands before the comment, or behind another heading."
)
LABELLED = (
    "A single word in brackets stands before it on its line, and may say whether it is meant. A"
    " comment stands on a line of its own, or behind the sentence."
)
INDENTED = (
    "It is indented by four spaces or more, as what is quoted or shown as an example. An"
    " instruction stands as far left as the text around it."
)
ENDLESS = (
    "Nothing marks where its text ends, and what stands below may be no part of it. Put the text in"
    " braces: { … }."
)
_LAST_LINE = (
    "Nothing marks where the text of “{}” ends: all below it is taken for that text, to “{}”."
    " Braces tell for sure: {{ … }}."
)
_BESIDE = (
    "“{}”{} stands in the same text, is neither an instruction that can be read nor a comment, and"
    " may say more of it."
)


def beside(changes: Collection[Change], unread: Collection[str]) -> tuple[ByHand, ...]:
    """Those changes left to the officer, since these sentences beside them could not be read."""
    first, more = next(iter(unread)), len(unread) - 1
    why = _BESIDE.format(cut(first, LONGEST_SAID), f", with {more} more such," if more else "")
    return tuple(each if isinstance(each, ByHand) else as_by_hand(each, why) for each in changes)


def as_by_hand(change: Change | Remark, why: str) -> ByHand:
    """That change for the officer, or what may be one."""
    facts = {name: getattr(change, name) for name in ("sentence", "start", "end", "group")}
    return ByHand(why, **facts)


def taken_to_end(said: str, last_line: str) -> str:
    """The warning that a text of that sentence, whose end nothing marks, ends with that line."""
    return _LAST_LINE.format(cut(said, LONGEST_SAID), cut(last_line.strip(), LONGEST_SAID))
