"""Reports whose parts are tables: one description gives text, HTML and rows of a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from nomic.standard.reports import Facts, Report

LINE = 78
Cells = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a report as a table, or what is said where there is nothing to list."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[Cells]
    empty: str


class TabledReport(Report):
    """A report that is a heading, a few sentences and tables; all its forms are made of them."""

    def heading(self, facts: Facts) -> str:
        """What stands above it."""
        return self.title

    def about(self, facts: Facts) -> list[str]:
        """Of which game and moment it is, a line each."""
        return [f"{facts['game']}, as of {minute(facts['at'])} UTC"]

    def summary(self, facts: Facts) -> list[str]:
        """How things stand, a sentence a line."""
        return []

    def parts(self, facts: Facts) -> Iterable[Part]:
        """Its tables."""
        raise NotImplementedError

    def in_sheet(self, facts: Facts) -> Iterable[Part]:
        """The tables of which the sheet has the rows."""
        return self.parts(facts)

    def text(self, facts: Facts) -> str:
        summary = self.summary(facts)
        lines = [self.heading(facts).upper().replace("’", "'"), *self.about(facts), ""]
        lines += [*summary, ""] if summary else []
        for part in self.parts(facts):
            lines += [part.title.upper(), *aligned(part), ""]
        return "\n".join(lines).rstrip() + "\n"

    def html(self, facts: Facts) -> SafeString:
        said = [*self.about(facts), *self.summary(facts)]
        return format_html(
            "<h2>{}</h2>{}{}",
            self.heading(facts),
            format_html_join("", "<p>{}</p>", ((line,) for line in said)),
            format_html_join("", "{}", ((drawn(part),) for part in self.parts(facts))),
        )

    def rows(self, facts: Facts) -> list[list[Any]]:
        return facts_in_rows(self.in_sheet(facts))


def minute(moment: str) -> str:
    """A moment of the facts to the minute: “2022-08-01 12:00”; "" stays so."""
    return moment[:16].replace("T", " ")


def aligned(part: Part) -> list[str]:
    """The part in columns: numbers to the right, words to the left, the last column as it is."""
    if not part.rows:
        return [part.empty]
    table = [part.columns, *([str(cell) for cell in row] for row in part.rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(part.columns))]
    numbers = [isinstance(cell, int) for cell in part.rows[0]]
    lines = [_line(row, widths, numbers) for row in table]
    return [lines[0], "-" * min(LINE, max(map(len, lines))), *lines[1:]]


def _line(cells: Sequence[str], widths: list[int], numbers: list[bool]) -> str:
    padded = [
        cell.rjust(width) if number else cell.ljust(width)
        for cell, width, number in zip(cells, widths, numbers, strict=True)
    ]
    return "  ".join(padded).rstrip()


def drawn(part: Part) -> SafeString:
    """The part as HTML, whatever stands in its cells."""
    if not part.rows:
        return format_html("<h3>{}</h3><p>{}</p>", part.title, part.empty)
    return format_html(
        '<h3>{}</h3><div class="scroll" tabindex="0"><table><thead><tr>{}</tr></thead>'
        "<tbody>{}</tbody></table></div>",
        part.title,
        format_html_join("", '<th scope="col">{}</th>', ((name,) for name in part.columns)),
        format_html_join("", "<tr>{}</tr>", ((_row(row),) for row in part.rows)),
    )


def _row(cells: Iterable[Any]) -> SafeString:
    made = [
        format_html('<td class="number">{}</td>' if isinstance(cell, int) else "<td>{}</td>", cell)
        for cell in cells
    ]
    return mark_safe("".join(made))  # noqa: S308 (each cell is escaped above)


def facts_in_rows(parts: Iterable[Part]) -> list[list[Any]]:
    """All parts as rows of a sheet, one fact a row: part, name, what, value; headings first."""
    sheet: list[list[Any]] = [["part", "name", "what", "value"]]
    for part in parts:
        for name, *values in part.rows:
            told = zip(part.columns[1:], values, strict=True)
            sheet += [[part.title, name, column, value] for column, value in told]
    return sheet
