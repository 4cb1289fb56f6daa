"""Keeps processes running: their lines prefixed, a dead one restarted, all stopped together.

Each has a session of its own, so that it and all that it has started can be ended as one family.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

# In the environment of whole families: the folder from which they are run.
MARK = "NOMIC_PLAYED_IN"

COLOURS = (36, 33, 35, 32, 34)
LONGEST_PAUSE = 30.0  # seconds
LONG_ENOUGH = 10.0  # seconds after which a child counts as having run well

# Should we be killed outright, Linux tells our children to end as well.
_TOGETHER = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []

_printing = threading.Lock()


def say(name: str, line: str, colour: int = 0) -> None:
    """One line of one process; whole, whoever else is printing."""
    label = f"{name:<7}│"
    if colour and sys.stdout.isatty():
        label = f"\033[{colour}m{label}\033[0m"
    with _printing, suppress(BrokenPipeError, ValueError):
        print(label, line, flush=True)


def pass_on(name: str, process: subprocess.Popen[str], colour: int = 0) -> None:
    """Say, in a thread of its own, each line that the process writes."""

    def listen() -> None:
        for line in process.stdout or ():
            if line.strip():
                say(name, line.rstrip(), colour)

    threading.Thread(target=listen, daemon=True).start()


class Child:
    """One process that ought to be running."""

    def __init__(self, name: str, command: list[str], env: Mapping[str, str], colour: int) -> None:
        self.name, self.command, self.env, self.colour = name, command, env, colour
        self.pause = 1.0
        self.deaths = 0
        self.restart_at = 0.0
        self.started_at = 0.0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.started_at = time.monotonic()
        self.process = subprocess.Popen(
            [*_TOGETHER, *self.command],
            env=dict(self.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # a Ctrl-C reaches us alone, and we stop the children in order
        )
        pass_on(self.name, self.process, self.colour)

    def look_after(self) -> None:
        """End what a dead one left behind, and start it again, each time after a longer pause."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            _kill_group(self.process.pid)
            if now - self.started_at > LONG_ENOUGH:
                self.pause = 1.0
            self.deaths += 1
            code = self.process.returncode
            how = f"exit {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
            say(self.name, f"ended ({how}), again in {self.pause:.0f} s", 31)
            self.process = None
            self.restart_at = now + self.pause
            self.pause = min(self.pause * 2, LONGEST_PAUSE)
        if self.process is None and now >= self.restart_at:
            self.start()


def _kill_group(number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal.SIGKILL)


def spent(children: Sequence[Child]) -> float:
    """The seconds of a processor that the running processes of these families have had."""
    seconds = 0.0
    for child in children:
        with suppress(psutil.Error):
            if child.process is not None:
                whole = psutil.Process(child.process.pid)
                for process in (whole, *whole.children(recursive=True)):
                    with suppress(psutil.Error):
                        times = process.cpu_times()
                        seconds += times.user + times.system
    return seconds


def end(processes: Sequence[subprocess.Popen[str] | None], patience: float = 10.0) -> None:
    """Ask them to end, wait `patience` seconds for all, then kill each with what it has started
    itself and left behind."""
    running = [process for process in processes if process]
    for process in running:
        process.terminate()
    until = time.monotonic() + patience
    for process in running:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, until - time.monotonic()))
        _kill_group(process.pid)
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)


def marked(folder: Path) -> list[psutil.Process]:
    """All that is run from that folder, but the bundled servers."""
    processes = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):  # it has ended, or is somebody else's
            if process.environ().get(MARK) == str(folder):
                processes.append(process)
    return processes


def end_what_is_left(folder: Path, patience: float = 10.0) -> None:
    """Kill the families marked with that folder, and wait up to `patience` seconds for it.

    Only who holds the folder's lock may know that nobody looks after them any more. Our own
    family, and those that started it, are not left over, whatever mark they were given.
    """
    this = psutil.Process()
    spared = {_group(process) for process in (this, *this.parents())}
    left_over = [process for process in marked(folder) if _group(process) not in {None, *spared}]
    for process in left_over:
        if group := _group(process):
            _kill_group(group)
    psutil.wait_procs(left_over, timeout=patience)


def _group(process: psutil.Process) -> int | None:
    with suppress(ProcessLookupError, PermissionError):
        return os.getpgid(process.pid)
    return None
