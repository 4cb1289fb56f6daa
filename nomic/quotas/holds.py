"""Who is held back: games, users and tokens that the operator locks out, and games that have
written more than their share of the disk.

The database says who. Every process looks into the cache each second, where the list stands whole;
what was known last counts where the cache is away. To hold back and to let in needs no game's lock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q

from nomic.games.clock import wall_now
from nomic.quotas.models import Hold, UsageKind, What

LONGEST_REASON = 300
_LIST = "nomic:held"
_LOOK = 1.0  # seconds
_MOST = 10_000  # holds that count at once: the newest


@dataclass(frozen=True, slots=True)
class Held:
    """Why something is held back, and until when (a wall moment, in seconds), if that is known."""

    reason: str
    until: float | None


_Known = dict[tuple[str, str, int], Held]


class _Memory:
    """The holds that this process knows, and when it looked for them last (seconds, monotonic)."""

    holds: _Known | None = None
    looked = 0.0


def held(
    how: What, kind: UsageKind, number: int | None, wall: datetime | None = None
) -> Held | None:
    """Why that is held back now; None where it is not. No query, but for a process's first."""
    hold = _current_holds().get((how.value, kind.value, number or 0))
    if hold is None or hold.until is None:
        return hold
    return hold if hold.until > (wall or wall_now()).timestamp() else None


def held_numbers(kind: UsageKind) -> set[int]:
    """Those of that kind that are held back, for whatever reason."""
    return {number for _, of, number in _current_holds() if of == kind}


def any_locked_out(kind: UsageKind) -> bool:
    """Whether any of that kind is locked out."""
    return any(how == What.OUT and of == kind for how, of, _ in _current_holds())


def _current_holds() -> _Known:
    now = monotonic()
    if _Memory.holds is None or now - _Memory.looked >= _LOOK:
        _Memory.looked = now  # before the cache is asked: other threads need not ask it meanwhile
        listed = cache.get(_LIST)
        if isinstance(listed, list):
            _Memory.holds = _read(listed)
        elif _Memory.holds is None:
            _Memory.holds = _read(publish())
    return _Memory.holds


def _read(listed: Iterable[Any]) -> _Known:
    return {
        (how, kind, number): Held(*reason_and_end) for how, kind, number, *reason_and_end in listed
    }


def publish() -> list[Any]:
    """Put the list into the cache, as the database has it; the list."""
    rows = Hold.objects.at(wall_now()).values_list("what", "kind", "number", "reason", "until")
    listed = [[*rest, until and until.timestamp()] for *rest, until in rows[:_MOST]]
    cache.set(_LIST, listed, None)  # Valkey drops for room what has an end, and this has none
    _Memory.holds, _Memory.looked = _read(listed), monotonic()
    return listed


def hold(
    how: What,
    kind: UsageKind,
    number: int,
    name: str,
    reason: str,
    *,
    by: str = "",
    until: datetime | None = None,
) -> bool:
    """Hold that back, until that wall moment or until it is let in; whether it was not already."""
    wall = wall_now()
    which = {"what": how, "kind": kind, "number": number}
    Hold.objects.filter(**which, ended_at=None, until__lte=wall).update(ended_at=wall)
    columns = {"name": name[:150], "reason": reason[:LONGEST_REASON], "by": by, "until": until}
    _, is_new = Hold.objects.get_or_create(**which, ended_at=None, defaults={**columns, "at": wall})
    publish()
    return is_new


def release(how: What, kind: UsageKind, number: int, *, by: str = "") -> bool:
    """Hold that back no longer; whether it was held."""
    open_holds = Hold.objects.filter(what=how, kind=kind, number=number, ended_at=None)
    ended = open_holds.update(ended_at=wall_now(), ended_by=by)
    publish()
    return bool(ended)


def goes_on(wall: datetime, game: str = "") -> Q:
    """The condition that nothing holds the game back (at that path), and so neither its sweeps."""
    at = Hold.objects.at(wall)
    of_game = at.filter(kind=UsageKind.GAME, number=OuterRef(f"{game}pk"))
    of_host = at.filter(what=What.DISK, kind=UsageKind.USER, number=OuterRef(f"{game}host_id"))
    return ~Q(Exists(of_game)) & ~Q(Exists(of_host))


def locked_out(kind: UsageKind, number: int | None) -> str:
    """The sentence for whoever asks for something of what is locked out; "" where it is not."""
    hold = held(What.OUT, kind, number)
    if hold is None:
        return ""
    return f"{_OUT[kind]} {hold.reason} {ASK}"


ASK = "Ask the operator of this site."
_OUT = {
    UsageKind.GAME: "This game is locked by the operator of this site: nobody acts in it, and"
    " nothing happens in it by itself; its pages stay to read. The reason:",
    UsageKind.USER: "Your account is locked out by the operator of this site. The reason:",
    UsageKind.TOKEN: "This token is locked out by the operator of this site. The reason:",
    UsageKind.RULE: "",
}
