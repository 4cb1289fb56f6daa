"""Whether one user can take the site from the others: every way that is known, one by one.

A theme's ways have a whole site between them (web, worker, beat, a fresh database) on a port of
127.0.0.1, with two healthy games in it; those after which no other could be tried have one alone.
An attacker who is only a user does their worst, and what it costs is seen from outside.
`--only shares:NAME` does one way or one theme. What was found is kept in var/shares-SIZE.json and,
as a table, .md, or in the folder that NOMIC_SHARES_FOLDER names; with NOMIC_SHARES_KEEP the folder
of each site stays, with its processes' logs.
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
from bench.size import WHOLE, Size
from nomic.infrastructure.paths import ROOT

NAME = "shares"
_STARTING, _ENDING = 180.0, 30.0  # seconds of a site
# Seconds of the whole and the quick form: of one way with what it ends with; after which no site is
# begun any more.
_LONGEST = (560.0, 240.0)
_ALL = (6_600.0, 1_500.0)


def measure(size: Size, part: str = "") -> list[Figure]:
    """Each way by turns; the table of all that were done is printed and kept. What does not come
    to its end is told so, and those after it have another site; where the time is up, what was not
    tried is told."""
    from django.db import connection

    template = scratch.name_of(os.environ["DATABASE_URL"])
    connection.close()
    until = time.monotonic() + _ALL[size is not WHOLE]
    found: dict[str, dict[str, Any]] = {}
    for some in together(part):
        names = [each.name for each in some]
        while names:
            left = until - time.monotonic()
            told = _done(names, size, template, left) if left > 0 else {}
            if names[0] not in told:
                why = "it came to no end" if left > 0 else "there was no time left to try it"
                told[names[0]] = {"told": f"stopped: {why}"}
            kept(told, size)
            for name, each in told.items():
                print(f"    {name}: {json.dumps(each)}", file=sys.stderr, flush=True)
            found |= told
            names = [name for name in names if name not in told]
    print(drawn(found), flush=True)
    return [
        Figure(NAME, f"{name}, {measure}", bound.unit, told[measure], bound.most, at_most=1.0)
        for name, told in found.items()
        for measure, bound in BOUNDS.items()
        if told.get(measure) is not None
    ]


def _done(names: list[str], size: Size, template: str, left: float) -> dict[str, dict[str, Any]]:
    """Those ways by turns, in a process of their own, on a copy of the database that is dropped
    afterwards; what was found of those that came to an end before so many seconds were over."""
    print(f"  {', '.join(names)} …", file=sys.stderr, flush=True)
    since = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="nomic-shares-"))
    base = os.environ["DATABASE_URL"]
    longest = _STARTING + _LONGEST[size is not WHOLE] * len(names)
    try:
        with scratch.database(base, f"{template}_shares", template) as url:
            _forget_what_was_kept()
            env = {**os.environ, "DATABASE_URL": url, "NOMIC_VAR": str(folder)}
            command = [sys.executable, "-m", "bench.benchmarks.shares", size.name, str(folder)]
            process = subprocess.Popen([*command, *names], env=env, cwd=ROOT, stdout=sys.stderr)
            try:
                process.wait(min(longest, left + _STARTING))
            except subprocess.TimeoutExpired:
                print("  It takes too long, and is ended.", file=sys.stderr)
            finally:
                scratch.end(process, _ENDING)
        found = {name: folder / f"{name}.json" for name in names}
        return {name: json.loads(by.read_text()) for name, by in found.items() if by.exists()}
    finally:
        print(f"  … {time.monotonic() - since:.0f} s", file=sys.stderr, flush=True)
        if "NOMIC_SHARES_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)


def _forget_what_was_kept() -> None:
    """Of another copy of the database, whose games have the same numbers."""
    from django_redis import get_redis_connection

    get_redis_connection().flushdb()
