"""The marks of a list's items: whether they count the items, or say something of them."""

import re
from collections.abc import Collection
from string import ascii_lowercase

_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = [f"{tens}{units}" for tens in ("", "x") for units in _UNITS]
_COUNTED = ("", *ascii_lowercase)


class Marks:
    """The marks of a body's items so far; all count unless it is read `whole`."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self._marks: set[str] = set()

    def count(self, item: re.Match[str], *, alone: bool = False) -> bool:
        """Whether the mark of one more counts it; numbers that stand `alone` on their lines do in
        their order."""
        mark = item[0].strip(" \t\r().")
        counts = not self._whole or _may_follow(mark, self._marks, alone)
        self._marks.add(mark)
        return counts


def _may_follow(mark: str, marks: Collection[str], must: bool) -> bool:
    """Whether a mark counts behind those.

    Letters do in their order; “y” and “n”, “x” and “o” tell what is to be done, and so do “+” and
    “-” in one body, which may be a difference. Numbers do in any order, unless they `must` follow.
    """
    if mark in ("+", "-"):
        return ("-" if mark == "+" else "+") not in marks
    if mark.isdigit() and must:
        return mark == "1" or str(int(mark) - 1) in marks
    if not mark.isalpha():
        return True
    cased = str.upper if mark.isupper() else str
    before = [
        order[order.index(mark.lower()) - 1]
        for order in (_COUNTED, _ROMAN)
        if mark.lower() in order
    ]
    return any(not each or cased(each) in marks for each in before)
