"""`python -m bench`: what this program's ways cost, measured on this machine against others.

Every ratio is of two things measured by turns in one run. Figures go to var/bench.json; a whole
run also puts them into docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import scratch
from bench.figures import Figure, table
from bench.size import QUICK, SIZES, WHOLE, Size
from nomic.embedded.places import ROOT, home

BENCHMARKS = ("posts", "statements", "ledgers", "weekly", "monday", "reading", "startup")
PAGE = ROOT / "docs" / "performance.md"
LONGEST = 600  # seconds
_PLACE = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end of figures -->)", re.DOTALL)


class _Stop(Exception):
    """The time is up, or somebody asked to end; what was measured so far is kept."""


def main() -> int:
    chosen = _arguments()
    size = SIZES[chosen.size]
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    signal.alarm(LONGEST)
    begun, figures = time.monotonic(), []
    try:
        with scratch.stage() as env:
            os.environ.update(env)
            _prepare()
            for name in chosen.only or BENCHMARKS:
                _say(f"{name} …")
                measure: Callable[[Size], list[Figure]] = import_module(f"bench.{name}").measure
                since = time.monotonic()
                found = measure(size)
                figures += found
                print(table(found), flush=True)
                _say(f"{name} took {time.monotonic() - since:.0f} s")
    except _Stop as stop:
        _say(f"Stopped by {stop}.")
        return 1
    finally:
        signal.alarm(0)
        _keep(chosen, size, figures, time.monotonic() - begun)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default=WHOLE.name)
    parser.add_argument("--quick", dest="size", action="store_const", const=QUICK.name)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS)
    parser.add_argument("--json", type=Path, default=home().folder / "bench.json")
    return parser.parse_args()


def _stop(number: int, frame: object) -> None:
    raise _Stop(signal.Signals(number).name)


def _prepare() -> None:
    """Django on the scratch database, with all its tables and its static files."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", interactive=False, verbosity=0)


def _keep(chosen: argparse.Namespace, size: Size, figures: list[Figure], seconds: float) -> None:
    machine = _machine()
    found = {
        **machine,
        "size": size.name,
        "seconds": round(seconds, 1),
        "figures": [figure.as_json() for figure in figures],
    }
    chosen.json.parent.mkdir(parents=True, exist_ok=True)
    chosen.json.write_text(json.dumps(found, indent=1) + "\n")
    whole = size is WHOLE and not chosen.only and len({f.benchmark for f in figures}) > 1
    if whole and PAGE.exists():
        words = (
            f"\nMeasured on {machine['date'][:10]}: {machine['machine']}, in {seconds:.0f} s.\n\n"
        )
        page = PAGE.read_text()
        PAGE.write_text(_PLACE.sub(lambda _: words + table(figures) + "\n", page))


def _machine() -> dict[str, Any]:
    cpu = platform.processor() or platform.machine()
    facts = Path("/proc/cpuinfo")
    if facts.exists() and (named := re.search(r"model name\s*: (.+)", facts.read_text())):
        cpu = named[1]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    python = platform.python_version()
    machine = f"{os.cpu_count()} cores of {cpu}, {memory:.0f} GiB, Python {python}"
    return {"machine": machine, "date": datetime.now(UTC).isoformat(timespec="seconds")}


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
