"""Which rows of a text's tables the program reads. Pure.

A row is read if the program looks it up by the very words in its first column, and if it says
nothing where nothing is read: in a column that the table does not have in the text that a game
starts with, or in a cell that is empty there.
"""

from collections.abc import Iterable, Iterator, Mapping

from nomic.rulebook import tables
from nomic.rulebook.charts import EMPTY_CELLS
from nomic.rulebook.passages import Passage, PassageKind, normalised, passages_of
from nomic.rulebook.tables import Cells

type Columns = tuple[str, ...]


def row_key(first_column: str, row: str) -> str:
    """By what a row of the table that begins with this column is known."""
    return f"{tables.plain(first_column)} | {_cells(row)[0].strip()}"


def empty_cells(columns: Columns, row: str) -> frozenset[str]:
    """The columns in which this row has nothing."""
    cells = zip(map(tables.plain, columns), _cells(row), strict=False)
    return frozenset(name for name, cell in cells if cell in EMPTY_CELLS)


def tables_of(text: str) -> dict[Columns, list[str]]:
    """The tables of a text that have a heading: by their columns, the rows as they are written."""
    passages = passages_of(text)
    rows_by_columns: dict[Columns, list[str]] = {}
    for head, places in _tables(text, passages):
        if head is not None:
            rows = [passages[place].text for place in places[1:]]
            rows_by_columns.setdefault(tuple(_cells(head)), []).extend(rows)
    return rows_by_columns


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
    Rows under no heading are read as the first table that was not read before them.
    """
    read: set[int] = set()
    unread = list(columns_read)
    for head, places in _tables(text, passages):
        named = (columns for columns in unread if head is None or _names(head, columns))
        columns = next(named, None)
        if columns is None:
            continue
        unread.remove(columns)
        columns_there = columns
        if head is not None:
            place, *places = places
            if _is_exact(head, columns):
                read.add(place)
            if _has_more(head, columns):
                continue
            columns_there = tuple(cells) if len(cells := _cells(head)) == len(columns) else columns
        for place in places:
            row = passages[place].text
            if columns[0] in open_tables:
                read.add(place)
                continue
            # What stands in a cell that the shipped row has empty is read by nobody.
            empty = rows.get(row_key(columns[0], row))
            if empty is not None and empty <= empty_cells(columns_there, row):
                read.add(place)
    return read


def rows_under(text: str, columns: Iterable[Columns]) -> set[int]:
    """The places of the rows of those tables of a text whose headings name some of these columns,
    with their heads."""
    several = [*columns]
    return {
        place
        for head, places in _tables(text, passages_of(text))
        if head is not None and any(_names(head, names) for names in several)
        for place in places
    }


def _tables(text: str, passages: tuple[Passage, ...]) -> Iterator[tuple[str | None, list[int]]]:
    """The head's line of each table, None where it has no head, and the places of all its rows: a
    table begins with its head, or behind another passage or a blank line."""
    head: str | None = None
    places: list[int] = []
    for place, passage in enumerate(passages):
        if passage.kind is not PassageKind.ROW:
            continue
        lines = passage.text.split("\n")
        is_head = lines[0].startswith("!") or tables.is_ruler(lines[-1])
        gap = text[passages[place - 1].end : passage.start] if places else ""
        if places and (is_head or places[-1] != place - 1 or gap.count("\n") > 1):
            yield head, places
            head, places = None, []
        if is_head:
            head = lines[0].removeprefix("!").replace("!!", "||")
        places.append(place)
    if places:
        yield head, places


def _names(head: str, columns: Columns) -> bool:
    """Whether the head names these columns, whatever more it says."""
    return set(map(tables.plain, columns)) <= set(map(tables.plain, (*_cells(head), *head.split())))


def _is_exact(head: str, columns: Columns) -> bool:
    """Whether the head reads as the program knows it."""
    if sorted(map(_written, _cells(head))) == sorted(map(_written, columns)):
        return True
    return "|" not in head and _written(head) == _written(" ".join(columns))


def _has_more(head: str, columns: Columns) -> bool:
    """Whether the head has more columns than these."""
    if "|" in head:
        return len(_cells(head)) > len(columns)
    return _words(head) > _words(" ".join(columns))


def _written(name: str) -> str:
    return normalised(name).casefold()


def _words(names: str) -> int:
    return len(tables.PARENTHESIS.sub(" ", names).split())


def _cells(line: str) -> Cells:
    if "||" in line:
        return tables.wiki_cells(line)
    return tables.pipe_cells(line) if "|" in line else tables.WIDE_GAP.split(line.strip())
