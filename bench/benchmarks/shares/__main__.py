"""One way, in a process of its own: `python -m bench.benchmarks.shares NAME SECONDS FOLDER`.

The environment names the database and the Valkey. What was found is written as JSON into a file
of the folder.
"""

from __future__ import annotations

import json
import signal
import sys
import traceback
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn


def main() -> int:
    import django

    django.setup()
    from bench.benchmarks.shares.people import Refused
    from bench.benchmarks.shares.stage import stage
    from bench.benchmarks.shares.ways import ways

    name, seconds, folder = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    [chosen] = ways(name)
    quick = seconds == chosen.seconds[1]
    with stage(folder, seconds, quick=quick, env=chosen.env) as site:
        told = ""
        try:
            chosen.do(site)
        except Refused as refused:
            told = f"refused: {refused}"
        except (Exception, SystemExit):
            told = f"stopped: {traceback.format_exc(limit=-2)}"
        found = site.watch.end()
        for measure, value in site.notes.items():
            setattr(found, measure, value)
        found.told = told or found.told
    (folder / "found.json").write_text(json.dumps(asdict(found), default=str))
    return 0


def _stop(number: int, frame: object) -> NoReturn:
    raise SystemExit(f"stopped by signal {number}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    sys.exit(main())
