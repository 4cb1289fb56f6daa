"""Both bundled servers, together, for as many callers at once as like."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from nomic.embedded import postgres, valkey
from nomic.embedded.places import Home


@contextmanager
def _one_at_a_time(home: Home) -> Iterator[None]:
    home.folder.mkdir(parents=True, exist_ok=True)
    with open(home.lock, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


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
