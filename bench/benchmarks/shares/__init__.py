"""Whether one user can take the site from the others: every way that is known, one by one.

Each way has a whole site of its own (web, worker, beat, a fresh database) on a port of 127.0.0.1,
with two healthy games in it; an attacker who is only a user does their worst, and what it costs
is seen from outside. `--only shares:NAME` does one way or one theme. What was found is kept in
var/shares-SIZE.json, or in the folder that NOMIC_SHARES_FOLDER names; with NOMIC_SHARES_KEEP the
folder of each way stays, with its processes' logs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import scratch
from bench.benchmarks.shares.table import BOUNDS, drawn, kept
from bench.benchmarks.shares.ways import Way, ways
from bench.figures import Figure
from bench.size import WHOLE, Size
from nomic.embedded.places import ROOT

NAME = "shares"
_LONGEST = 400.0  # seconds of one way, its setting up included


def measure(size: Size, part: str = "") -> list[Figure]:
    """Each way by turns; the table of all that were done so far is printed and kept."""
    from django.db import connection

    template = scratch.name_of(os.environ["DATABASE_URL"])
    connection.close()
    found: dict[str, dict[str, Any]] = {}
    for each in ways(part):
        seconds = each.seconds[0] if size is WHOLE else each.seconds[1]
        print(f"  {each.theme}:{each.name} …", file=sys.stderr, flush=True)
        since = time.monotonic()
        found[each.name] = _done(each, seconds, template)
        kept({each.name: found[each.name]}, size)
        took = time.monotonic() - since
        print(f"  … {took:.0f} s {json.dumps(found[each.name])}", file=sys.stderr, flush=True)
    print(drawn(found), flush=True)
    return [
        Figure(NAME, f"{name}, {measure}", bound.unit, told[measure], bound.most, at_most=1.0)
        for name, told in found.items()
        for measure, bound in BOUNDS.items()
        if told.get(measure) is not None
    ]


def _done(way: Way, seconds: float, template: str) -> dict[str, Any]:
    """One way, in a process of its own, on a copy of the database that is dropped afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="nomic-shares-"))
    base = os.environ["DATABASE_URL"]
    try:
        with scratch.database(base, f"{template}_{way.name.replace('-', '_')}", template) as url:
            _forget_what_was_kept()
            env = {**os.environ, "DATABASE_URL": url, "NOMIC_VAR": str(folder), **way.env}
            command = [sys.executable, "-m", "bench.benchmarks.shares", way.name]
            process = subprocess.Popen(
                [*command, str(seconds), str(folder)], env=env, cwd=ROOT, stdout=sys.stderr
            )
            try:
                process.wait(_LONGEST)
            except subprocess.TimeoutExpired:
                scratch.end(process, 100)
        told = folder / "found.json"
        found = json.loads(told.read_text()) if told.exists() else {"told": "stopped: no end"}
        return {**found, "at": datetime.now(UTC).isoformat(timespec="minutes"),
                "load": round(os.getloadavg()[0], 1)}  # fmt: skip
    finally:
        if "NOMIC_SHARES_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)


def _forget_what_was_kept() -> None:
    """Of another copy of the database, whose games have the same numbers."""
    from django_redis import get_redis_connection

    get_redis_connection().flushdb()
