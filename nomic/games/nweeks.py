"""B Nomic's calendar: nweeks of ndays, which pass while the Clock is on. Pure functions of moments.

While the Clock is off no nday passes; ndelay counts instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

_NONE = timedelta(0)


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
