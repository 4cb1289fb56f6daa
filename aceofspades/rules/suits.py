"""Suits as a table of a regulation names them. No Django here."""

import re

from nomic.rulebook.charts import EMPTY_CELLS, RuleTable, cut

LONGEST_SUIT = 30
MOST_SUITS = 20
_SUIT = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")
_COLOUR = re.compile(r"[a-z]{3,20}|#[0-9a-f]{6}")


def colours_in(table: RuleTable) -> dict[str, str]:
    """The suits of a table in their order, each with its colour; "" for one that is no colour.

    Only pictures need a colour, so that a wrong one holds up nothing.
    """
    if len(table.rows) > MOST_SUITS:
        raise table.broken(f"has more than {MOST_SUITS} suits.")
    found = {}
    for suit in table.rows:
        cell = table.cell(suit, "COLOUR").casefold()
        is_colour = cell not in EMPTY_CELLS and _COLOUR.fullmatch(cell)
        found[as_suit(table, suit)] = cell if is_colour else ""
    return found


def as_suit(table: RuleTable, name: str) -> str:
    """That name, if a suit can have it; raises ChartBroken."""
    if len(name) > LONGEST_SUIT or not _SUIT.fullmatch(name):
        raise table.broken(
            f"has “{cut(name)}” as a suit; a suit's name is of letters, up to {LONGEST_SUIT}."
        )
    return name


def doubled(names: list[str]) -> str:
    """The first of these names that stands there twice, but for capitals; "" if none does."""
    seen = [name.casefold() for name in names]
    return next((name for place, name in enumerate(names) if name.casefold() in seen[:place]), "")
