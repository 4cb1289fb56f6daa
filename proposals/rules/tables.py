"""How numbers are taken out of the tables and sentences of a rule text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from nomic.rulebook.charts import (
    ChartBroken,
    ChartMissing,
    Columns,
    RuleTable,
    RuleTables,
    cut,
    unless_off,
)
from proposals.rulebook import shipped_texts
from proposals.rules.clauses import CLAUSES

_DECIMAL = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_NUMBER = re.compile(r"[-−]?[0-9]+([.,][0-9]+)?")
_ANSWERS = {"yes": True, "no": False}


class Unplayable(ChartBroken):
    """A table can be read, and nobody could play by what it says."""


class Table(RuleTable):
    """A table of a rule by which votes are held."""

    def tenths(self, row: str, column: str, most: Decimal) -> Decimal:
        """The number in a cell, 0 to `most` in tenths, such as 1.0."""
        cell = self.cell(row, column)
        number = Decimal(cell) if _DECIMAL.fullmatch(cell) else None
        if number is None or number > most or number != round(number, 1):
            raise self.unfit(
                cell, f" under {column} for {cut(row)}", f"a number in tenths, from 0 to {most}"
            )
        return number

    def answer(self, row: str, column: str) -> bool:
        """Whether a cell says yes. Raises ChartBroken where it says neither yes nor no."""
        cell = self.cell(row, column)
        if cell.casefold() not in _ANSWERS:
            raise self.unfit(cell, f" under {column} for {cut(row)}", "yes or no")
        return _ANSWERS[cell.casefold()]

    def unfit(self, cell: str, where: str, wanted: str) -> ChartBroken:
        broken = super().unfit(cell, where, wanted)
        if not _NUMBER.fullmatch(cell):
            return broken
        return Unplayable(broken.rule, broken.sentence)


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
        except ChartMissing as missing:
            if not self.given.get(rule):
                raise
            raise ChartBroken(missing.rule, missing.sentence) from None

    def table(self, rule: str, first: str) -> Table:
        """The table of that rule whose first column is `first`; raises ChartBroken."""
        shipped = partial(shipped_texts, self.shipped) if self.shipped else None
        own = RuleTables(self.given, self.tables, shipped, CLAUSES).table(rule, first)
        return Table(own.rule, own.columns, own.rows, own.whole_rows)

    def number(self, rule: str, first: str, row: str, column: str, most: int) -> int:
        """The whole number in a cell, up to `most`; 0 where no rule in force says it."""
        return unless_off(lambda: self.table(rule, first).whole(row, column, 0, most), 0)

    def says(self, rule: str, first: str, row: str, *, unless: bool) -> bool:
        """Whether a table's answer in that row is yes; `unless` where no rule in force says it."""
        return unless_off(lambda: self.table(rule, first).answer(row, "ANSWER"), unless)
