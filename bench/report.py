"""Where the figures are kept: var/bench.json, and a table in docs/performance.md."""

from __future__ import annotations

import json
import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.figures import Figure, table
from bench.size import WHOLE, Size

OWN_TABLE = "shares"  # is drawn by that benchmark itself


@dataclass(frozen=True, slots=True)
class Part:
    """What one benchmark found. `load` is how many processes wanted to run as it began."""

    date: str
    load: float
    seconds: float
    figures: list[Figure]


def keep(parts: dict[str, Part], size: Size, told: Path, page: Path) -> None:
    """Put the parts beside those of the same size that were measured before, on this machine."""
    here = machine()
    found = _earlier(told, size, here) | {name: _as_json(part) for name, part in parts.items()}
    told.parent.mkdir(parents=True, exist_ok=True)
    whole = {"machine": here, "size": size.name, "parts": found}
    told.write_text(json.dumps(whole, indent=1) + "\n")
    of_ours = [name for name in parts if not name.startswith(OWN_TABLE)]
    if size is WHOLE and of_ours and page.exists():
        page.write_text(replaced(page.read_text(), "figures", _told(here, found)))


def _earlier(told: Path, size: Size, machine: str) -> dict[str, Any]:
    if not told.exists():
        return {}
    before = json.loads(told.read_text())
    same = (before.get("size"), before.get("machine")) == (size.name, machine)
    return before["parts"] if same else {}


def _as_json(part: Part) -> dict[str, Any]:
    figures = [figure.as_json() for figure in part.figures]
    return {
        "date": part.date,
        "load": round(part.load, 1),
        "seconds": round(part.seconds, 1),
        "figures": figures,
    }


def _told(machine: str, found: dict[str, Any]) -> str:
    """The machine, when each part was measured and how busy it was, and the table of all that has a
    target."""
    found = {name: part for name, part in found.items() if not name.startswith(OWN_TABLE)}
    names = Figure.__dataclass_fields__
    rows = [
        Figure(**{name: row[name] for name in names})
        for part in found.values()
        for row in part["figures"]
    ]
    lines = [f"\n{machine}.\n", "| part | measured | load before | seconds |"]
    lines.append("| --- | --- | ---: | ---: |")
    lines += [
        f"| {name} | {part['date'][:16]}Z | {part['load']} | {part['seconds']:.0f} |"
        for name, part in found.items()
    ]
    return "\n".join(lines) + "\n\n" + table([figure for figure in rows if figure.target]) + "\n"


def replaced(page: str, name: str, told: str) -> str:
    """The page with that between its two marks of the name."""
    place = rf"(?<=<!-- {name} -->\n).*?(?=<!-- end of {name} -->)"
    return re.sub(place, lambda _: told, page, flags=re.DOTALL)


def machine() -> str:
    """Processors, memory and programs, in a sentence."""
    cpu = platform.processor() or platform.machine()
    facts = Path("/proc/cpuinfo")
    if facts.exists() and (named := re.search(r"model name\s*: (.+)", facts.read_text())):
        cpu = named[1]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = platform.python_version()
    return f"{os.cpu_count()} cores of {cpu}, {memory:.0f} GiB, Python {python}, PostgreSQL 18"
