"""What a Bribe is worth, read out of the Thug's rule text: from its table or its sentences."""

from __future__ import annotations

import re

from nomic.rulebook.charts import ChartBroken, cut, find_rule_table
from settlers.rules.thug import BribeTerms

_COLUMNS = ("ITEMS OF ONE TYPE", "ADDED")
_START = re.compile(r"\b(?:start|begin)s? (?:with|at)(?: a bribe value of)? ([0-9]{1,6})")
# No word boundary behind the last number: the text that was voted on runs on there.
_STEP = re.compile(
    r"\badd ([0-9]{1,6}) to the bribe value for each type of item[^.*]{0,120}?at least ([0-9]{1,6})"
)
_ADDS = re.compile(r"\badds?\b[^.*]{0,120}?\bbribe value\b")


def bribe_terms(rule: str, text: str) -> BribeTerms:
    """The terms in the text of that rule; ChartBroken where they cannot be read.

    A text without a table is read by its sentences "Start with a Bribe Value of …" and "Add … to
    the Bribe Value for each type of item … at least …".
    """
    words = " ".join(text.casefold().split())
    start = _START.search(words)
    return BribeTerms(int(start[1]) if start else 0, _steps(rule, text, words))


def _steps(rule: str, text: str, words: str) -> tuple[tuple[int, int], ...]:
    if table := find_rule_table(rule, text, _COLUMNS):
        return tuple(sorted((table.wholes("ADDED", (1, 999_999), (0, 999_999))).items()))
    steps = sorted((int(least), int(added)) for added, least in _STEP.findall(words))
    said = _ADDS.findall(words)
    if len(said) > len(steps):
        unread = next(sentence for sentence in said if not _STEP.match(words, words.find(sentence)))
        raise ChartBroken(rule, f"The text of {rule} says “{cut(unread)}”, which cannot be read.")
    if not steps:
        raise ChartBroken(
            rule,
            f"The text of {rule} does not say what adds to a Bribe Value: it needs a table with the"
            f" columns {', '.join(_COLUMNS)}.",
        )
    return tuple(steps)
