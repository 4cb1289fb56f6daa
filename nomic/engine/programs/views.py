"""Views of programs, as values that a page draws: nothing that they say is markup."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from itertools import accumulate
from typing import Any

from nomic.engine.programs.declarations import DeclaredView
from nomic.engine.programs.in_force import Program
from nomic.engine.programs.running import Programs
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.games.bounds import VIEW_KILOBYTES, VIEWS_KILOBYTES
from nomic.infrastructure.caching.memory import BoundedCache

MOST_ROWS = 100
_MOST_ROWS_MADE = 10**9
_MOST_COLUMNS = 12
_LONGEST = 60  # characters of a cell
_WIDTH, _HEIGHT = 320, 120
_FRAME, _CELL = 300, 15  # bytes of a page around a view, and around a cell
_AGAIN = timedelta(seconds=10)  # after which one is drawn anew that was late
_KEPT: BoundedCache[tuple[int, int, int, str], tuple[Drawing, datetime | None]] = BoundedCache(0.05)


@dataclass(frozen=True, slots=True)
class AmountBar:
    """An amount as it is written, and as a share of the whole in percent."""

    name: str
    said: str
    percent: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """One view: a table, bars, a series as the points of a line, or a track; or what is wrong.

    `more` is how many rows are left out.
    """

    title: str
    rule: str
    kind: str = ""
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    bars: tuple[AmountBar, ...] = ()
    line: str = ""
    unit: str = ""
    more: int = 0
    wrong: str = ""

    @property
    def bytes(self) -> int:
        """About how many bytes of a page it takes."""
        texts = [self.title, self.rule, self.line, self.unit, self.wrong, *self.headings]
        texts += [bar.name + bar.said for bar in self.bars]
        return _FRAME + _weigh(texts) + sum(map(_weigh, self.rows))


def drawings(table: Table, rule: int | None = None) -> list[Drawing]:
    """The views of the programs of all rules in force, or of that rule's or whatever else has that
    key: drawn once an entry of the record, and all of them in the time that programs have at one
    act. What was late is soon drawn anew.

    Of more than a page has room for the first ones, and a last one that tells how many follow.
    """
    programs = Programs(table)
    wanted = [
        (program, declared)
        for program in programs.all
        if rule == program.rule.pk or (rule is None and program.power is None)
        for declared in program.declared.views
    ]
    shown: list[Drawing] = []
    room = VIEWS_KILOBYTES.most * 1000
    for number, (program, declared) in enumerate(wanted):
        place = (table.game.pk, table.game.last_entry, hash(program), declared.function)
        drawing, until = _KEPT.get(place) or (None, None)
        if drawing is None or (until is not None and until <= table.wall):
            drawing, late = _drawn(programs, program, declared)
            _KEPT[place] = drawing, table.wall + _AGAIN if late else None
        room -= drawing.bytes
        if room < 0:
            rest = f"{len(wanted) - number:,} more"
            where = "This page has no room for" if rule else "On the pages of their rules stand"
            return [*shown, Drawing(rest, "", wrong=f"{where} {rest} of what programs show.")]
        shown.append(drawing)
    return shown


def _drawn(programs: Programs, program: Program, declared: DeclaredView) -> tuple[Drawing, bool]:
    """The view, and whether it was late, which it need not be another time."""
    title, rule = declared.title, program.rule.title
    try:
        done = programs.call(program, declared.function, "view", {}, looks=True)
        if not done.only_looks:
            raise ProgramWrong(Problem("A view looks at the game, and does nothing in it"))
        drawn: dict[str, Any] = done.drawn if isinstance(done.drawn, dict) else {}
        reader = _READERS.get(str(drawn.get("kind")))
        if reader is None:
            raise ProgramWrong(Problem("A view returns what table, bars, series or track make"))
        try:
            return Drawing(title, rule, drawn["kind"], **reader(drawn)), False
        except (AttributeError, KeyError, TypeError, ValueError):
            raise ProgramWrong(Problem(f"A {drawn['kind']} is not made of such things")) from None
    except ProgramWrong as wrong:
        complaint = f"This cannot be shown: {wrong.problem}"
        return Drawing(title, rule, wrong=complaint), wrong.problem.late


type _Parts = dict[str, Any]


def _table(drawn: _Parts) -> _Parts:
    headings = tuple(map(_cell, drawn["headings"][:_MOST_COLUMNS]))
    filled = ([*row, *[""] * len(headings)] for row in drawn["rows"][:MOST_ROWS])
    rows = [tuple(map(_cell, row[: len(headings)])) for row in filled]
    sizes = accumulate(map(_weigh, rows))
    shown = sum(size <= VIEW_KILOBYTES.count * 1000 for size in sizes)
    omitted = _omitted(drawn, drawn["rows"]) + len(rows) - shown
    return {"headings": headings, "rows": tuple(rows[:shown]), "more": omitted}


def _bars(drawn: _Parts) -> _Parts:
    """Bars, each a share of the greatest, or of a track's length."""
    pairs = [(_cell(name), _number(amount)) for name, amount in drawn["pairs"]]
    if drawn["kind"] == "track":
        whole = _number(drawn["length"])
        unit = f"of {_cell(whole)}"
    else:
        whole = max((amount for _, amount in pairs), default=0)
        unit = _cell(drawn["unit"])
    shares = [min(max(amount / whole, 0), 1) if whole > 0 else 0 for _, amount in pairs]
    bars = [
        AmountBar(name, _cell(amount), round(100 * share))
        for (name, amount), share in zip(pairs, shares, strict=True)
    ]
    return {"bars": tuple(bars[:MOST_ROWS]), "unit": unit, "more": _omitted(drawn, pairs)}


def _series(drawn: _Parts) -> _Parts:
    numbers = [_number(number) for number in drawn["points"]]
    shown = numbers[-MOST_ROWS:]
    low, high = min(shown, default=0), max(shown, default=0)
    step, span = _WIDTH / max(len(shown) - 1, 1), (high - low) or 1
    points = (
        f"{round(turn * step)},{round(_HEIGHT - (number - low) / span * _HEIGHT)}"
        for turn, number in enumerate(shown)
    )
    last = _cell(shown[-1] if shown else "")
    return {
        "line": " ".join(points),
        "rows": ((_cell(low), _cell(high), last),),
        "unit": _cell(drawn["unit"]),
        "more": _omitted(drawn, numbers),
    }


_READERS = {"table": _table, "bars": _bars, "series": _series, "track": _bars}


def _weigh(cells: Iterable[str]) -> int:
    """About how many bytes of a page they take."""
    return sum(_CELL + len(escape(cell).encode()) for cell in cells)


def _omitted(drawn: dict[str, Any], shown: list[Any]) -> int:
    """How many of all that there are is not shown."""
    count = drawn["all"]
    if type(count) is not int or not len(shown) <= count <= _MOST_ROWS_MADE:
        raise ValueError("no count")
    return max(0, count - MOST_ROWS)


def _number(value: Any) -> float:
    """A number that can be drawn; a truth value is none."""
    if type(value) not in (int, float) or not -(10**15) <= value <= 10**15:
        raise ValueError("no number")
    return float(value) if type(value) is float else value


def _cell(value: Any) -> str:
    if type(value) is float:
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    if type(value) is int:
        return f"{value:,}" if abs(value) < 10**20 else "…"
    plain = "".join(
        sign if sign.isprintable() else " " for sign in str(value or "")[: 2 * _LONGEST]
    )
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}…"
