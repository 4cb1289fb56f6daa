"""The marks of a list's items: whether they count the items, or say something of them."""

import re
from collections.abc import Collection
from string import ascii_lowercase

_UNITS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = [f"{tens}{units}" for tens in ("", "x") for units in _UNITS]
_COUNTED = ("", *ascii_lowercase)


def mark_of(item: re.Match[str]) -> str:
    """An item's mark without what stands around it."""
    return item[0].strip(" \t\r().")


def may_follow(mark: str, marks: Collection[str]) -> bool:
    """Whether a mark counts behind those.

    Letters do in their order; “y” and “n”, “x” and “o” tell what is to be done, and so do “+” and
    “-” in one body, which may be a difference.
    """
    if mark in ("+", "-"):
        return ("-" if mark == "+" else "+") not in marks
    if not mark.isalpha():
        return True
    cased = str.upper if mark.isupper() else str
    before = [
        order[order.index(mark.lower()) - 1]
        for order in (_COUNTED, _ROMAN)
        if mark.lower() in order
    ]
    return any(not each or cased(each) in marks for each in before)
