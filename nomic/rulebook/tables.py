"""Tables in rule texts: what the players wrote as a table is what the program plays by.

Three ways of writing one are read, wherever in a text they stand:

- Markdown: ``| Horse | Cost |`` over a line ``|---|---|``;
- wiki: ``! Roll !! Visitor`` over rows ``| 4 || Thug``, or such rows alone;
- aligned by whitespace, over a line of dashes, as Agora's charts are.

Nothing here knows Django; reading takes time linear in the length of the text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import chain

from nomic.games.refusal import Refusal
from nomic.infrastructure.caching.memory import memoized

type Row = dict[str, str]
type Cells = list[str]
type NumberedRow = tuple[int, Cells]
type NamesIn = Callable[[str], list[str]]
"""The columns in a part of an aligned head such as ``HORSE           1 2 3 O X``, which has two."""

PARENTHESIS = re.compile(r"\([^()]*+\)")
WIDE_GAP = re.compile(r"\s{2,}+")
_EMPHASIS = "*_`'"
_RULER = "-:| \t"
FENCES = ("```", "~~~")


class Lack(Enum):
    """Why a table, or what a clause says in its place, cannot be played by."""

    UNREADABLE = "its text says something that cannot be read"
    UNPLAYABLE = "it can be read, and nobody could play by what it says"
    MISSING = "no rule in force says it: what needs it is off"


class TableBroken(Exception):
    """A table or clause of a rule's text cannot be played by.

    `sentence` says which table and row is wrong and how, for the players who can amend it; `rule`
    is the title of the rule that has it, or would have it, "" where only a text is known.
    """

    def __init__(self, sentence: str, rule: str = "", lack: Lack = Lack.UNREADABLE) -> None:
        super().__init__(sentence)
        self.sentence, self.rule, self.lack = sentence, rule, lack

    @property
    def is_missing(self) -> bool:
        """Whether no rule in force says it: then what needs it is off, and nothing is at fault."""
        return self.lack is Lack.MISSING

    @property
    def refusal(self) -> Refusal:
        """The refusal of what needs that table, in the name of its rule."""
        if self.is_missing:
            return Refusal("off", f"{self.sentence} What needs it is off.", self.rule)
        sentence = f"{self.sentence} What needs it waits until the rule's text is mended."
        return Refusal("table_broken", sentence, self.rule)


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of a text: how it is written ("markdown", "wiki" or "aligned"), the names of its
    columns, and the lines at which its head and its first row stand.

    `groups` are how many columns stand in each part between wide gaps of an aligned head. `rows`,
    from column to cell, are there once they have been read.
    """

    form: str
    columns: tuple[str, ...]
    head: int
    first: int
    groups: tuple[int, ...] = ()
    rows: tuple[Row, ...] = ()

    def by(self, column: str) -> dict[str, Row]:
        """The rows by their cell in `column`; TableBroken where one is empty, or where two rows
        have the same and contradict each other. A row that says the same twice is read once."""
        name = next((named for named in self.columns if plain(named) == plain(column)), None)
        if name is None:
            raise TableBroken(f"the table has no column “{column}”, only {', '.join(self.columns)}")
        rows: dict[str, Row] = {}
        for number, row in enumerate(self.rows, 1):
            key = row[name]
            if not key:
                raise TableBroken(f"row {number} of the table has nothing under “{name}”")
            if rows.get(key, row) != row:
                raise TableBroken(
                    f"“{key}” stands twice under “{name}”, the second time in row {number}"
                )
            rows[key] = row
        return rows


@memoized(share=0.03)
def find_table(text: str, *columns: str) -> TextTable | None:
    """The first table of `text` whose heading has all of `columns`, in any order.

    Names are compared without regard to case, emphasis and a parenthesis after them. Rows are
    keyed by the names as the caller spells them, other columns by the names in the heading.
    Where no table has such a heading, wiki rows without one are read with `columns` by position.
    None where there is no such table; TableBroken where there is and its rows do not fit the
    heading, or there are none.
    """
    if not columns:
        raise ValueError("find_table needs the name of at least one column")
    lines = lines_of(text)
    wanted = {plain(column): column for column in columns}
    for table in _with_heads(lines, partial(_names_in, wanted)):
        if wanted.keys() <= set(map(plain, table.columns)):
            keys = [wanted.get(plain(name), name) for name in table.columns]
            twice = next((key for at, key in enumerate(keys) if key in keys[:at]), None)
            if twice is not None:
                raise TableBroken(f"the heading of the table names the column “{twice}” twice")
            return _read(replace(table, columns=tuple(keys)), _rows(lines, table))
    bare = _without_head(lines, columns)
    if bare is not None:
        return bare
    # A head without its line of dashes is the usual slip: say so, and not that there is no table.
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("|") and wanted.keys() <= set(map(plain, pipe_cells(line))):
            raise TableBroken(
                f"line {number} of the text names the columns {', '.join(wanted.values())}, "
                "but no line of dashes with as many cells (|---|---|) stands under it"
            )
    return None


def lines_of(text: str) -> list[str]:
    """The text's lines, whichever line ends it has."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def plain(name: str) -> str:
    """The form in which names of columns are compared."""
    bare = " ".join(PARENTHESIS.sub(" ", name).strip().strip(_EMPHASIS).split())
    return (bare or name.strip()).casefold()


def shown(name: str) -> str:
    """A heading's own name for a column, without emphasis and parenthesis."""
    return PARENTHESIS.sub(" ", name).strip().strip(_EMPHASIS).strip() or name.strip()


def _rows(lines: Sequence[str], table: TextTable) -> list[NumberedRow]:
    """The cells of a table's rows, with their lines.

    Players add rows in wiki style to a Markdown table; they are read where they fit.
    """
    count = len(table.columns)
    if table.form == "wiki":
        return wiki_rows(lines, table.first, count)[0]
    below = [(at, lines[at].strip()) for at in range(table.first, end_of(lines, table))]
    if table.form == "markdown":
        return [(at, fitting(count, pipe_cells(line), wiki_cells(line))) for at, line in below]
    return [(at, aligned_cells(line, table.groups)) for at, line in below if line.strip(_RULER)]


def _read(table: TextTable, rows: list[NumberedRow]) -> TextTable:
    """The table with its rows; raises TableBroken."""
    keys = table.columns
    if not rows:
        raise TableBroken(f"the table with the columns {', '.join(keys)} has no rows")
    for place, (number, cells) in enumerate(rows, 1):
        if len(cells) != len(keys):
            count = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            raise TableBroken(
                f"row {place} of the table has {count} where the header has {len(keys)} "
                f"(line {number + 1} of the text)"
            )
    read = tuple(dict(zip(keys, cells, strict=True)) for _, cells in rows)
    return replace(table, rows=read)


def _with_heads(lines: Sequence[str], names_in: NamesIn) -> Iterator[TextTable]:
    """All tables that have a head, in the order of the text."""
    skip_to = 0
    for number, line in enumerate(lines):
        if number < skip_to:
            continue
        if line.lstrip().startswith("!"):
            table = wiki_table(lines, number)
            skip_to = table.first
            yield table
        elif number and is_ruler(line):
            above = lines[number - 1].strip()
            if "|" in line and is_markdown_head(above, line):
                yield markdown_table(above, number - 1)
            elif "|" not in line and above and not is_ruler(above):
                yield aligned_table(above, number - 1, names_in)


def end_of(lines: Sequence[str], table: TextTable) -> int:
    """The line after the table's last: of a wiki the first that is no row, else a blank one."""
    for number in range(table.first, len(lines)):
        line = lines[number].strip()
        if table.form == "wiki":
            ends = not line.startswith("|") or line.startswith("|}")
        else:
            ends = not line or line.startswith(FENCES)
        if ends:
            return number
    return len(lines)


def is_ruler(line: str) -> bool:
    """A line of dashes, as stands under a heading in Markdown and in aligned charts."""
    return "-" in line and not line.strip(_RULER)


def fitting(count: int, *readings: Cells) -> Cells:
    """The first reading of a row that has `count` cells, or else the first."""
    return next((cells for cells in readings if len(cells) == count), readings[0])


# Markdown


def pipe_cells(line: str) -> Cells:
    r"""The cells of a Markdown row. A pipe that belongs to a cell is written ``\|``."""
    line = line.strip()
    cells = [cell.replace("\0", "|").strip() for cell in line.replace("\\|", "\0").split("|")]
    if line.startswith("|"):
        cells = cells[1:]
    if len(cells) > 1 and line.endswith("|") and not line.endswith("\\|"):
        cells = cells[:-1]
    return cells


def markdown_table(line: str, head: int) -> TextTable:
    """The Markdown table with that line, whose number is `head`, over its ruler."""
    return TextTable("markdown", tuple(map(shown, pipe_cells(line))), head, head + 2)


def is_markdown_head(line: str, ruler: str) -> bool:
    return "|" in line and is_ruler(ruler) and len(pipe_cells(line)) == len(pipe_cells(ruler))


# Wiki


def wiki_cells(line: str) -> Cells:
    return [cell.strip() for cell in line.strip().removeprefix("|").split("||")]


def wiki_heading(lines: Sequence[str], start: int) -> tuple[Cells, int]:
    """The cells of the lines with ``!`` from `start` on, and the line after them."""
    cells: Cells = []
    number = start
    while number < len(lines) and lines[number].lstrip().startswith("!"):
        head = lines[number].strip()[1:].replace("||", "!!")
        cells += [cell.strip() for cell in head.split("!!")]
        number += 1
    return cells, number


def wiki_rows(lines: Sequence[str], start: int, count: int) -> tuple[list[NumberedRow], int]:
    """The rows from line `start` on, with their lines, and the line after them.

    A row is one line with ``||``, or several with one cell each between lines ``|-``.
    """
    rows: list[NumberedRow] = []
    unfinished: Cells = []
    number = start
    while number < len(lines):
        line = lines[number].strip()
        if line.startswith("|}") or not (line.startswith("|") or "||" in line):
            break
        if not line.startswith("|"):
            raise TableBroken(
                f"line {number + 1} of the text has cells of a table and does not begin with “|”"
            )
        cells = wiki_cells(line)
        separator = len(cells) == 1 and line.startswith(("|-", "|+"))
        if len(cells) == 1:
            cells = [] if separator else fitting(count, cells, pipe_cells(line))
        if not separator and len(cells) == 1 < count:
            unfinished += cells
        else:
            rows += [
                (row_line, row)
                for row_line, row in ((number - 1, unfinished), (number, cells))
                if row
            ]
            unfinished = []
        number += 1
    if unfinished:
        rows.append((number - 1, unfinished))
    return rows, number


def wiki_table(lines: Sequence[str], head: int) -> TextTable:
    """The wiki table whose head begins in that line; where none does, its columns have no names."""
    cells, first = wiki_heading(lines, head)
    names = tuple(map(shown, cells)) or ("",) * len(wiki_cells(lines[head]))
    return TextTable("wiki", names, head, first)


def _without_head(lines: Sequence[str], columns: tuple[str, ...]) -> TextTable | None:
    """The first block of wiki rows that stands under no heading and has a row of as many cells."""
    number = 0
    while number < len(lines):
        line = lines[number].lstrip()
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if line.startswith("!") or is_markdown_head(line, below):
            while number < len(lines) and lines[number].strip():
                number += 1
        elif line.startswith("|") and "||" in line and not line.startswith("|}"):
            start = number
            rows, number = wiki_rows(lines, start, len(columns))
            if any(len(cells) == len(columns) for _, cells in rows):
                return _read(TextTable("wiki", columns, start, start), rows)
        else:
            number += 1
    return None


# Aligned by whitespace


def aligned_table(line: str, head: int, names_in: NamesIn) -> TextTable:
    """The aligned table with that line, whose number is `head`, over its ruler."""
    parts = WIDE_GAP.split(PARENTHESIS.sub("  ", line.replace("\t", "  ")).strip())
    names_by_part = [names_in(part) for part in parts]
    names = tuple(chain.from_iterable(names_by_part))
    return TextTable("aligned", names, head, head + 2, tuple(map(len, names_by_part)))


def _names_in(wanted: dict[str, str], part: str) -> list[str]:
    """The columns in a part of a heading: several where words of it are asked for."""
    words = part.split(" ")
    if len(words) == 1 or plain(part) in wanted:
        return [part]
    longest = max(name.count(" ") for name in wanted) + 1
    names = []
    place = 0
    while place < len(words):
        for size in range(min(longest, len(words) - place), 0, -1):
            name = " ".join(words[place : place + size])
            if size == 1 or plain(name) in wanted:
                names.append(name)
                place += size
                break
    return names if any(plain(name) in wanted for name in names) else [part]


def aligned_cells(line: str, groups: tuple[int, ...]) -> Cells:
    """The cells of a row under a heading of `groups`; single spaces may stand inside a cell."""
    parts = WIDE_GAP.split(line.replace("\t", "  "))
    readings = [parts, line.split()]
    if len(parts) == len(groups):
        split = [
            [part] if size == 1 else part.split() for part, size in zip(parts, groups, strict=True)
        ]
        readings.insert(0, [cell for cells in split for cell in cells])
    return fitting(sum(groups), *readings)
