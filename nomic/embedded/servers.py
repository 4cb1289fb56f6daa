"""Both bundled servers, for as many callers at once as like; neither waits for the other."""

import fcntl
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress

import psutil

from nomic.embedded import postgres, valkey
from nomic.places import Home


@contextmanager
def _one_at_a_time(home: Home, server: str) -> Iterator[None]:
    home.folder.mkdir(parents=True, exist_ok=True)
    with open(home.lock(server), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def needed(env: Mapping[str, str]) -> dict[str, bool]:
    """Which of the two are wanted: those for which the environment names no other."""
    return {"database": not env.get("DATABASE_URL"), "broker": not env.get("REDIS_URL")}


def up(home: Home, *, database: bool = True, broker: bool = True) -> list[str]:
    """Start what is wanted and not up yet; the names of those that this call started.

    Raises ServerWouldNotStart.
    """
    started = []
    if database:
        with _one_at_a_time(home, "postgres"):
            started += ["PostgreSQL"] * postgres.start(home)
    if broker:
        with _one_at_a_time(home, "valkey"):
            started += ["Valkey"] * valkey.start(home)
    return started


def down(home: Home, *, database: bool = True, broker: bool = True, patience: float = 30.0) -> None:
    """Stop them; the data stays. Each has `patience` seconds to end of itself."""
    if broker:
        with _one_at_a_time(home, "valkey"):
            valkey.stop(home, min(patience, 10.0))
    if database:
        with _one_at_a_time(home, "postgres"):
            postgres.stop(home, patience)


def kill(home: Home, names: Collection[str]) -> None:
    """Kill those of them, whoever holds their locks."""
    for name, server in (("Valkey", valkey.running(home)), ("PostgreSQL", postgres.running(home))):
        if server and name in names:
            with suppress(psutil.NoSuchProcess):
                server.kill()
