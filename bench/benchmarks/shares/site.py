"""A whole site of its own for each way: web, worker and beat on a fresh copy of the database."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bench import scratch
from bench.timed import FOLDER
from nomic.embedded.commands import COMMANDS
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT

PROCESSES = ("web", "worker", "beat")


@dataclass
class Site:
    """Its port, its folder for logs and mails, and its processes by what they are."""

    port: int
    folder: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def family(self) -> list[tuple[str, psutil.Process]]:
        """All processes that it has now, each with what it belongs to."""
        found = []
        for name, process in self.processes.items():
            with suppress(psutil.Error):
                first = psutil.Process(process.pid)
                found += [(name, each) for each in (first, *first.children(recursive=True))]
        return found

    def forget_peaks(self) -> None:
        """Let the most memory of each process be looked for anew (on Linux)."""
        for _, process in self.family():
            with suppress(OSError):
                Path(f"/proc/{process.pid}/clear_refs").write_text("5")

    def peaks(self) -> dict[str, float]:
        """The most memory that a process of each kind has had, in MB."""
        most: dict[str, float] = {}
        for name, process in self.family():
            with suppress(OSError, ValueError):
                lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                own = [line for line in lines if line.startswith("VmHWM")]
                peak = max((int(line.split()[1]) / 1024 for line in own), default=0.0)
                most[name] = max(most.get(name, 0.0), peak)
        return most


@contextmanager
def playing(folder: Path, **more: str) -> Iterator[Site]:
    """The site in the environment of this process, with `more` of it, until the block ends."""
    site = Site(free_port(), folder)
    env = {**os.environ, "HOST": "127.0.0.1", "PORT": str(site.port), **more}
    env[FOLDER] = str(folder)
    with ExitStack() as stack:
        for name in PROCESSES:
            site.processes[name] = stack.enter_context(_process(name, env, folder))
        scratch.wait_for(site.port, site.processes["web"])
        yield site


@contextmanager
def _process(name: str, env: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """One process, which the database knows by its name and whose lines go into a file."""
    with open(folder / f"{name}.log", "ab") as log:
        process = subprocess.Popen(
            COMMANDS[name](env),
            env={**env, "PGAPPNAME": name},
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and all that it has started, whatever they are busy with."""
    with suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
        for child in children:
            with suppress(psutil.Error):
                child.kill()
    with suppress(ProcessLookupError):
        process.kill()
    process.wait()
