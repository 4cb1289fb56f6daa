"""Whether one user can take the site from the others: every way that is known, one by one.

A theme's ways have a whole site between them (web, worker, beat, a fresh database) on a port of
127.0.0.1, with two healthy games in it; those after which no other could be tried have one alone.
An attacker who is only a user does their worst, and what it costs is seen from outside.
`--only shares:NAME` does one way or one theme. What was found is kept in var/shares-SIZE.json, or
in the folder that NOMIC_SHARES_FOLDER names; with NOMIC_SHARES_KEEP the folder of each site stays,
with its processes' logs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import scratch
from bench.benchmarks.shares.table import BOUNDS, drawn, kept
from bench.benchmarks.shares.ways import together
from bench.figures import Figure
from bench.size import Size
from nomic.places import ROOT

NAME = "shares"
_STARTING, _LONGEST = 150.0, 560.0  # seconds: of a site, of one way


def measure(size: Size, part: str = "") -> list[Figure]:
    """Each way by turns; the table of all that were done so far is printed and kept."""
    from django.db import connection

    template = scratch.name_of(os.environ["DATABASE_URL"])
    connection.close()
    found: dict[str, dict[str, Any]] = {}
    for some in together(part):
        names = [each.name for each in some]
        print(f"  {', '.join(names)} …", file=sys.stderr, flush=True)
        since = time.monotonic()
        told = _done(names, size, template)
        kept(told, size)
        found |= told
        print(f"  … {time.monotonic() - since:.0f} s", file=sys.stderr, flush=True)
        for name, each in told.items():
            print(f"    {name}: {json.dumps(each)}", file=sys.stderr, flush=True)
    print(drawn(found), flush=True)
    return [
        Figure(NAME, f"{name}, {measure}", bound.unit, told[measure], bound.most, at_most=1.0)
        for name, told in found.items()
        for measure, bound in BOUNDS.items()
        if told.get(measure) is not None
    ]


def _done(names: list[str], size: Size, template: str) -> dict[str, dict[str, Any]]:
    """Those ways by turns, in a process of their own, on a copy of the database that is dropped
    afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="nomic-shares-"))
    base = os.environ["DATABASE_URL"]
    try:
        with scratch.database(base, f"{template}_shares", template) as url:
            _forget_what_was_kept()
            env = {**os.environ, "DATABASE_URL": url, "NOMIC_VAR": str(folder)}
            command = [sys.executable, "-m", "bench.benchmarks.shares", size.name, str(folder)]
            process = subprocess.Popen([*command, *names], env=env, cwd=ROOT, stdout=sys.stderr)
            try:
                process.wait(_STARTING + _LONGEST * len(names))
            except subprocess.TimeoutExpired:
                print("  It takes too long, and is ended.", file=sys.stderr)
            finally:
                scratch.end(process, 100)
        return {name: _told(folder / f"{name}.json") for name in names}
    finally:
        if "NOMIC_SHARES_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)


def _told(by: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"told": "stopped: no end"}
    return json.loads(by.read_text()) if by.exists() else found


def _forget_what_was_kept() -> None:
    """Of another copy of the database, whose games have the same numbers."""
    from django_redis import get_redis_connection

    get_redis_connection().flushdb()
