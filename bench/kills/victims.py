"""What of a site may be killed, and how long it takes until it is up again by itself."""

from __future__ import annotations

import random
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import psutil

from nomic.embedded import postgres, valkey
from nomic.embedded.supervisor import marked
from nomic.infrastructure.paths import Home

SALVO = (1, 9)  # kills before somebody has to be served again
PAUSE = (0.1, 2.0)  # seconds between two of them
PATIENCE = 90.0  # seconds for anything to be up again
LONGEST = 660.0  # seconds of killing


@dataclass
class Site:
    """A `make play` in a folder of its own."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    @property
    def home(self) -> Home:
        return Home(self.folder)

    def children(self, word: str) -> list[psutil.Process]:
        """The supervisor's own processes with that word in their commands."""
        found = psutil.Process(self.process.pid).children()
        return [process for process in found if word in command_of(process)]

    def grandchildren(self, word: str) -> list[psutil.Process]:
        """What those have started themselves."""
        found = []
        for process in self.children(word):
            with suppress(psutil.Error):
                found += process.children()
        return found

    def sandboxes(self) -> list[psutil.Process]:
        """The processes in which programs of rules run."""
        with suppress(psutil.Error):
            every = psutil.Process(self.process.pid).children(recursive=True)
            return [each for each in every if command_of(each).partition(" ")[0].endswith("/monty")]
        return []

    def answer(self, path: str) -> int:
        """The status of a page; 0 where nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=2) as got:
                return int(got.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except (OSError, HTTPException):
            return 0


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


_WEB, _CELERY, _BEAT = "granian nomic.wsgi", "nomic.celery worker", "nomic.celery beat"
_POSTGRES, _VALKEY = "/bin/postgres -D", "valkey-server"
_SANDBOX = "a worker of the sandbox"

# What may be killed of each kind.
VICTIMS: dict[str, Callable[[Site], list[psutil.Process]]] = {
    "the web server": lambda site: site.children(_WEB),
    "one of its workers": lambda site: site.grandchildren(_WEB),
    "a Celery process": lambda site: [*site.children(_CELERY), *site.grandchildren(_CELERY)],
    "beat": lambda site: site.children(_BEAT),
    "a backend": lambda site: [
        each for each in site.grandchildren(_POSTGRES) if "postgres nomic" in command_of(each)
    ],
    "PostgreSQL": lambda site: site.children(_POSTGRES),
    "Valkey": lambda site: site.children(_VALKEY),
    _SANDBOX: lambda site: site.sandboxes(),
}


@dataclass
class Kills:
    """Who is to be killed, and how long it took until it was up again.

    `served` tells how many acts have their receipts so far.
    """

    site: Site
    chance: random.Random
    served: Callable[[], int]
    whole: dict[str, int] = field(default_factory=dict)
    waiting: dict[str, tuple[psutil.Process, float]] = field(default_factory=dict)
    took: dict[str, list[float]] = field(default_factory=dict)
    count: int = 0
    never: int = 0

    def __post_init__(self) -> None:
        self.whole = {kind: len(found(self.site)) for kind, found in VICTIMS.items()}
        self.took = {kind: [] for kind in VICTIMS}

    def run(self, count: int) -> None:
        """Kill so many, or for as long as may be, and then wait for the last.

        After a salvo somebody is to get a receipt before the next, and a kind has its turn again
        only when it is up again.
        """
        now = due = time.monotonic()
        served, left, until = -1, 0, now + LONGEST
        while self.count < count and not self.never and now < until:
            now = time.monotonic()
            if left == 0 and self.served() > served:
                left = self.chance.randint(*SALVO)
            if left == 0:
                self.never += now - due > PATIENCE
            elif now >= due and self._kill():
                left -= 1
                served, due = self.served(), now + self.chance.uniform(*PAUSE)
            self._look()
            time.sleep(0.1)
        while self.waiting:
            self._look()
            time.sleep(0.1)

    def _kill(self) -> bool:
        kind = self.chance.choice(list(VICTIMS))
        victims = [] if kind in self.waiting else VICTIMS[kind](self.site)
        if not victims:
            return False
        victim = self.chance.choice(victims)
        with suppress(psutil.NoSuchProcess):
            victim.kill()
            self.waiting[kind] = (victim, time.monotonic())
            self.count += 1
        return kind in self.waiting

    def _look(self) -> None:
        for kind, (victim, since) in list(self.waiting.items()):
            passed = time.monotonic() - since
            if self._is_up(kind, victim):
                self.took[kind].append(passed)
            elif passed > PATIENCE:
                self.never += 1
            else:
                continue
            del self.waiting[kind]

    def _is_up(self, kind: str, victim: psutil.Process) -> bool:
        """Whether as many as ever are there and answer, the victim not among them."""
        if kind == _SANDBOX:  # the next call of a program has another
            return not _lives(victim)
        if kind in ("PostgreSQL", "a backend"):
            return not _lives(victim) and postgres.answers(self.site.home)
        now = VICTIMS[kind](self.site)
        if victim in now or len(now) < self.whole[kind]:
            return False
        if kind == "Valkey":
            return valkey.answers(self.site.home)
        return "web" not in command_of(now[0]) or self.site.answer("/healthz") > 0


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def left_over(folder: Path) -> list[psutil.Process]:
    """What still runs of a site: by the mark of its processes, or at home in its folder."""
    return [*marked(folder), *(each for each in psutil.process_iter() if _is_in(each, folder))]


def _is_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return Path(process.cwd()).is_relative_to(folder)
    except (psutil.Error, OSError):
        return False
