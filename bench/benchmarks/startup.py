"""How long `make play` takes until the site answers: in an empty folder, and again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import scratch
from bench.figures import Figure
from bench.size import Size
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT

NAME = "start-up of `make play`"
_SECONDS = 15.0
_OURS = ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "NOMIC_ORIGIN")


def measure(size: Size) -> list[Figure]:
    """Seconds until /healthz answers, the packages being installed."""
    folder = Path(tempfile.mkdtemp(prefix="nomic-bench-play-"))
    try:
        return [
            Figure(NAME, f"{case}, against {_SECONDS:.0f} s", "s", took, _SECONDS, at_most=1.0)
            for case in ("with nothing there yet", "with a game there")
            for took in [_start(folder)]
        ]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path) -> float:
    port = free_port()
    env = {name: value for name, value in os.environ.items() if name not in _OURS}
    env |= {"NOMIC_VAR": str(folder), "PORT": str(port)}
    log = folder / "play.log"
    folder.mkdir(exist_ok=True)
    since = time.perf_counter()
    with open(log, "ab") as said:
        play = subprocess.Popen(
            [sys.executable, "-m", "nomic.embedded", "play"],
            env=env,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        scratch.wait_for(port, play, patience=90)
        return time.perf_counter() - since
    finally:
        scratch.end(play, patience=40)
