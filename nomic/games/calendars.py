"""Where days, weeks and months begin, in game time, and B Nomic's nweeks. All are pure.

An nweek has ndays, which pass while the Clock is on; while it is off, ndelay counts instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nomic.games.clock import utc

WEEK = timedelta(days=7)
_NONE = timedelta(0)


def midnight(moment: datetime) -> datetime:
    """00:00 UTC of the moment's day."""
    return utc(moment).replace(hour=0, minute=0, second=0, microsecond=0)


def week_start(moment: datetime) -> datetime:
    """Monday 00:00 UTC at or before the moment (Agora's week)."""
    return midnight(moment) - timedelta(days=utc(moment).weekday())


def next_week(moment: datetime) -> datetime:
    """The first Monday 00:00 UTC after the moment."""
    return week_start(moment) + WEEK


def month_start(moment: datetime) -> datetime:
    """00:00 UTC of the first day of the moment's calendar month."""
    return midnight(moment).replace(day=1)


def next_month(moment: datetime) -> datetime:
    """The first beginning of a calendar month after the moment."""
    return month_start(month_start(moment) + timedelta(days=32))


_NEXT: dict[str, Callable[[datetime], datetime]] = {
    "day": lambda moment: midnight(moment) + timedelta(days=1),
    "week": next_week,
    "month": next_month,
}


def next_start(period: str, moment: datetime) -> datetime:
    """The first start of a `day`, `week` or `month` after the moment."""
    return _NEXT[period](moment)


@dataclass(frozen=True, slots=True)
class Nweek:
    """An nweek as the Clock stood at its last turn.

    `gone` is what had gone by of the nweek at `since`, the game moment of that turn; `nday` is
    how long an nday is. The first nday of the first nweek of a game begins with the game.
    """

    number: int
    began: datetime
    is_on: bool
    since: datetime
    gone: timedelta = _NONE

    def gone_by(self, now: datetime) -> timedelta:
        """How much of the nweek has gone by, in time while the Clock was on."""
        return self.gone + (now - self.since if self.is_on else _NONE)

    def nday(self, now: datetime, length: timedelta, ndays: int) -> int:
        """Which nday it is, 1 to `ndays`; an nweek that is over stays at its last."""
        return min(self.gone_by(now) // length + 1, ndays)

    def ndelay(self, now: datetime, length: timedelta) -> int:
        """The days that the Clock has been off, begun ones counted; 0 while it is on."""
        return 0 if self.is_on else (now - self.since) // length + 1

    def moment_after(self, gone: timedelta) -> datetime | None:
        """The moment by which so much of the nweek will have gone by; None while the Clock is off.

        One that has passed already is that of the Clock's last turn at the earliest.
        """
        return max(self.since + (gone - self.gone), self.since) if self.is_on else None

    def turned(self, now: datetime, *, on: bool) -> Nweek:
        """The same nweek with the Clock turned on or off at that moment."""
        return replace(self, is_on=on, since=now, gone=self.gone_by(now))

    def next(self, now: datetime, *, on: bool) -> Nweek:
        """The nweek after this one, beginning at that moment."""
        return Nweek(self.number + 1, began=now, is_on=on, since=now)
