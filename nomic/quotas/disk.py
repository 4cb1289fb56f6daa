"""Each game's share of the disk: what it writes fills a bucket, and a day's share leaks out of it.

A game whose bucket is full waits until there is room: its acts are answered with 503, and no sweep
looks at it. All games of one host together fill a bucket of their own. Commands are exempt.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import timedelta
from math import ceil

from django.core.cache import cache

from nomic.games.bounds import DISK_A_DAY, DISK_BURST, DISK_OF_A_HOST
from nomic.games.clock import wall_now
from nomic.infrastructure.contexts import within
from nomic.quotas import holds
from nomic.quotas.models import UsageKind, What

_A_DAY = 86_400  # seconds
_ROOM = 0.9  # of the bucket: a game goes on when it is that full, so that it is not stopped again
_EXEMPT: ContextVar[bool] = ContextVar("what_is_written_is_a_commands", default=False)


def exempt() -> AbstractContextManager[bool]:
    """Within the block, writing fills nobody's share: the operator's commands do it."""
    return within(_EXEMPT, True)


def fill(game: int, host: int | None, written: int) -> None:
    """That game has written so many bytes; hold it back where it has written its share, and all
    games of its host where they have. Counted nowhere while the cache is away."""
    if not written or _EXEMPT.get():
        return
    whose = [(UsageKind.GAME, game, 1.0)]
    if host is not None:
        whose.append((UsageKind.USER, host, DISK_OF_A_HOST.most))
    leaks = {_key(kind, pk): DISK_A_DAY.most / _A_DAY * times for kind, pk, times in whose}
    levels: dict[str, int]
    levels = cache.fill(written, wall_now().timestamp(), leaks)  # type: ignore[attr-defined]
    for kind, pk, times in whose:
        key = _key(kind, pk)
        if levels.get(key, 0) > DISK_BURST.most * times:
            seconds = ceil((levels[key] - DISK_BURST.most * times * _ROOM) / leaks[key])
            until = wall_now() + timedelta(seconds=seconds)
            holds.hold(What.DISK, kind, pk, f"{kind} {pk}", _WHY[kind], until=until)


_WHY = {
    UsageKind.GAME: "This game has written more than its share of the disk.",
    UsageKind.USER: "The games of this host have written more than one host's share of the disk.",
}


def let_go_on(kind: UsageKind, number: int, by: str) -> bool:
    """Give the game or host its whole share anew; whether they waited for it."""
    cache.delete(_key(kind, number))
    return holds.release(What.DISK, kind, number, by=by)


def shares_used(kind: UsageKind, numbers: Iterable[int]) -> dict[int, float]:
    """How full the bucket of each is: 1.0 is full, and more is over it; 0.0 where the cache is
    away. One call."""
    times = DISK_OF_A_HOST.most if kind is UsageKind.USER else 1.0
    keys = {number: _key(kind, number) for number in numbers}
    leaks = dict.fromkeys(keys.values(), DISK_A_DAY.most / _A_DAY * times)
    levels = cache.fill(0, wall_now().timestamp(), leaks) if leaks else {}  # type: ignore[attr-defined]
    return {number: levels.get(key, 0) / (DISK_BURST.most * times) for number, key in keys.items()}


def waiting_reason(game: int, host: int | None) -> tuple[str, int] | None:
    """Why the game may write nothing now, and for how many seconds; None where it may."""
    wall = wall_now()
    for kind, number in ((UsageKind.GAME, game), (UsageKind.USER, host)):
        hold = holds.held(What.DISK, kind, number, wall)
        if hold and hold.until is not None:
            return hold.reason, max(1, ceil(hold.until - wall.timestamp()))
    return None


def _key(kind: UsageKind, number: int) -> str:
    return f"nomic:filled:{kind.value}:{number}"
