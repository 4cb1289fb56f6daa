"""Both bundled servers, for as many callers at once as like; neither waits for the other."""

import fcntl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

import psutil

from nomic.embedded import postgres, valkey
from nomic.infrastructure.paths import Home

SERVERS = {"PostgreSQL": postgres, "Valkey": valkey}


@contextmanager
def _one_at_a_time(home: Home, server: str) -> Iterator[None]:
    home.folder.mkdir(parents=True, exist_ok=True)
    with open(home.lock(server), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def needed(env: Mapping[str, str]) -> list[str]:
    """The names of those that are wanted: for which the environment names no other."""
    elsewhere = {"PostgreSQL": env.get("DATABASE_URL"), "Valkey": env.get("REDIS_URL")}
    return [name for name, address in elsewhere.items() if not address]


def up(home: Home, names: Iterable[str] = SERVERS) -> list[str]:
    """Start those of them that are not up yet; the names of those that this call started.

    Raises ServerWouldNotStart.
    """
    started = []
    for name in names:
        with _one_at_a_time(home, name):
            started += [name] * SERVERS[name].start(home)
    return started


def down(home: Home, names: Iterable[str] = SERVERS, patience: float = 30.0) -> None:
    """Stop them; the data stays. Each has `patience` seconds to end of itself."""
    for name in sorted(names, reverse=True):  # the database last
        with _one_at_a_time(home, name):
            SERVERS[name].stop(home, patience)


def kill(home: Home, names: Iterable[str]) -> None:
    """Kill those of them, whoever holds their locks."""
    for name in names:
        if server := SERVERS[name].running(home):
            with suppress(psutil.NoSuchProcess):
                server.kill()
