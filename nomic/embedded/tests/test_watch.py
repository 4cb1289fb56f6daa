"""Processes that are kept running, and how they end."""

import sys
from pathlib import Path

import psutil

from nomic.embedded.tests.site import PATIENCE, wait_for
from nomic.embedded.watch import Child, stop

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
own = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1], "w") as file:
    print(own.pid, file=file)
time.sleep(600)
"""


def test_what_a_process_that_does_not_end_has_started_ends_with_it(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    child = Child("web", [sys.executable, "-c", STUBBORN, str(told)], {}, 0)
    child.start()
    wait_for(lambda: told.exists() and told.read_text().endswith("\n"), PATIENCE, told)
    own = psutil.Process(int(told.read_text()))
    stop([child], patience=0.1)
    assert child.process is not None
    assert child.process.poll() == -9
    gone, alive = psutil.wait_procs([own], timeout=PATIENCE)
    assert gone
    assert not alive
