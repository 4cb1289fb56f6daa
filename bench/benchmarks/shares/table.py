"""The table of all ways, and what each costs."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.benchmarks.shares.ways import ways
from bench.report import machine
from bench.size import Size
from nomic.infrastructure.paths import home


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
    """Put them beside those that were found earlier, as JSON and as a table."""
    folder = Path(os.environ.get("NOMIC_SHARES_FOLDER") or home().folder)
    path = folder / f"shares-{size.name}.json"
    whole = json.loads(path.read_text()) if path.exists() else {}
    whole = {"machine": machine(), "ways": {**whole.get("ways", {}), **found}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=1) + "\n")
    path.with_suffix(".md").write_text(f"{whole['machine']}.\n\n{drawn(whole['ways'])}\n")


def drawn(found: dict[str, dict[str, Any]]) -> str:
    """The table, in Markdown; bold where the bound is not kept."""
    heads = [f"{bound.heading}, {bound.unit}" for bound in BOUNDS.values()]
    lines = [
        "| way | " + " | ".join([*heads, "written, MB"]) + " | refused |",
        "| --- |" + " ---: |" * (len(heads) + 1) + " --- |",
        "| at most | " + " | ".join(f"{bound.most:g}" for bound in BOUNDS.values()) + " | | |",
    ]
    for way in ways():
        if way.name in found:
            lines.append(f"| {way.words} | " + " | ".join(_cells(way.name, found[way.name])) + " |")
    return "\n".join(lines)


def _cells(name: str, figures: dict[str, Any]) -> list[str]:
    most = {measure: bound.most for measure, bound in BOUNDS.items()}
    most["written"] = _WRITTEN if name == _BOUNDED_WRITING else float("inf")
    cells = []
    for measure, bound in most.items():
        amount = figures.get(measure)
        short = "" if amount is None else _short(amount)
        cells.append(f"**{short}**" if (amount or 0) > bound else short)
    return [*cells, _in_a_cell(str(figures.get("told", "")))]


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


def _in_a_cell(told: str) -> str:
    return " ".join(told.replace("|", "/").split())[:160]
