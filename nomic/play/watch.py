"""Telling the watchers: a version of each game's public state in the cache, and a heartbeat.

The cache is a convenience: where it cannot be had, versions are unknown and pages ask the
database.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.cache import cache
from django.utils.dateparse import parse_datetime

from nomic.games.clock import iso, wall_now

_HEARTBEAT = "nomic:sweep"
_VERSION_KEPT = 3600
LATE_AFTER = timedelta(seconds=30)


def bump(game_id: int, version: int) -> None:
    """The game's public record now ends with this entry; `take` and `catch_up` say so on commit."""
    cache.set(f"nomic:version:{game_id}", version, _VERSION_KEPT)


def version(game_id: int) -> int | None:
    """The number of the game's last public entry; None where the cache does not know."""
    found = cache.get(f"nomic:version:{game_id}")
    return found if isinstance(found, int) else None


def beat(wall: datetime) -> None:
    """A sweep has run at this wall moment."""
    cache.set(_HEARTBEAT, iso(wall), None)


def last_beat() -> datetime | None:
    """The wall moment of the last sweep; None where none is known."""
    found = cache.get(_HEARTBEAT)
    return parse_datetime(found) if isinstance(found, str) else None


def is_worker_running(wall: datetime | None = None) -> bool:
    """Whether a sweep has run within the last 30 seconds (wall time)."""
    last = last_beat()
    return last is not None and (wall or wall_now()) - last < LATE_AFTER
