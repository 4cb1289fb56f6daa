"""Where days, weeks and months begin, in game time. Pure functions of a moment."""

from collections.abc import Callable
from datetime import datetime, timedelta

from nomic.games.clock import utc

WEEK = timedelta(days=7)


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
