"""The terms of a Bribe's value, read from the Thug's rule text: from its table or its sentences."""

import re

from nomic.rulebook.charts import ChartBroken, ChartMissing, RuleTables, cut, unless_off
from settlers.rules.clauses import CLAUSES
from settlers.rules.thug import BribeTerms
from settlers.rules.titles import THUG

BRIBES = ("ITEMS OF ONE TYPE", "ADDED")
BEGINNING = ("BRIBE VALUE", "NUMBER")
_ADDS = re.compile(r"\badds?\b[^.*]{0,120}?\bbribe value\b")


def bribe_terms(text: str) -> BribeTerms:
    """The terms in the text of the Thug; ChartBroken where they cannot be read."""
    tables = RuleTables({THUG: text}, {THUG: (BEGINNING, BRIBES)}, clauses=CLAUSES)
    start = unless_off(lambda: tables.table(THUG, BEGINNING[0]).whole("At first", BEGINNING[1]), 0)
    said = _ADDS.findall(" ".join(text.casefold().split()))
    try:
        steps = tables.table(THUG, BRIBES[0]).wholes(BRIBES[1], (1, 999_999), (0, 999_999))
    except ChartMissing:
        if said:
            raise _unread(said[0]) from None
        raise
    if len(said) > len(steps):
        raise _unread(said[-1])
    return BribeTerms(start, tuple(sorted(steps.items())))


def _unread(said: str) -> ChartBroken:
    return ChartBroken(THUG, f"The text of {THUG} says “{cut(said)}”, which cannot be read.")
