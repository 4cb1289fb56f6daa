"""Both bundled servers, together, for as many callers at once as like."""

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nomic.embedded import postgres, valkey
from nomic.embedded.places import Home


@contextmanager
def _one_at_a_time(home: Home) -> Iterator[None]:
    home.folder.mkdir(parents=True, exist_ok=True)
    with open(home.lock, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def needed(env: Mapping[str, str]) -> dict[str, bool]:
    """Which of the two are wanted: those for which the environment names no other."""
    return {"database": not env.get("DATABASE_URL"), "broker": not env.get("REDIS_URL")}


def up(home: Home, *, database: bool = True, broker: bool = True) -> list[str]:
    """Start what is wanted and not up yet; the names of those that this call started.

    Raises ServerWouldNotStart.
    """
    with _one_at_a_time(home):
        started = []
        if database and postgres.start(home):
            started.append("PostgreSQL")
        if broker and valkey.start(home):
            started.append("Valkey")
        return started


def down(home: Home, *, database: bool = True, broker: bool = True) -> None:
    """Stop them; the data stays."""
    with _one_at_a_time(home):
        if broker:
            valkey.stop(home)
        if database:
            postgres.stop(home)
