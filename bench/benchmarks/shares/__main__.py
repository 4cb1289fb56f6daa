"""Some ways by turns, on one site: `python -m bench.benchmarks.shares SIZE FOLDER NAME …`.

The environment names the database and the Valkey. What was found of each is written as JSON into
a file of the folder.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, NoReturn

from bench.size import WHOLE

if TYPE_CHECKING:
    from bench.benchmarks.shares.stage import Ground
    from bench.benchmarks.shares.watching import Found
    from bench.benchmarks.shares.ways import Way

LONGEST = (420.0, 150.0)  # seconds of one way, whole and quick


def main() -> int:
    import django

    django.setup()
    from bench.benchmarks.shares.stage import ground
    from bench.benchmarks.shares.ways import ways

    quick, folder = sys.argv[1] != WHOLE.name, Path(sys.argv[2])
    chosen = [way for name in sys.argv[3:] for way in ways(name)]
    env = {name: value for each in chosen for name, value in each.env.items()}
    with ground(folder, env) as site:
        for each in chosen:
            found = _tried(site, each, quick=quick)
            written = folder / f"{each.name}.part"
            written.write_text(json.dumps(asdict(found), default=str))
            written.rename(folder / f"{each.name}.json")
            site.quieten()
    return 0


def _tried(site: Ground, way: Way, *, quick: bool) -> Found:
    """One way's turn: what it costs, and why it came to nothing, where it did."""
    from bench.benchmarks.shares.people import Refused

    told, limit = "", Timer(LONGEST[quick], os.kill, (os.getpid(), signal.SIGUSR1))
    with site.turn(way.seconds[quick], quick=quick) as stage:
        limit.start()
        try:
            way.do(stage)
        except Refused as refused:
            told = f"refused: {refused}"
        except (Exception, _TooLong):
            told = f"stopped: {traceback.format_exc(limit=-2)}"
        finally:
            limit.cancel()
        found = stage.watch.end()
        for measure, value in stage.notes.items():
            setattr(found, measure, value)
    found.told = told or found.told
    found.load = round(os.getloadavg()[0], 1)
    found.at = datetime.now(UTC).isoformat(timespec="minutes")
    return found


class _TooLong(BaseException):
    """A way has had all the time that there is for one."""


def _end_the_way(number: int, frame: object) -> NoReturn:
    raise _TooLong


def _stop(number: int, frame: object) -> NoReturn:
    raise SystemExit(f"stopped by signal {number}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGUSR1, _end_the_way)
    sys.exit(main())
