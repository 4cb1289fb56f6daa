"""Taking numbers out of the tables of rule texts, for the machinery that plays by them.

A text that says its numbers only in prose is played with those of the shipped text's tables; a
table that is missing beside others of its rule was taken out. Nothing here knows Django.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nomic.games.refusal import Refusal
from nomic.rulebook.tables import TableBroken, find_table

type Columns = tuple[str, ...]

EMPTY_CELLS = frozenset({"", "-", "–", "—"})
MOST = 999_999
_WHOLE = re.compile(r"[0-9]{1,6}")
_LONGEST_QUOTED = 40


class ChartBroken(TableBroken):
    """A table of a rule text is missing or says something that cannot be played by.

    `rule` is the rule's title; `sentence` names the table and what is wrong with it.
    """

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(sentence)
        self.rule = rule

    @property
    def refusal(self) -> Refusal:
        """The refusal of what needs that table, in the name of its own rule."""
        sentence = f"{self.sentence} What needs it waits until the rule's text is mended."
        return Refusal("table_broken", sentence, self.rule)


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of a rule, its rows by their first column, and how to take numbers out of it."""

    rule: str
    columns: Columns
    rows: Mapping[str, Mapping[str, str]]

    def __str__(self) -> str:
        return f"The table “{self.columns[0]}” of {self.rule}"

    def broken(self, words: str) -> ChartBroken:
        """The error that says so of this table."""
        return ChartBroken(self.rule, f"{self} {words}")

    def cell(self, row: str, column: str) -> str:
        if row not in self.rows:
            raise self.broken(f"has no row “{cut(row)}”.")
        return self.rows[row][column].strip()

    def whole(self, row: str, column: str, least: int = 0, most: int = MOST) -> int:
        """The whole number in a cell, `least` to `most`."""
        cell = self.cell(row, column)
        return self.as_whole(cell, f" under {column} for {cut(row)}", least, most)

    def as_whole(self, cell: str, where: str = "", least: int = 0, most: int = MOST) -> int:
        """The whole number that this cell is; `where` says in a sentence where it stands."""
        if not _WHOLE.fullmatch(cell) or not least <= int(cell) <= most:
            raise self.broken(
                f"has “{cut(cell)}”{where} instead of a whole number from {least} to {most}."
            )
        return int(cell)

    def wholes(self, column: str, keys: tuple[int, int], cells: tuple[int, int]) -> dict[int, int]:
        """A table of numbers under numbers, with the least and the most of each side."""
        found: dict[int, int] = {}
        for row in self.rows:
            key = self.as_whole(row, "", *keys)
            if key in found:
                raise self.broken(f"has {key} twice.")
            found[key] = self.whole(row, column, *cells)
        return found


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The tables of some rule texts, by the rules' titles, with the shipped texts behind them.

    `known` are the columns of each table that a shipped text has. Rows under no heading are read
    as the first of them.
    """

    texts: Mapping[str, str]
    known: Mapping[str, tuple[Columns, ...]]
    shipped: Callable[[], Mapping[str, str]]

    def table(self, rule: str, first: str) -> RuleTable:
        """The table of that rule whose first column is `first`; raises ChartBroken."""
        columns = next(own for own in self.known[rule] if own[0] == first)
        text = self.texts.get(rule, "")
        if found := self._find(rule, text, columns):
            return found
        if any(self._find(rule, text, own) for own in self.known[rule] if own != columns):
            raise ChartBroken(
                rule,
                f"The text of {rule} has no table with the columns {', '.join(columns)} any more.",
            )
        shipped = self._find(rule, self.shipped()[rule], columns)
        if shipped is None:
            raise ChartBroken(rule, f"The text of {rule} has no table “{first}”.")
        return shipped

    def _find(self, rule: str, text: str, columns: Columns) -> RuleTable | None:
        return find_rule_table(rule, text, columns, bare=columns == self.known[rule][0])


def find_rule_table(rule: str, text: str, columns: Columns, bare: bool = False) -> RuleTable | None:
    """The table with these columns in the text of that rule, if it has one; raises ChartBroken.

    With `bare`, wiki rows under no heading are taken for it, too.
    """
    if not bare and columns[0].casefold() not in " ".join(text.casefold().split()):
        return None
    try:
        chart = find_table(text, *columns)
        return None if chart is None else RuleTable(rule, columns, chart.by(columns[0]))
    except TableBroken as broken:
        raise ChartBroken(
            rule, f"The table “{columns[0]}” of {rule} cannot be read: {broken.sentence}"
        ) from broken


def cut(cell: str) -> str:
    """A cell as a sentence quotes it."""
    return cell if len(cell) <= _LONGEST_QUOTED else f"{cell[: _LONGEST_QUOTED - 1]}…"
