"""Telling the watchers: a version of each game's public state in the cache, and a heartbeat.

The cache is a convenience: where it cannot be had, versions are unknown and pages ask the
database.
"""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from math import inf

from django.core.cache import cache
from django.utils.dateparse import parse_datetime

from nomic.games.clock import iso, wall_now
from nomic.infrastructure.database import replica
from nomic.quotas import usage

log = logging.getLogger(__name__)

_HEARTBEAT = "nomic:sweep"
_MEASURES = "nomic:measures"
ACTION_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
_VERSION_KEPT = 3600
_SETTLED = 10  # seconds after which a standby has what has no number of its own
_HERE = 75  # seconds for which somebody who has looked counts as being there
_LOOK_KEPT = 86400
_SEAT_KEPT = 600  # whoever could not be told of something private looks anew after so many seconds
LATE_AFTER = timedelta(seconds=30)


def bump(game_id: int, version: int) -> None:
    """The game's public record now ends with this entry; `take` and `catch_up` say so on commit."""
    # Two processes that commit one after the other may tell of it in the other order.
    if not cache.raise_to(_key("version", game_id), version, _VERSION_KEPT):  # type: ignore[attr-defined]
        log.warning("The watchers of game %s could not be told of entry %s", game_id, version)


def versions_pattern() -> str:
    """Where the cache tells of each game's new entries, as a pattern of its channels."""
    return _key("version", "*")


def bump_stuck(game_id: int, entries: int, attempts: int) -> None:
    """The game is stuck after so many entries and attempts: its pages differ, its record not."""
    cache.set(_key("stuck", game_id), _since(f"{entries}-{attempts}"), _VERSION_KEPT)


def bump_resting(game_id: int) -> None:
    """The game is set aside, or goes on: its pages differ, its record not."""
    cache.set(_key("stuck", game_id), _since(secrets.token_hex(4)), _VERSION_KEPT)


def bump_talk(game_id: int) -> None:
    """Something was said at the game's table, or is said no more: its pages differ, its record
    not."""
    cache.set(_key("talk", game_id), _since(secrets.token_hex(4)), _VERSION_KEPT)


def mark(game_id: int) -> str | None:
    """A text that changes whenever the pages of the game do; None where the cache does not know."""
    keys = [_key(kind, game_id) for kind in ("version", "stuck", "talk")]
    marks = cache.get_many(keys) or {}
    version, *changes = (marks.get(key) for key in keys)
    if not isinstance(version, int):
        return None
    return ".".join(map(str, (version, *filter(None, changes))))


def refuse_lag(game_id: int, entries: int) -> None:
    """Raise Lagging where a standby of the database is asked, and may not have all of the game yet:
    it shows so many entries, and others are known, or its pages changed otherwise just now."""
    if not replica.is_asked():
        return
    version, *changes = (mark(game_id) or str(entries)).split(".")
    settled = wall_now().timestamp() - _SETTLED
    moments = (float(change.partition("-")[0]) for change in changes)
    if int(version) > entries or any(moment > settled for moment in moments):
        raise replica.Lagging


def begin_mark(game_id: int, entries: int) -> str:
    """The mark of the game's pages; where the cache knows none, that of so many entries, which it
    knows from then on."""
    known_mark = mark(game_id)
    if known_mark is None:
        bump(game_id, entries)
    return known_mark or str(entries)


def seat_mark(player_id: int) -> str | None:
    """The mark that stays as long as nothing private changes that player's pages; None where none
    was begun since, and where the cache does not know."""
    seat_text = cache.get(_key("seat", player_id))
    return seat_text if isinstance(seat_text, str) else None


def begin_seat_mark(player_id: int) -> str | None:
    """The mark of that player's pages, made by chance where there is none.

    Ask before what it is to tell of is read, so that nothing falls between the two.
    """
    seat_text = cache.get_or_set(_key("seat", player_id), secrets.token_urlsafe, _SEAT_KEPT)
    return seat_text if isinstance(seat_text, str) else None


def end_seat_marks(players: Iterable[int]) -> None:
    """Something has changed in private for these players, and for nobody else: their marks are
    gone. Nothing is left in the cache by which anybody could tell."""
    cache.delete_many([_key("seat", player) for player in players])


def look(game_id: int, wall: datetime) -> None:
    """Somebody looks at the game at this wall moment, so that its practice players play."""
    cache.set(_key("look", game_id), iso(wall), _LOOK_KEPT)


def last_look(game_id: int) -> datetime | None:
    """The wall moment at which somebody last looked at the game; None where none is known."""
    return _moment_at(_key("look", game_id))


def present(game_id: int, viewer: str, wall: datetime) -> list[str]:
    """All who look at the game about this wall moment, the `viewer` too, unless it is empty."""
    viewers: list[str]
    viewers = cache.come(_key("here", game_id), viewer, wall.timestamp(), _HERE)  # type: ignore[attr-defined]
    return viewers


def leave(game_id: int, viewer: str) -> None:
    """They look at the game no more, as far as others are told."""
    cache.go(_key("here", game_id), viewer)  # type: ignore[attr-defined]


def measure(seconds: float, refused: str) -> None:
    """An action took so long; `refused` is the code of the refusal in which it ended, if it did.

    Counted for the whole site, by all its processes together: nothing tells who did what where.
    """
    bound = next((longest for longest in ACTION_BOUNDS if seconds <= longest), inf)
    counted = {f"took/{bound}": 1, "microseconds": round(seconds * 1_000_000)}
    if refused:
        counted[f"refused/{refused}"] = 1
    usage.count(_MEASURES, counted)


def count_turned_away(share: str) -> None:
    """A request was turned away, since that kind of share had no place left."""
    usage.count(_MEASURES, {f"turned_away/{share}": 1})


def measures() -> dict[str, int]:
    """The counts of actions since the cache began, by name: `took/BOUND` for those that took at
    most so many seconds and more than the bound before, their `microseconds` in all,
    `refused/CODE`, and `turned_away/SHARE` for requests."""
    counts: dict[str, int] = cache.counted(_MEASURES)  # type: ignore[attr-defined]
    return counts


def beat(wall: datetime) -> None:
    """A sweep has run at this wall moment."""
    cache.set(_HEARTBEAT, iso(wall), None)


def last_beat() -> datetime | None:
    """The wall moment of the last sweep; None where none is known."""
    return _moment_at(_HEARTBEAT)


def is_worker_running(wall: datetime | None = None) -> bool:
    """Whether a sweep has run within the last 30 seconds (wall time)."""
    last = last_beat()
    return last is not None and (wall or wall_now()) - last < LATE_AFTER


def _since(kind: str) -> str:
    return f"{wall_now().timestamp():.0f}-{kind}"


def _key(kind: str, number: int | str) -> str:
    return f"nomic:{kind}:{number}"


def _moment_at(key: str) -> datetime | None:
    text = cache.get(key)
    return parse_datetime(text) if isinstance(text, str) else None
