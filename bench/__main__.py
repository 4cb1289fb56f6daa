"""`python -m bench`: what this program's ways cost, measured on this machine against others.

Every ratio is of two things measured by turns in one run. Figures go to var/bench.json, where a
part that is measured again replaces the older one; those of whole size also go into
docs/performance.md.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from bench import scratch
from bench.figures import Figure, table
from bench.report import OWN_TABLE, Part, keep
from bench.size import QUICK, SIZES, WHOLE, Size
from nomic.infrastructure.paths import ROOT, home

BENCHMARKS = (
    "posts",
    "way",
    "statements",
    "ledgers",
    "weekly",
    "monday",
    "reading",
    "many",
    "culls",
    "voting",
    "preview",
    "isle",
    "marks",
    "programs",
    "startup",
    "proof",
    "recalculating",
)
PAGE = ROOT / "docs" / "performance.md"
# These take minutes to an hour, and are done where they are asked for.
ALONE = ("shares", "long", "boardgame")
PARTED = (OWN_TABLE, "long")
LONGEST, LONGEST_ALONE = 600, 7200  # seconds


class _Stop(Exception):
    """The time is up, or somebody asked to end; what was measured so far is kept."""


def main() -> int:
    chosen = _arguments()
    size = SIZES[chosen.size]
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    alone = any(name.partition(":")[0] in ALONE for name in chosen.only or ())
    signal.alarm(LONGEST_ALONE if alone else LONGEST)
    parts: dict[str, Part] = {}
    try:
        with scratch.stage() as env:
            os.environ.update(env)
            _prepare()
            for name in chosen.only or BENCHMARKS:
                _say(f"{name} …")
                parts[name] = _measured(name, size)
                print(table(parts[name].figures), flush=True)
                _say(f"{name} took {parts[name].seconds:.0f} s")
    except _Stop as stop:
        _say(f"Stopped by {stop}.")
        return 1
    finally:
        signal.alarm(0)
        keep(parts, size, chosen.json, PAGE)
    return 0


def _measured(name: str, size: Size) -> Part:
    from nomic.quotas.disk import exempt

    name, _, part = name.partition(":")
    measure: Callable[..., list[Figure]] = import_module(f"bench.benchmarks.{name}").measure
    date, load, since = datetime.now(UTC), os.getloadavg()[0], time.monotonic()
    with exempt():  # no game of a bench is held back for what it writes
        figures = measure(size, part) if part else measure(size)
    return Part(date.isoformat(timespec="minutes"), load, time.monotonic() - since, figures)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default=WHOLE.name)
    parser.add_argument("--quick", dest="size", action="store_const", const=QUICK.name)
    parser.add_argument(
        "--only", nargs="+", type=_known, help=f"of {', '.join((*BENCHMARKS, *ALONE))}"
    )
    parser.add_argument("--json", type=Path, default=home().folder / "bench.json")
    return parser.parse_args()


def _known(name: str) -> str:
    """A benchmark, or of one that has parts one of them: `shares:NAME`, `long:ENTRIES`."""
    benchmark, _, part = name.partition(":")
    if benchmark not in (*BENCHMARKS, *ALONE) or (part and benchmark not in PARTED):
        raise argparse.ArgumentTypeError(f"There is no benchmark {name}.")
    return name


def _stop(number: int, frame: object) -> None:
    raise _Stop(signal.Signals(number).name)


def _prepare() -> None:
    """Django on the scratch database, with all its tables and its static files."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", interactive=False, verbosity=0)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
