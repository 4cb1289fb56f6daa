"""Wall time to game time and back. Nothing else knows the pace of a game."""

from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nomic.infrastructure.contexts import within

_ROUNDING = timedelta(microseconds=1)
BEGINNING_OF_TIME = datetime(1900, 1, 1, tzinfo=UTC)
END_OF_TIME = datetime(9000, 1, 1, tzinfo=UTC)


_STANDING: ContextVar[datetime | None] = ContextVar("standing", default=None)


def wall_now() -> datetime:
    """The wall moment, in UTC. The one place of the program that reads the time."""
    return _STANDING.get() or datetime.now(UTC)


def standing_at(moment: datetime) -> AbstractContextManager[datetime | None]:
    """Within, wall time stands at that moment: what is recorded of a simulation is the same
    whenever it is played."""
    return within(_STANDING, moment)


def utc(moment: datetime) -> datetime:
    """The same moment in UTC; a moment without a zone is taken to be in UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def in_time(moment: datetime) -> datetime:
    """The same moment in UTC; ValueError where no game's time can be that early or that late."""
    try:
        in_utc = utc(moment)
    except OverflowError:
        in_utc = None
    if in_utc is None or not BEGINNING_OF_TIME <= in_utc <= END_OF_TIME:
        raise ValueError("Time begins with the year 1900 and ends where the year 9000 begins.")
    return in_utc


def read_moment(typed: str) -> datetime:
    """A moment as ISO 8601, in UTC unless it says otherwise; a date alone is its midnight.

    Raises ValueError with a sentence.
    """
    try:
        moment = datetime.fromisoformat(typed)
    except ValueError:
        raise ValueError(
            f"“{typed[:40]}” is not a moment. Write it like 2026-01-05T00:00Z."
        ) from None
    return in_time(moment)


def iso(moment: datetime) -> str:
    """The moment as ISO 8601 in UTC with microseconds, the form that hashes and the API use."""
    return utc(moment).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@dataclass(frozen=True, slots=True)
class Clock:
    """At the wall moment `anchor_wall` the game's time was `anchor_game`.

    `rate` is in game seconds per wall second: 1 at real pace, more in a fast game, 0 where time
    stands still (manual pace, or paused).
    """

    anchor_game: datetime
    anchor_wall: datetime
    rate: int

    def moment(self, wall: datetime) -> datetime:
        """The game moment at that wall moment; a fast game's time ends in the year 9000."""
        try:
            return min(self.anchor_game + (wall - self.anchor_wall) * self.rate, END_OF_TIME)
        except OverflowError:
            return END_OF_TIME

    def wall(self, moment: datetime) -> datetime | None:
        """The first wall moment at which the game has reached `moment`; None if it never does."""
        if self.rate == 0:
            return self.anchor_wall if moment <= self.anchor_game else None
        since = (moment - self.anchor_game) / self.rate
        exact = self.rate == 1
        return self.anchor_wall + since + (timedelta(0) if exact else _ROUNDING)

    def told(self, moment: datetime) -> str:
        """The game moment as a letter tells it, whose reader's zone nobody knows: the wall moment
        in UTC, with the game's beside it where that is another."""
        wall = self.wall(moment)
        if wall is None:
            return f"{moment:%d %B at %H:%M} in the game"
        in_the_game = f" ({moment:%d %B at %H:%M} in the game)"
        beside = "" if abs(wall - moment) < timedelta(minutes=1) else in_the_game
        return f"{wall:%d %B at %H:%M} UTC{beside}"

    def at(self, wall: datetime, rate: int) -> "Clock":
        """The clock that goes on from this one's moment at `wall` with another rate."""
        return Clock(self.moment(wall), wall, rate)
