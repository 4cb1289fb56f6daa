"""How numbers are taken out of the tables and sentences of a rule text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from nomic.rulebook.charts import ChartBroken, ChartMissing, RuleTables
from nomic.rulebook.tables import TableBroken, find_table
from proposals.rulebook import shipped_texts
from proposals.rules.clauses import CLAUSES

type Columns = tuple[str, ...]

TermsBroken = ChartBroken
TermsMissing = ChartMissing

_WHOLE = re.compile(r"[0-9]{1,6}")
_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_NUMBER = re.compile(r"[-−]?[0-9]+([.,][0-9]+)?")
_ANSWERS = {"yes": True, "no": False}


class Unplayable(TermsBroken):
    """A table can be read, and nobody could play by what it says."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a rule, its rows by their first column.

    With `whole_rows` none may be missing, as in games before the fourth readings.
    """

    rule: str
    columns: Columns
    rows: Mapping[str, Mapping[str, str]]
    whole_rows: bool = False

    def __str__(self) -> str:
        return f"The table “{self.columns[0]}” of {self.rule}"

    def cell(self, row: str, column: str) -> str:
        """What stands there; TermsMissing where nothing does."""
        if column not in self.rows.get(row, {}):
            absent = TermsBroken if self.whole_rows else TermsMissing
            raise absent(self.rule, f"{self} has no row “{row}”.")
        return self.rows[row][column].strip()

    def whole(self, row: str, column: str, least: int, most: int) -> int:
        """The whole number in a cell, `least` to `most`."""
        cell = self.cell(row, column)
        if not _WHOLE.fullmatch(cell) or not least <= int(cell) <= most:
            raise self._not(cell, row, column, f"a whole number from {least} to {most}")
        return int(cell)

    def tenths(self, row: str, column: str, most: Decimal) -> Decimal:
        """The number in a cell, 0 to `most` in tenths, such as 1.0."""
        cell = self.cell(row, column)
        number = Decimal(cell) if _DECIMAL.fullmatch(cell) else None
        if number is None or number > most or number != round(number, 1):
            raise self._not(cell, row, column, f"a number in tenths, from 0 to {most}")
        return number

    def answer(self, row: str, column: str) -> bool:
        """Whether a cell says yes."""
        cell = self.cell(row, column)
        if cell.casefold() not in _ANSWERS:
            raise self._not(cell, row, column, "yes or no")
        return _ANSWERS[cell.casefold()]

    def _not(self, cell: str, row: str, column: str, wanted: str) -> TermsBroken:
        broken = Unplayable if _NUMBER.fullmatch(cell) else TermsBroken
        return broken(
            self.rule,
            f"{self} has “{cut(cell)}” under {column} for {cut(row)} instead of {wanted}.",
        )


@dataclass(frozen=True, slots=True)
class Texts:
    """The rule texts of a game by title.

    `tables` are the tables that each rule may have, by their columns. In a game that began before
    the fourth readings an edition's `shipped` texts stand behind them: a text with none of its
    rule's tables says their numbers in prose, and then the shipped text's count; a table that is
    missing beside others was taken out.
    """

    given: Mapping[str, str]
    tables: Mapping[str, tuple[Columns, ...]]
    shipped: str = ""

    def needed(self, rule: str, first: str) -> Table:
        """A table without which no vote opens or closes: where its rule is in force and has it no
        more, that is a fault, so that the last version counts that has it."""
        try:
            return replace(self.table(rule, first), whole_rows=True)
        except TermsMissing as missing:
            if not self.given.get(rule):
                raise
            raise TermsBroken(missing.rule, missing.sentence) from None

    def table(self, rule: str, first: str) -> Table:
        """The table of that rule whose first column is `first`; raises TermsBroken."""
        if not self.shipped:
            own = RuleTables(self.given, self.tables, clauses=CLAUSES).table(rule, first)
            return Table(own.rule, own.columns, own.rows)
        columns = next(own for own in self.tables[rule] if own[0] == first)
        text = self.given.get(rule, "")
        if found := _find(rule, text, columns):
            return found
        if any(_find(rule, text, other) for other in self.tables[rule] if other != columns):
            raise TermsBroken(
                rule,
                f"The text of {rule} has no table with the columns {', '.join(columns)} any more.",
            )
        shipped = _find(rule, shipped_texts(self.shipped)[rule], columns)
        if shipped is None:
            raise TermsBroken(rule, f"The text of {rule} has no table “{first}”.")
        return shipped


def cut(cell: str) -> str:
    """A cell as a sentence quotes it."""
    return cell if len(cell) <= 40 else f"{cell[:39]}…"


def _find(rule: str, text: str, columns: Columns) -> Table | None:
    try:
        chart = find_table(text, *columns)
        return None if chart is None else Table(rule, columns, chart.by(columns[0]), True)
    except TableBroken as broken:
        raise TermsBroken(
            rule, f"The table “{columns[0]}” of {rule} cannot be read: {broken.sentence}"
        ) from broken
