"""Texts of rules in which something of a table is gone, has changed places or reads otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from nomic.rulebook.tables import is_ruler, pipe_cells

type Cells = tuple[str, ...]

# What rows of a wiki under no heading are read as.
NO_HEADING = ("Roll", "Visitor")
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as it stands in the lines from `start` to before `end` of a text."""

    start: int
    end: int
    head: Cells
    rows: tuple[Cells, ...]
    is_wiki: bool

    def lines(self, *, head: bool = True, ruler: bool = True) -> list[str]:
        """The table as a text has it, perhaps without the line of its head or that below it."""
        if self.is_wiki:
            told = [f"! {' !! '.join(self.head)}"] if head else []
            return [*told, *(f"| {' || '.join(row)}" for row in self.rows)]
        told = [_piped(self.head)] if head else []
        told += [_piped(("---",) * len(self.head))] if ruler else []
        return [*told, *map(_piped, self.rows)]

    def says(self, head: Cells = (), rows: tuple[Cells, ...] | None = None) -> list[str]:
        """The table with another head, or other rows."""
        return replace(
            self, head=head or self.head, rows=self.rows if rows is None else rows
        ).lines()


def _piped(cells: Cells) -> str:
    return f"| {' | '.join(cells)} |"


def grids(text: str) -> Iterator[Grid]:
    """The tables of that text, in its order."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        is_bare = "||" in line and not (number and lines[number - 1].startswith(("!", "|")))
        is_wiki = line.startswith("!") or is_bare
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if not is_wiki and not (line.startswith("|") and is_ruler(below)):
            continue
        end = number
        while end < len(lines) and lines[end].startswith(("|", "!")):
            end += 1
        own = lines[number:end]
        if is_wiki:
            rows = [each.removeprefix("|").split("||") for each in own[not is_bare :]]
            head = list(NO_HEADING) if is_bare else own[0].removeprefix("!").split("!!")
        else:
            rows = list(map(pipe_cells, own[2:]))
            head = pipe_cells(own[0])
        yield Grid(number, end, _stripped(head), tuple(map(_stripped, rows)), is_wiki)


def _stripped(cells: list[str]) -> Cells:
    return tuple(cell.strip() for cell in cells)


type Told = tuple[str, list[str]]


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """Every mutant of that text: what was done, and the text then. None is the text itself."""
    for grid in grids(text):
        yield from _mutants_of(text, grid)


def sample(text: str) -> Iterator[tuple[str, str]]:
    """Of each table of that text one mutant of each kind, always the same; of all that change
    places one."""
    for grid in grids(text):
        by_kind: dict[str, list[str]] = {}
        for kind, mutant in _mutants_of(text, grid):
            by_kind.setdefault("swap" if kind.startswith("swap") else kind, []).append(mutant)
        for kind, several in by_kind.items():
            yield kind, Random(f"{kind}{grid.start}").choice(several)


def _mutants_of(text: str, grid: Grid) -> Iterator[tuple[str, str]]:
    lines = text.split("\n")
    for kinds in (_without(grid), _swapped(grid), _renamed(grid)):
        for kind, own in kinds:
            mutant = "\n".join([*lines[: grid.start], *own, *lines[grid.end :]])
            if mutant != text:
                yield kind, mutant


def _without(grid: Grid) -> Iterator[Told]:
    """The table without its head, a row, a column or a cell, and no table at all."""
    yield "delete table", []
    yield "delete header line", grid.lines(head=False)
    if not grid.is_wiki:
        yield "delete header", grid.lines(head=False, ruler=False)
        yield "delete header", grid.lines(ruler=False)
    for place in range(len(grid.rows)):
        yield "delete row", grid.says(rows=_but(grid.rows, place))
    for column in range(len(grid.head)):
        rows = tuple(_but(row, column) for row in grid.rows)
        yield "delete column", grid.says(_but(grid.head, column) or ("",), rows)
        yield "delete header", grid.says(_put(grid.head, column, ""))
    for place, row in enumerate(grid.rows):
        for column in range(len(row)):
            yield "delete cell", grid.says(rows=_put(grid.rows, place, _but(row, column)))
            yield "delete cell", grid.says(rows=_put(grid.rows, place, _put(row, column, "")))


def _swapped(grid: Grid) -> Iterator[Told]:
    """The table with two rows, columns, headers or cells in each other's places."""
    for one, other in combinations(range(len(grid.rows)), 2):
        yield "swap rows", grid.says(rows=_swap(grid.rows, one, other))
        for column in range(len(grid.head)):
            first, second = grid.rows[one][column], grid.rows[other][column]
            rows = _put(grid.rows, one, _put(grid.rows[one], column, second))
            rows = _put(rows, other, _put(grid.rows[other], column, first))
            yield "swap cells", grid.says(rows=rows)
    for one, other in combinations(range(len(grid.head)), 2):
        head = _swap(grid.head, one, other)
        yield "swap columns", grid.says(head, tuple(_swap(row, one, other) for row in grid.rows))
        yield "swap headers", grid.says(head)
        for place, row in enumerate(grid.rows):
            rows = _put(grid.rows, place, _swap(row, one, other))
            yield "swap cells", grid.says(rows=rows)


def _renamed(grid: Grid) -> Iterator[Told]:
    """The table with another name in its head, or another word or number in a cell."""
    for column, name in enumerate(grid.head):
        yield "rename header", grid.says(_put(grid.head, column, f"FORMER {name}"))
    for place, row in enumerate(grid.rows):
        for column, cell in enumerate(row):
            other = str(int(cell) + 1) if cell.isdecimal() else f"{cell} once"
            yield "change cell", grid.says(rows=_put(grid.rows, place, _put(row, column, other)))


def _but[Each](all_of_them: tuple[Each, ...], place: int) -> tuple[Each, ...]:
    return (*all_of_them[:place], *all_of_them[place + 1 :])


def _put[Each](all_of_them: tuple[Each, ...], place: int, each: Each) -> tuple[Each, ...]:
    return (*all_of_them[:place], each, *all_of_them[place + 1 :])


def _swap[Each](all_of_them: tuple[Each, ...], one: int, other: int) -> tuple[Each, ...]:
    first, second = all_of_them[one], all_of_them[other]
    return _put(_put(all_of_them, one, second), other, first)


def meaning(text: str, labels: Collection[str]) -> object:
    """What the tables of that text say, whatever order their rows and columns have.

    Columns with `labels` as their names only name rows for people, and an empty cell says nothing,
    as one with a dash does.
    """
    return frozenset(
        frozenset(
            frozenset(
                (name, cell or NOTHING)
                for name, cell in zip(grid.head, row, strict=False)
                if name not in labels
            )
            for row in grid.rows
        )
        for grid in grids(text)
    )
