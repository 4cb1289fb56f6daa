"""A moment as letters tell it: in UTC, with the game's beside it where that is another."""

from datetime import UTC, datetime, timedelta

from nomic.games.clock import Clock

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)


def test_a_moment_of_real_time_is_told_once_and_of_another_twice() -> None:
    due = MONDAY + timedelta(days=2, hours=12)
    assert Clock(MONDAY, MONDAY, 1).told(due) == "11 March at 12:00 UTC"
    fast = Clock(MONDAY, datetime(2026, 11, 29, 14, tzinfo=UTC), 60)
    assert fast.told(due) == "29 November at 15:00 UTC (11 March at 12:00 in the game)"
    assert Clock(MONDAY, MONDAY, 0).told(due) == "11 March at 12:00 in the game"
