"""Taking numbers out of rule texts, for the machinery that plays by them.

A cell is read from a table of the rule in force, or from a sentence of it that a declared clause
reads. What neither has is missing, and off. What cannot be read is broken, and then the last
version of the rule counts that can be (`last_readable.py`). Nothing here knows Django.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from nomic.rulebook.clauses import Clause, cells_of, unread_cells
from nomic.rulebook.tables import Lack, TableBroken, find_table

type Columns = tuple[str, ...]

EMPTY_CELLS = frozenset({"", "-", "–", "—"})
MOST = 999_999
_WHOLE = re.compile(r"[0-9]{1,6}")
_LONGEST_QUOTED = 40


def unless_broken[T, Other](read: Callable[[], T], broken: Other) -> T | Other:
    """The value read, and `broken` where a table cannot be read, or no rule in force says it."""
    try:
        return read()
    except TableBroken:
        return broken


def unless_off[T](read: Callable[[], T], off: T) -> T:
    """The value read, and `off` where no rule in force says it."""
    try:
        return read()
    except TableBroken as broken:
        if not broken.is_missing:
            raise
        return off


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table of a rule, its rows by their first column, and how to take numbers out of it.

    With `whole_rows` a row or cell that is missing is a fault, and not off.
    """

    rule: str
    columns: Columns
    rows: Mapping[str, Mapping[str, str]]
    whole_rows: bool = False

    def __str__(self) -> str:
        return f"The table “{self.columns[0]}” of {self.rule}"

    def broken(self, words: str) -> TableBroken:
        """The error that says these words of this table, for the caller to raise."""
        return TableBroken(f"{self} {words}", self.rule)

    def absent(self, sentence: str) -> TableBroken:
        """The error that something of this table is not there."""
        lack = Lack.UNREADABLE if self.whole_rows else Lack.MISSING
        return TableBroken(sentence, self.rule, lack)

    def cell(self, row: str, column: str) -> str:
        """The words in that cell; TableBroken, as missing, where there is none."""
        if row not in self.rows:
            raise self.absent(f"{self} has no row “{cut(row)}”.")
        if column not in self.rows[row]:
            raise self.absent(f"{self.rule} has no {column} for {cut(row)}.")
        return self.rows[row][column].strip()

    def whole(self, row: str, column: str, least: int = 0, most: int = MOST) -> int:
        """The whole number in a cell, `least` to `most`."""
        cell = self.cell(row, column)
        return self.as_whole(cell, f" under {column} for {cut(row)}", least, most)

    def as_whole(self, cell: str, where: str = "", least: int = 0, most: int = MOST) -> int:
        """The whole number that this cell is; `where` says in a sentence where it stands."""
        if not _WHOLE.fullmatch(cell) or not least <= int(cell) <= most:
            raise self.unfit(cell, where, f"a whole number from {least} to {most}")
        return int(cell)

    def unfit(self, cell: str, where: str, wanted: str) -> TableBroken:
        """The error that the cell, which stands there, is not what is wanted."""
        return self.broken(f"has “{cut(cell)}”{where} instead of {wanted}.")

    def wholes(self, column: str, keys: tuple[int, int], cells: tuple[int, int]) -> dict[int, int]:
        """A table of numbers under numbers, with the least and the most of each side."""
        numbers: dict[int, int] = {}
        for row in self.rows:
            key = self.as_whole(row, "", *keys)
            if key in numbers:
                raise self.broken(f"has {key} twice.")
            numbers[key] = self.whole(row, column, *cells)
        return numbers


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The tables of some rule texts, by the rules' titles.

    `known` are the columns of each table that a text may have; `clauses` are sentences that say
    cells of them. Rows under no heading are read as the first of them.
    """

    texts: Mapping[str, str]
    known: Mapping[str, tuple[Columns, ...]]
    clauses: tuple[Clause, ...] = ()

    def table(self, rule: str, first: str) -> RuleTable:
        """The table of that rule whose first column is `first`; raises TableBroken."""
        columns = next(names for names in self.known[rule] if names[0] == first)
        text = self.texts.get(rule, "")
        written = find_rule_table(rule, text, columns, bare=columns == self.known[rule][0])
        clauses = _clauses_of(self.clauses, rule, first)
        table = with_cells(rule, columns, written, text, clauses)
        if table is None:
            raise TableBroken(_nothing(rule, text, columns), rule, Lack.MISSING)
        return table

    def missing(self) -> Iterator[str]:
        """A sentence for each table that is off, since no rule in force has it."""
        for rule, tables in self.known.items():
            for columns in tables:
                try:
                    self.table(rule, columns[0])
                except TableBroken as broken:
                    if broken.is_missing:
                        yield broken.sentence


def with_cells(
    rule: str,
    columns: Columns,
    table: RuleTable | None,
    text: str,
    clauses: Collection[Clause],
) -> RuleTable | None:
    """The table with what sentences say of it; TableBroken where two places do not agree.

    Where only words stand in the place of a number, they are the cell, which cannot be read.
    """
    if not clauses:
        return table
    from_sentences = cells_of(text, clauses)
    rows = {row: dict(cells) for row, cells in table.rows.items()} if table else {}
    for (row, column), cells in from_sentences.items():
        written = rows.get(row, {}).get(column)
        both = sorted(cells if written is None else {*cells, written.strip()})
        if len(both) > 1:
            raise TableBroken(
                f"The text of {rule} has {' and '.join(map(cut, both))} under {column} for"
                f" {cut(row)}: say the same in every place.",
                rule,
            )
        rows.setdefault(row, {})[column] = both[0]
    for (row, column), words in unread_cells(text, clauses).items():
        rows.setdefault(row, {}).setdefault(column, words)
    return RuleTable(rule, columns, rows) if rows else None


def _clauses_of(clauses: Iterable[Clause], rule: str, table: str) -> tuple[Clause, ...]:
    return tuple(clause for clause in clauses if (clause.rule, clause.table) == (rule, table))


def _nothing(rule: str, text: str, columns: Columns) -> str:
    if not text:
        return f"The rule {rule} is not in force."
    return f"The text of {rule} has no table with the columns {', '.join(columns)}."


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that the program reads wherever a rule's text has it, and that this text has not.

    `had` tells whether another text of the rule has it.
    """

    rule: str
    sentence: str
    had: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Needed:
    """A table that the program plays by wherever the text of its rule has it.

    `rows` are those that it looks up by their names; none where it reads whatever rows there are.
    With `bare`, rows under no heading are taken for it, too. `always` are cells, by row and column,
    that the program takes for granted: nothing else can stand there.
    """

    rule: str
    columns: Columns
    rows: Columns = ()
    bare: bool = False
    clauses: tuple[Clause, ...] = ()
    always: tuple[tuple[str, str, str], ...] = ()

    def within(self, text: str) -> RuleTable | None:
        """The table, with what sentences say of it; raises TableBroken."""
        written = find_rule_table(self.rule, text, self.columns, self.bare)
        return with_cells(self.rule, self.columns, written, text, self.clauses)

    def gaps(self, text: str) -> Iterator[Gap]:
        """The parts of it that the text does not have; all of it where it cannot be read."""
        try:
            table = self.within(text)
        except TableBroken as broken:
            yield self._gap(broken.sentence)
            return
        if table is None:
            yield self._gap(f"{_nothing(self.rule, text, self.columns)[:-1]} any more.")
            return
        for row in self.rows or table.rows:
            if row not in table.rows:
                yield self._gap(f"{table} has no row “{cut(row)}” any more.", row)
                continue
            for column in self.columns[1:]:
                if not table.rows[row].get(column, "").strip():
                    sentence = f"{table} has nothing under {column} for {cut(row)} any more."
                    yield self._gap(sentence, row, column)
        for row, column, cell in self.always:
            stated = table.rows.get(row, {}).get(column, cell).strip()
            if stated and stated != cell:
                sentence = (
                    f"{table} has “{cut(stated)}” under {column} for {row}, where only {cell} can"
                    " be."
                )
                yield self._gap(sentence, row, column)

    def _gap(self, sentence: str, row: str = "", column: str = "") -> Gap:
        def had(text: str) -> bool:
            table = unless_broken(lambda: self.within(text), None)
            if table is None or not row:
                return table is not None
            cells = table.rows.get(row, {})
            return cells.get(column, "").strip() not in EMPTY_CELLS if column else bool(cells)

        return Gap(self.rule, sentence, had)


def needed_of(
    tables: Mapping[str, Iterable[Columns]],
    texts: Mapping[str, str],
    clauses: Iterable[Clause] = (),
    open_tables: Collection[str] = (),
) -> Iterator[Needed]:
    """The tables that the program needs of rules, by the columns of each one's.

    It looks up the rows that the rules' `texts` have, as a game starts with them; of `open_tables`,
    by their first column, it reads whatever rows there are. What those texts do not say a rule may
    say and leave out again. Rows under no heading are read as the first table of a rule.
    """
    for rule, columns_of_rule in tables.items():
        for place, columns in enumerate(columns_of_rule):
            of_table = _clauses_of(clauses, rule, columns[0])
            table = Needed(rule, columns, bare=place == 0, clauses=of_table)
            shipped = table.within(texts.get(rule, ""))
            if columns[0] in open_tables:
                yield table
            elif shipped is not None:
                yield replace(table, rows=tuple(shipped.rows))


def find_rule_table(rule: str, text: str, columns: Columns, bare: bool = False) -> RuleTable | None:
    """The table with these columns in the text of that rule, if it has one; raises TableBroken.

    With `bare`, wiki rows under no heading are taken for it, too.
    """
    if not bare and columns[0].casefold() not in " ".join(text.casefold().split()):
        return None
    try:
        chart = find_table(text, *columns)
        return None if chart is None else RuleTable(rule, columns, chart.by(columns[0]))
    except TableBroken as broken:
        raise TableBroken(
            f"The table “{columns[0]}” of {rule} cannot be read: {broken.sentence}", rule
        ) from broken


def cut(text: str, longest: int = _LONGEST_QUOTED) -> str:
    """A cell as a sentence quotes it, or a text of at most so many characters."""
    return text if len(text) <= longest else f"{text[: max(longest - 1, 0)]}…"
