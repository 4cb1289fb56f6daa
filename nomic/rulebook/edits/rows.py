"""Adding rows to a table of a rule's text, in the form in which the table is written. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nomic.games.wording import counted
from nomic.rulebook import tables
from nomic.rulebook.edits.parts import EditFailed
from nomic.rulebook.tables import Cells, TableBroken

_PARTS = re.compile(r"\S+(?:[ \t]\S+)*")
_HEADING = re.compile(r"\s*(?:#+\s|=\s*\S.*=\s*$|\*\*.+\*\*:?\s*$|__.+__:?\s*$)")
_QUOTED = 60  # characters of a row that a sentence quotes
_AROUND = "=#*_:|+ \t"
_TABLE_WORDS = re.compile(r"^the\s+|(?<!\s)\s+(?:table|chart|list)$")


class NoTable(EditFailed):
    """The table to which rows are to be added is not there, or it is not clear which it is."""


class RowsDoNotFit(EditFailed):
    """The rows are not rows of that table, or the table cannot be read."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Where a table stands: its head, its first row and the line after its last, by line.

    `titles` are what may be its caption; `groups` are how many columns stand in each part of an
    aligned heading.
    """

    form: str
    names: tuple[str, ...]
    titles: tuple[str, ...]
    head: int
    first: int
    end: int
    groups: tuple[int, ...] = ()

    def rows(self, lines: Sequence[str]) -> list[Cells]:
        """The cells of each row; raises TableBroken."""
        if self.form == "wiki":
            return [cells for _, cells in tables.wiki_rows(lines, self.first, len(self.names))[0]]
        own = [line for line in lines[self.first : self.end] if line.strip()]
        if self.form == "aligned":
            own = [line for line in own if not tables.is_ruler(line)]
        return [self.cells(line) for line in own]

    def cells(self, line: str) -> Cells:
        """One line's cells, in whichever of the three forms it is."""
        count = len(self.names)
        if "|" in line:
            by_pipes, by_wiki = tables.pipe_cells(line), tables.wiki_cells(line)
            readings = (by_wiki, by_pipes) if "||" in line else (by_pipes, by_wiki)
            return tables.fitting(count, *readings)
        if self.groups:
            return tables.aligned_cells(line.strip(), self.groups)
        return tables.fitting(count, tables.WIDE_GAP.split(line.strip()), line.split())


def add_rows(text: str, name: str, rows: str, where: str = "in the text", title: str = "") -> str:
    """`text` with more rows at the end of the table of that name.

    A table's name is its caption or the heading over it, a column's, best the first's, or
    `title`, the rule's, where the rule has one table. The rows may be written in any of the three
    forms that tables have. Raises NoTable, RowsDoNotFit.
    """
    lines = tables.lines_of(text)
    choices = _named(list(_tables(lines)), name, title, where)
    table, before, added = _reading(choices, lines, rows.splitlines(), where)
    written = _written(table, lines, added)
    result = [*lines[: table.end], *written, *lines[table.end :]]
    longer = replace(table, end=table.end + len(written))
    again = next((each for each in _tables(result) if each == longer), None)
    if again is None or again.rows(result) != before + added:
        raise RowsDoNotFit(f"The rows cannot be written in the table {where} as it stands there.")
    return "\n".join(result)


# Which table


def _named(of_the_text: list[_Table], name: str, title: str, where: str) -> list[_Table]:
    """The readings of the one table of that name: those that begin at one place."""
    key = _key(name)
    levels = (
        [each for each in of_the_text if key in map(_key, each.titles)],
        [each for each in of_the_text if each.names and key == _key(each.names[0])],
        [each for each in of_the_text if key in map(_key, each.names)],
        of_the_text if not key or key == _key(title) else [],
    )
    found: list[_Table] = next((level for level in levels if level), [])
    called = f"table “{name.strip()}”" if key else "table"
    if not found:
        raise NoTable(f"There is no {called} {where}.{_known(of_the_text)}")
    if len({each.head for each in found}) > 1:
        raise NoTable(
            f"It is not clear which table {where} is the {called}: name its first column."
        )
    return found


def _known(of_the_text: list[_Table]) -> str:
    columns = dict.fromkeys(", ".join(each.names) for each in of_the_text if any(each.names))
    listed = "; ".join(columns)
    return f" The columns of its tables are: {listed}." if listed else ""


def _key(name: str) -> str:
    bare = _TABLE_WORDS.sub("", tables.plain(name.strip(_AROUND + '“”"')))
    return bare.removesuffix("s")


def _reading(
    choices: list[_Table], lines: Sequence[str], given: list[str], where: str
) -> tuple[_Table, list[Cells], list[Cells]]:
    """The reading of a table by which its rows and the given ones all fit, and both as cells."""
    first: RowsDoNotFit | None = None
    for table in choices:
        try:
            before = table.rows(lines)
            _must_fit(table, [f"Row {place}" for place in range(1, len(before) + 1)], before, where)
            added = _added(table, given)
            quoted = [f"The row “{_beginning(cells)}”" for cells in added]
            _must_fit(table, quoted, added, where)
        except TableBroken as broken:
            sentence = f"The table {where} cannot be read: {broken.sentence}."
            first = first or RowsDoNotFit(sentence)
        except RowsDoNotFit as unfit:
            first = first or unfit
        else:
            if not added:
                raise RowsDoNotFit(f"There are no rows to be added to the table {where}.")
            return table, before, added
    assert first is not None
    raise first


def _must_fit(table: _Table, names: list[str], rows: list[Cells], where: str) -> None:
    for name, cells in zip(names, rows, strict=True):
        if len(cells) != len(table.names):
            raise RowsDoNotFit(
                f"{name} has {counted(len(cells), 'cell')}, where the table {where} has"
                f" {counted(len(table.names), 'column')}."
            )


def _beginning(cells: Cells) -> str:
    words = " | ".join(cells)
    return words if len(words) <= _QUOTED else words[:_QUOTED].rstrip() + "…"


# The rows that are given


def _added(table: _Table, given: list[str]) -> list[Cells]:
    """The cells of the given rows, without a heading that repeats the table's own."""
    lines = [line.strip() for line in given]
    lines = [
        line for line in lines if line and not line.startswith(("{|", "|}", "|+", *tables.FENCES))
    ]
    has_heading = lines and (lines[0].startswith("!") or any(map(tables.is_ruler, lines[1:2])))
    if any(map(_parts, lines)) and not any("||" in line for line in lines) and not has_heading:
        return [cells for _, cells in tables.wiki_rows(lines, 0, len(table.names))[0]]
    rows = [
        table.cells(line.lstrip("!").replace("!!", "||"))
        for line in lines
        if not tables.is_ruler(line) and not _parts(line)
    ]
    return rows[1:] if has_heading and rows and _repeats(table, rows[0]) else rows


def _parts(line: str) -> bool:
    """Whether it is a line `|-`, which parts the rows of a wiki table."""
    return line.startswith("|-") and "|" not in line[1:]


def _repeats(table: _Table, heading: Cells) -> bool:
    return not any(table.names) or tuple(map(tables.plain, heading)) == tuple(
        map(tables.plain, table.names)
    )


# The rows as they are written


def _written(table: _Table, lines: Sequence[str], rows: list[Cells]) -> list[str]:
    last = next((line for line in reversed(lines[table.first : table.end]) if line.strip()), "")
    if table.form == "markdown":
        indent = last[: len(last) - len(last.lstrip())]
        escaped = ([cell.replace("|", "\\|") for cell in cells] for cells in rows)
        return [f"{indent}| {' | '.join(cells)} |" for cells in escaped]
    if table.form == "aligned":
        return [_aligned(table, last, cells) for cells in rows]
    return list(_wiki(table, lines, rows))


def _wiki(table: _Table, lines: Sequence[str], rows: list[Cells]) -> Iterator[str]:
    own = [line.strip() for line in lines[table.first : table.end]]
    parted = any(map(_parts, own))
    upright = len(table.names) > 1 and not any("||" in line for line in own)
    for number, cells in enumerate(rows):
        if parted and (number or not _parts(own[-1])):
            yield "|-"
        if upright:
            yield from (f"| {cell}" for cell in cells)
        else:
            yield "| " + " || ".join(cells)


def _aligned(table: _Table, last: str, cells: Cells) -> str:
    """A row under the parts of the row above it, with wide gaps between its own parts."""
    left = iter(cells)
    parts = [[next(left) for _ in range(size)] for size in table.groups]
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


def _tables(lines: Sequence[str]) -> Iterator[_Table]:
    """The tables in the order of the text; an aligned one once for each way to read its head."""
    number = 0
    while number < len(lines):
        found = list(_tables_at(lines, number))
        yield from found
        number = max([each.end for each in found], default=number + 1)


def _tables_at(lines: Sequence[str], head: int) -> Iterator[_Table]:
    line = lines[head].strip()
    below = lines[head + 1] if head + 1 < len(lines) else ""
    if line.startswith("!"):
        cells, first = tables.wiki_heading(lines, head)
        yield _wiki_table(lines, tuple(map(tables.shown, cells)), head, first)
    elif tables.is_markdown_head(line, below):
        end = _end(lines, head + 2)
        names = tuple(map(tables.shown, tables.pipe_cells(line)))
        yield _Table("markdown", names, _titles(lines, head), head, head + 2, end)
    elif line.startswith("|") and "||" in line:
        yield _wiki_table(lines, ("",) * len(tables.wiki_cells(line)), head, head)
    elif line and not tables.is_ruler(line) and "|" not in below and tables.is_ruler(below):
        yield from _aligned_tables(lines, head)


def _wiki_table(lines: Sequence[str], names: tuple[str, ...], head: int, first: int) -> _Table:
    end = first
    while end < len(lines) and lines[end].strip().startswith("|"):
        if lines[end].strip().startswith("|}"):
            break
        end += 1
    return _Table("wiki", names, _titles(lines, head), head, first, end)


def _aligned_tables(lines: Sequence[str], head: int) -> Iterator[_Table]:
    """The readings of an aligned table: by its wide gaps, and by every word of its heading."""
    parts = tables.WIDE_GAP.split(
        tables.PARENTHESIS.sub("  ", lines[head].replace("\t", "  ")).strip()
    )
    end = _end(lines, head + 2)
    if end == head + 2 or len(parts) == 1:
        return
    words = [part.split() for part in parts]
    titles = _titles(lines, head)
    yield _Table("aligned", tuple(parts), titles, head, head + 2, end, (1,) * len(parts))
    if any(len(part) > 1 for part in words):
        names = tuple(word for own in words for word in own)
        groups = tuple(map(len, words))
        yield _Table("aligned", names, titles, head, head + 2, end, groups)


def _end(lines: Sequence[str], number: int) -> int:
    while number < len(lines) and lines[number].strip():
        if lines[number].strip().startswith(tables.FENCES):
            break
        number += 1
    return number


def _titles(lines: Sequence[str], head: int) -> tuple[str, ...]:
    """What may be the table's caption: the line over it, and the heading over that."""
    above = [line for line in lines[:head] if line.strip()]
    while above and above[-1].strip().startswith(("{|", "|-")):
        above.pop()
    heading = next((line for line in reversed(above) if _HEADING.match(line)), "")
    return tuple(dict.fromkeys(line.strip() for line in (*above[-1:], heading) if line))
