"""The table of all ways: what each cost before there were bounds, and what it costs now."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.benchmarks.shares.ways import ways
from bench.report import machine, replaced
from bench.size import WHOLE, Size
from nomic.places import ROOT, home

BEFORE = Path(__file__).parent / "before.json"
PAGE = ROOT / "docs" / "performance.md"


@dataclass(frozen=True, slots=True)
class Bound:
    """What is measured: at most so many of a `unit`, under a heading of the table."""

    heading: str
    most: float
    unit: str


BOUNDS = {
    "request": Bound("slowest request", 2.0, "s"),
    "event": Bound("longest event", 1.0, "s"),
    "act": Bound("largest act", 1.0, "MB"),
    "memory": Bound("largest process", 600.0, "MB"),
    "health": Bound("/healthz", 2.0, "s"),
    "elsewhere": Bound("acts elsewhere", 3.0, "s"),
    "late": Bound("latest moment elsewhere", 10.0, "s"),
    "ratio": Bound("p99 elsewhere, against before the attack", 3.0, "times"),
    "pause": Bound("the operator's pause", 10.0, "s"),
}
_WRITTEN = 150.0  # MB, of the two games that no rule of theirs may let run away
_BOUNDED_WRITING = "two-bad-games"


def kept(found: dict[str, dict[str, Any]], size: Size) -> None:
    """Put them beside those that were found before; whole ones also on the page."""
    folder = Path(os.environ.get("NOMIC_SHARES_FOLDER") or home().folder)
    path = folder / f"shares-{size.name}.json"
    whole = json.loads(path.read_text()) if path.exists() else {}
    whole = {"machine": machine(), "ways": {**whole.get("ways", {}), **found}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=1) + "\n")
    if size is WHOLE and PAGE.exists():
        told = f"\n{whole['machine']}.\n\n{drawn(whole['ways'])}\n"
        PAGE.write_text(replaced(PAGE.read_text(), "shares", told))


def drawn(found: dict[str, dict[str, Any]]) -> str:
    """The table, in Markdown: in each cell before → now, bold where the bound is not kept."""
    before = json.loads(BEFORE.read_text())["ways"] if BEFORE.exists() else {}
    heads = [f"{each.heading}, {each.unit}" for each in BOUNDS.values()]
    lines = [
        "| way | " + " | ".join([*heads, "written, MB"]) + " | now |",
        "| --- |" + " ---: |" * (len(heads) + 1) + " --- |",
        "| at most | " + " | ".join(f"{each.most:g}" for each in BOUNDS.values()) + " | | |",
    ]
    for each in ways():
        if each.name in found:
            cells = _cells(each.name, before.get(each.name, {}), found[each.name])
            lines.append(f"| {each.words} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cells(name: str, before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    most = {measure: bound.most for measure, bound in BOUNDS.items()}
    most["written"] = _WRITTEN if name == _BOUNDED_WRITING else float("inf")
    cells = []
    for measure, bound in most.items():
        was, found = before.get(measure), now.get(measure)
        if was is None and found is None:
            cells.append("")
            continue
        told = _short(found)
        cells.append(f"{_short(was)} → {f'**{told}**' if (found or 0) > bound else told}")
    return [*cells, _in_a_cell(str(now.get("told", "")))]


def _short(number: float | None) -> str:
    if number is None:
        return "–"
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


def _in_a_cell(told: str) -> str:
    return " ".join(told.replace("|", "/").split())[:160]
