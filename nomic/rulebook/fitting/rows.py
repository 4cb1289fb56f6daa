"""Which rows of a text's tables the program reads. Pure.

A row is read if the program looks it up by the very words in its first column, and if it says
nothing where nothing is read: in a column that the table does not have in the text that a game
starts with, or in a cell that is empty there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nomic.rulebook import tables
from nomic.rulebook.charts import EMPTY_CELLS
from nomic.rulebook.passages import Kind, Passage, normalised, passages_of
from nomic.rulebook.tables import Cells

type Columns = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Head:
    """The head of a table in a text: the columns that the program reads under it, those that stand
    there, and whether it reads as the program knows it."""

    columns: Columns
    names: Columns
    is_exact: bool
    has_more: bool


def row_key(first_column: str, row: str) -> str:
    """By what a row of the table that begins with this column is known."""
    return f"{tables.plain(first_column)} | {_cells(row)[0].strip()}"


def empty_cells(columns: Columns, row: str) -> frozenset[str]:
    """The columns in which this row has nothing."""
    cells = zip(map(tables.plain, columns), _cells(row), strict=False)
    return frozenset(name for name, cell in cells if cell in EMPTY_CELLS)


def tables_of(text: str) -> dict[Columns, list[str]]:
    """The tables of a text that have a heading: by their columns, the rows as they are written."""
    found: dict[Columns, list[str]] = {}
    rows: list[str] = []
    for passage in passages_of(text):
        if passage.kind is Kind.ROW and _is_head(passage.text):
            rows = found.setdefault(tuple(_cells(_head_line(passage.text))), [])
        elif passage.kind is Kind.ROW:
            rows.append(passage.text)
    return found


def rows_read(
    text: str,
    passages: tuple[Passage, ...],
    columns_read: Iterable[Columns],
    open_tables: frozenset[str],
    rows: Mapping[str, frozenset[str]],
) -> set[int]:
    """The places of the rows that the program reads, those of heads among them.

    Of two tables with the same columns it reads the first. Of `open_tables`, by their first
    column, it reads whatever rows there are, of others those of `rows`, which says what is empty.
    """
    found: set[int] = set()
    unread = list(columns_read)
    head: _Head | None = None
    before: Passage | None = None
    for place, passage in enumerate(passages):
        if passage.kind is Kind.ROW:
            is_head = _is_head(passage.text)
            if is_head or before is None or _parted(text, before, passage):
                head = _head_of(passage.text, unread) if is_head else _bare(unread)
                if head is not None:
                    unread.remove(head.columns)
            if head is None:
                is_read = False
            elif is_head:
                is_read = head.is_exact
            else:
                is_read = _is_read(head, passage.text, open_tables, rows)
            if is_read:
                found.add(place)
        before = passage if passage.kind is Kind.ROW else None
    return found


def _is_read(
    head: _Head, row: str, open_tables: frozenset[str], rows: Mapping[str, frozenset[str]]
) -> bool:
    if head.has_more:
        return False
    first = head.columns[0]
    if first in open_tables:
        return True
    empty = rows.get(row_key(first, row))
    return empty is not None and empty <= empty_cells(head.names, row)


def _head_line(head: str) -> str:
    return head.partition("\n")[0].removeprefix("!").replace("!!", "||")


def _parted(text: str, before: Passage, row: Passage) -> bool:
    return text.count("\n", before.end, row.start) > 1


def _is_head(row: str) -> bool:
    return row.startswith("!") or tables.is_ruler(row.rpartition("\n")[2])


def _head_of(head: str, unread: Iterable[Columns]) -> _Head | None:
    """The head as that of one of these tables, whatever more it says."""
    line = _head_line(head)
    cells = _cells(line)
    names = {tables.plain(cell) for cell in (*cells, *line.split())}
    columns = next((each for each in unread if set(map(tables.plain, each)) <= names), None)
    if columns is None:
        return None
    is_exact = sorted(map(_written, cells)) == sorted(map(_written, columns))
    is_aligned = "|" not in line
    return _Head(
        columns,
        tuple(cells) if len(cells) == len(columns) else columns,
        is_exact or (is_aligned and _written(line) == _written(" ".join(columns))),
        _words(line) > _words(" ".join(columns)) if is_aligned else len(cells) > len(columns),
    )


def _written(name: str) -> str:
    return normalised(name).casefold()


def _words(names: str) -> int:
    return len(tables.PARENTHESIS.sub(" ", names).split())


def _bare(unread: list[Columns]) -> _Head | None:
    """What rows under no heading are read as."""
    return _Head(unread[0], unread[0], is_exact=True, has_more=False) if unread else None


def _cells(line: str) -> Cells:
    if "||" in line:
        return tables.wiki_cells(line)
    return tables.pipe_cells(line) if "|" in line else tables.WIDE_GAP.split(line.strip())
