"""Adding rows to a table of a rule's text, in the form in which the table is written. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

from nomic.games.wording import counted
from nomic.rulebook import tables
from nomic.rulebook.edits.parts import WORDS, EditFailed, TextPart, shortened
from nomic.rulebook.tables import Cells, TableBroken, TextTable

_PARTS = re.compile(r"\S+(?:[ \t]\S+)*")
_HEADING = re.compile(r"\s*(?:#+\s|=\s*\S.*=\s*$|\*\*.+\*\*:?\s*$|__.+__:?\s*$)")
_AROUND = "=#*_:|+ \t"
_COUNT = (
    *("i one first", "ii two second", "iii three third", "iv four fourth", "v five fifth"),
    *("vi six sixth", "vii seven seventh", "viii eight eighth", "ix nine ninth", "x ten tenth"),
)
_TABLE_WORDS = re.compile(r"^the\s+|(?<!\s)\s+(?:table|chart|list)$")


def add_rows(text: str, name: str, rows: str, where: str = "in the text", title: str = "") -> str:
    """`text` with more rows at the end of the table of that name.

    A table's name is its caption or the heading over it, a column's, best the first's, or
    `title`, the rule's, where the rule has one table. The rows may be written in any of the three
    forms that tables have. Raises EditFailed.
    """
    lines = tables.lines_of(text)
    choices = _named(list(_tables(lines)), lines, name, title, where)
    table, before, added = _reading(choices, lines, rows.splitlines(), where)
    if not added:
        raise EditFailed(f"There are no rows to be added to the table {where}.")
    end = tables.end_of(lines, table)
    written = _written(table, lines[table.first : end], added)
    longer = [*lines[:end], *written, *lines[end:]]
    is_longer = tables.end_of(longer, table) == end + len(written)
    if not is_longer or table not in _tables(longer) or _rows(table, longer) != before + added:
        raise EditFailed(f"The rows cannot be written in the table {where} as it stands there.")
    return "\n".join(longer)


def replace_row(
    text: str,
    name: str,
    cell: str,
    row: str,
    where: str = "in the text",
    title: str = "",
    part: TextPart = WORDS,
) -> str:
    """`text` with the row of that table whose first cell is `cell`, or which `part` counts and its
    author has confirmed, replaced by `row`, or without it where that is empty. Raises EditFailed.

    A table is named as one to which rows are added; without a name it is the only one.
    """
    lines = tables.lines_of(text)
    choices = _named(list(_tables(lines)), lines, name, title, where)
    table, before, added = _reading(choices, lines, row.splitlines(), where)
    places = _lines_of_rows(table, lines)
    if part.counts:
        place = _confirmed_row([lines[at] for at in places], part, where)
    else:
        alike = [place for place, cells in enumerate(before) if _bare(cells[0]) == _bare(cell)]
        if len(alike) != 1 or len(added) > 1:
            often = "more than one row begins" if len(alike) > 1 else "no row begins"
            raise EditFailed(f"In the table {where} {often} with “{shortened(cell)}”.")
        (place,) = alike
    at = places[place]
    if len(tables.wiki_cells(lines[at])) < len(table.columns) and table.form == "wiki":
        raise EditFailed(f"The row stands on several lines {where}: quote them.")
    first = at - (table.form == "wiki" and not added and _parts(lines[at - 1].strip()))
    end = tables.end_of(lines, table)
    written = _written(table, lines[table.first : end], added)[-1:]
    changed = [*lines[:first], *written, *lines[at + 1 :]]
    expected = [*before[:place], *added, *before[place + 1 :]]
    if table not in _tables(changed) or _rows(table, changed) != expected:
        raise EditFailed(
            f"The table {where} cannot be written without that row as it stands there."
        )
    return "\n".join(changed)


def row_meant(
    text: str, name: str, cell: str, part: TextPart, passage: str, where: str, title: str
) -> TextPart:
    """That part with the row that it counts, below the heading, as `passage` or else as the site
    takes it. `cell` is the number by which it is counted, "" where words do. Raises EditFailed."""
    lines = tables.lines_of(text)
    table, cells, _ = _reading(
        _named(list(_tables(lines)), lines, name, title, where), lines, [], where
    )
    rows = [lines[at] for at in _lines_of_rows(table, lines)]
    if not passage:
        nth = part.which
        assert isinstance(nth, int)
        if len(rows) < max(abs(nth), 1) or (nth == 0 and len(rows) > 1):
            raise EditFailed(f"The table {where} has {counted(len(rows), 'row')}.")
        passage = rows[nth - (nth > 0)].strip()
        if cell and any(
            [at for at, row in enumerate(column, 1) if int(cell) in row] not in ([], [int(cell)])
            for column in _numberings(cells)
        ):
            raise EditFailed(
                f"Row {cell} of the table {where} is another than the one that says so."
            )
    confirmed = replace(part, passage=passage, times=sum(_alike(row, passage) for row in rows))
    _confirmed_row(rows, confirmed, where)
    return confirmed


def _numberings(rows: list[Cells]) -> Iterator[list[set[int]]]:
    """The numbers of the rows, for each column that may number them: the first, and others whose
    figures go up by one."""
    for place, column in enumerate(zip(*rows, strict=True)):
        numbers = [_numbers(cell) for cell in column]
        if place == 0 or all(len(cell) == 1 for cell in numbers):
            goes_up = all({min(a) + 1} == b for a, b in pairwise(numbers) if place)
            if goes_up:
                yield numbers


def _numbers(cell: str) -> set[int]:
    """The numbers that a cell tells, in figures, Roman ones or a word."""
    plain = unicodedata.normalize("NFKC", cell)
    word = plain.strip(" *_`.()#").lower()
    return {
        *map(int, re.findall(r"(?<!\d)\d{1,9}(?!\d)", plain)),
        *(at for at, names in enumerate(_COUNT, 1) if word in names.split()),
    }


def _confirmed_row(rows: list[str], part: TextPart, where: str) -> int:
    """Which of these rows is the one that is confirmed."""
    alike = [place for place, row in enumerate(rows) if _alike(row, part.passage)]
    shown = f"The row “{shortened(part.passage)}”, which its author confirmed,"
    if not alike:
        raise EditFailed(f"{shown} stands nowhere in the table {where}.")
    if part.times and len(alike) != part.times:
        raise EditFailed(
            f"{shown} stood {part.times} times {where} and stands {len(alike)} times now."
        )
    nth = part.which if isinstance(part.which, int) else 0
    by_number = nth - (nth > 0) if nth >= 0 else len(rows) + nth
    if len(alike) > 1 and by_number not in alike:
        raise EditFailed(f"{shown} stands {len(alike)} times {where}.")
    return alike[0] if len(alike) == 1 else by_number


def _alike(row: str, other: str) -> bool:
    return row.split() == other.split()


def _bare(cell: str) -> str:
    return " ".join(cell.split()).strip("*_")


def _lines_of_rows(table: TextTable, lines: Sequence[str]) -> list[int]:
    """The line of each row, the last one of those that have several."""
    if table.form == "wiki":
        return [line for line, _ in tables.wiki_rows(lines, table.first, len(table.columns))[0]]
    end = tables.end_of(lines, table)
    is_aligned = table.form == "aligned"
    return [
        line
        for line in range(table.first, end)
        if not (is_aligned and tables.is_ruler(lines[line]))
    ]


# Which table


def _named(
    of_the_text: list[TextTable], lines: Sequence[str], name: str, title: str, where: str
) -> list[TextTable]:
    """The readings of the one table of that name: those that begin at one place."""
    key = _key(name)
    levels = (
        [table for table in of_the_text if key in map(_key, _titles(lines, table.head))],
        [table for table in of_the_text if table.columns and key == _key(table.columns[0])],
        [table for table in of_the_text if key in map(_key, table.columns)],
        of_the_text if not key or key == _key(title) else [],
    )
    named: list[TextTable] = next((level for level in levels if level), [])
    called = f"table “{name.strip()}”" if key else "table"
    if not named:
        columns = dict.fromkeys(
            ", ".join(table.columns) for table in of_the_text if any(table.columns)
        )
        others_named = f" The columns of its tables are: {'; '.join(columns)}." if columns else ""
        raise EditFailed(f"There is no {called} {where}.{others_named}")
    if len({table.head for table in named}) > 1:
        raise EditFailed(
            f"It is not clear which table {where} is the {called}: name its first column."
        )
    return named


def _key(name: str) -> str:
    bare = _TABLE_WORDS.sub("", tables.plain(name.strip(_AROUND + '“”"')))
    return bare.removesuffix("s")


def _reading(
    choices: list[TextTable], lines: Sequence[str], added_lines: list[str], where: str
) -> tuple[TextTable, list[Cells], list[Cells]]:
    """The reading of a table by which its rows and the added ones all fit, and both as cells."""
    first: EditFailed | None = None
    for table in choices:
        try:
            before = _rows(table, lines)
            _must_fit(table, [f"Row {place}" for place in range(1, len(before) + 1)], before, where)
            added = _added(table, added_lines, where)
            quoted = [f"The row “{shortened(' | '.join(cells))}”" for cells in added]
            _must_fit(table, quoted, added, where)
        except TableBroken as broken:
            sentence = f"The table {where} cannot be read: {broken.sentence}."
            first = first or EditFailed(sentence)
        except EditFailed as unfit:
            first = first or unfit
        else:
            return table, before, added
    assert first is not None
    raise first


def _must_fit(table: TextTable, names: list[str], rows: list[Cells], where: str) -> None:
    for name, cells in zip(names, rows, strict=True):
        if len(cells) != len(table.columns):
            raise EditFailed(
                f"{name} has {counted(len(cells), 'cell')}, where the table {where} has"
                f" {counted(len(table.columns), 'column')}."
            )


# The rows that are there, and those that are added


def _rows(table: TextTable, lines: Sequence[str]) -> list[Cells]:
    """The cells of each row of the table; raises TableBroken."""
    if table.form == "wiki":
        return [cells for _, cells in tables.wiki_rows(lines, table.first, len(table.columns))[0]]
    below = lines[table.first : tables.end_of(lines, table)]
    is_aligned = table.form == "aligned"
    return [_cells(table, line) for line in below if not (is_aligned and tables.is_ruler(line))]


def _cells(table: TextTable, line: str) -> Cells:
    """One line's cells, in whichever of the three forms it is."""
    count = len(table.columns)
    if "|" in line:
        by_pipes, by_wiki = tables.pipe_cells(line), tables.wiki_cells(line)
        readings = (by_wiki, by_pipes) if "||" in line else (by_pipes, by_wiki)
        return tables.fitting(count, *readings)
    if table.groups:
        return tables.aligned_cells(line.strip(), table.groups)
    return tables.fitting(count, tables.WIDE_GAP.split(line.strip()), line.split())


def _added(table: TextTable, written: list[str], where: str) -> list[Cells]:
    """The cells of the added rows in the order of the table's columns, without a heading that
    repeats the table's own, in that order or another. EditFailed where it has other columns."""
    lines = [line.strip() for line in written]
    lines = [
        line for line in lines if line and not line.startswith(("{|", "|}", "|+", *tables.FENCES))
    ]
    has_heading = lines and (lines[0].startswith("!") or any(map(tables.is_ruler, lines[1:2])))
    if any(map(_parts, lines)) and not any("||" in line for line in lines) and not has_heading:
        return [cells for _, cells in tables.wiki_rows(lines, 0, len(table.columns))[0]]
    rows = [
        _cells(table, line.lstrip("!").replace("!!", "||"))
        for line in lines
        if not tables.is_ruler(line) and not _parts(line)
    ]
    columns = list(map(tables.plain, table.columns))
    if not any(columns):
        return rows[1:] if has_heading else rows
    heading = list(map(tables.plain, rows[0])) if rows else []
    if len(set(columns)) == len(columns) and sorted(heading) == sorted(columns):
        places = [heading.index(column) for column in columns]
        return [
            [cells[place] for place in places] if len(cells) == len(places) else cells
            for cells in rows[1:]
        ]
    if has_heading and heading != columns:
        raise EditFailed(
            f"The heading of the rows names other columns than the table {where}, which has"
            f" {', '.join(table.columns)}."
        )
    return rows[1:] if has_heading else rows


def _parts(line: str) -> bool:
    """Whether it is a line `|-`, which parts the rows of a wiki table."""
    return line.startswith("|-") and "|" not in line[1:]


# The rows as they are written


def _written(table: TextTable, above: Sequence[str], rows: list[Cells]) -> list[str]:
    """The rows in the table's form, below the lines that stand `above`."""
    last = next((line for line in reversed(above) if line.strip()), "")
    if table.form == "markdown":
        indent = last[: len(last) - len(last.lstrip())]
        escaped = ([cell.replace("|", "\\|") for cell in cells] for cells in rows)
        return [f"{indent}| {' | '.join(cells)} |" for cells in escaped]
    if table.form == "aligned":
        return [_aligned(table, last, cells) for cells in rows]
    lines = [line.strip() for line in above]
    parted = any(map(_parts, lines))
    upright = len(table.columns) > 1 and not any("||" in line for line in lines)
    written: list[str] = []
    for number, cells in enumerate(rows):
        if parted and (number or not _parts(lines[-1])):
            written.append("|-")
        if upright:
            written += [f"| {cell}" for cell in cells]
        else:
            written.append("| " + " || ".join(cells))
    return written


def _aligned(table: TextTable, last: str, cells: Cells) -> str:
    """A row under the parts of the row above it, with wide gaps between its own parts."""
    remaining = iter(cells)
    parts = [[next(remaining) for _ in range(size)] for size in table.groups]
    if any(" " in cell or not cell for part in parts if len(part) > 1 for cell in part):
        parts = [[cell] for cell in cells]
    starts = [part.start() for part in _PARTS.finditer(last)]
    if len(starts) != len(parts):
        starts = [0] * len(parts)
    line = " " * starts[0]
    for part, start in zip(parts, starts, strict=True):
        if line.strip():
            line = line.ljust(max(start, len(line) + 2))
        line += " ".join(part)
    return line


# All tables of a text


def _tables(lines: Sequence[str]) -> Iterator[TextTable]:
    """The tables in the order of the text; an aligned one once for each way to read its head."""
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        below = lines[number + 1] if number + 1 < len(lines) else ""
        readings: list[TextTable] = []
        if line.startswith("!"):
            readings = [tables.wiki_table(lines, number)]
        elif tables.is_markdown_head(line, below):
            readings = [tables.markdown_table(line, number)]
        elif line.startswith("|") and "||" in line and not line.startswith("|}"):
            readings = [tables.wiki_table(lines, number)]
        elif line and "|" not in below and tables.is_ruler(below) and not tables.is_ruler(line):
            by_gaps = tables.aligned_table(line, number, lambda part: [part])
            by_words = tables.aligned_table(line, number, str.split)
            if len(by_gaps.groups) > 1 and tables.end_of(lines, by_gaps) > by_gaps.first:
                readings = [by_gaps] if by_words.groups == by_gaps.groups else [by_gaps, by_words]
        yield from readings
        number = max([tables.end_of(lines, table) for table in readings], default=number + 1)


def _titles(lines: Sequence[str], head: int) -> tuple[str, ...]:
    """The table's possible captions: the line over it, and the heading over that."""
    above = [line for line in lines[:head] if line.strip()]
    while above and above[-1].strip().startswith(("{|", "|-")):
        above.pop()
    heading = next((line for line in reversed(above) if _HEADING.match(line)), "")
    return tuple(dict.fromkeys(line.strip() for line in (*above[-1:], heading) if line))


def rows_in(text: str) -> Iterator[tuple[TextTable, int, Cells]]:
    """The rows of each table of a text that stand on one line: with their table, the number of that
    line and their cells."""
    lines = tables.lines_of(text)
    read: set[int] = set()
    for table in _tables(lines):
        with suppress(TableBroken):
            for at in _lines_of_rows(table, lines):
                cells = _cells(table, lines[at])
                if at not in read and len(cells) == len(table.columns):
                    read.add(at)
                    yield table, at, cells
