"""Wall time to game time and back, and where weeks and months begin."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.games.calendars import month_start, next_month, next_start, next_week, week_start
from nomic.games.clock import Clock, iso, utc

MICROSECOND = timedelta(microseconds=1)
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)

moments = st.datetimes(
    datetime(2020, 1, 1),
    datetime(2040, 1, 1),
    timezones=st.just(UTC),
)
spans = st.timedeltas(timedelta(0), timedelta(days=4000))
rates = st.one_of(st.just(1), st.integers(2, 100_000))


@given(moments, moments, rates, spans)
def test_nothing_is_due_before_its_moment(
    anchor: datetime, wall: datetime, rate: int, ahead: timedelta
) -> None:
    clock = Clock(anchor, wall, rate)
    due = anchor + ahead
    rings = clock.wall(due)
    assert rings is not None
    assert clock.moment(rings) >= due


@given(moments, moments, rates, spans)
def test_the_alarm_rings_as_soon_as_its_moment_is_there(
    anchor: datetime, wall: datetime, rate: int, ahead: timedelta
) -> None:
    clock = Clock(anchor, wall, rate)
    rings = clock.wall(anchor + ahead)
    assert rings is not None
    assert clock.moment(rings - 2 * MICROSECOND) < anchor + ahead


@given(moments, moments, spans)
def test_at_real_pace_there_and_back_is_the_same_moment(
    anchor: datetime, wall: datetime, ahead: timedelta
) -> None:
    clock = Clock(anchor, wall, 1)
    assert clock.wall(clock.moment(wall + ahead)) == wall + ahead


@given(moments, moments, rates, spans, spans)
def test_time_never_goes_back(
    anchor: datetime, wall: datetime, rate: int, one: timedelta, more: timedelta
) -> None:
    clock = Clock(anchor, wall, rate)
    assert clock.moment(wall + one) <= clock.moment(wall + one + more)


@given(moments, moments, rates, spans, st.integers(0, 5000))
def test_a_change_of_rate_is_no_leap(
    anchor: datetime, wall: datetime, rate: int, later: timedelta, other: int
) -> None:
    clock = Clock(anchor, wall, rate)
    changed = clock.at(wall + later, other)
    assert changed.moment(wall + later) == clock.moment(wall + later)


def test_a_fast_week_of_five_minutes_takes_five_minutes() -> None:
    clock = Clock(MONDAY, MONDAY, 2016)
    assert clock.moment(MONDAY + timedelta(minutes=5)) == MONDAY + timedelta(days=7)


def test_a_fast_game_that_runs_for_years_does_not_run_out_of_calendar() -> None:
    clock = Clock(MONDAY, MONDAY, 2016)
    last = clock.moment(MONDAY + timedelta(days=4000))
    assert last == clock.moment(MONDAY + timedelta(days=40_000))
    assert next_week(last) > last


def test_where_time_stands_still_what_was_due_is_due_and_the_rest_never_comes() -> None:
    clock = Clock(MONDAY, MONDAY + timedelta(hours=3), 0)
    assert clock.moment(MONDAY + timedelta(days=99)) == MONDAY
    assert clock.wall(MONDAY) == MONDAY + timedelta(hours=3)
    assert clock.wall(MONDAY + MICROSECOND) is None


def test_a_moment_is_written_in_utc_with_microseconds() -> None:
    east = datetime(2026, 3, 2, 1, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert iso(east) == "2026-03-01T20:00:00.000000Z"
    assert utc(datetime(2026, 3, 2)) == MONDAY


@pytest.mark.parametrize(
    ("moment", "starts", "follows"),
    [
        ("2026-03-02T00:00:00", "2026-03-02", "2026-03-09"),
        ("2026-03-08T23:59:59.999999", "2026-03-02", "2026-03-09"),
        ("2026-03-09T00:00:00", "2026-03-09", "2026-03-16"),
        ("2025-12-31T12:00:00", "2025-12-29", "2026-01-05"),
        ("2024-02-29T12:00:00", "2024-02-26", "2024-03-04"),
        ("2026-03-02T00:30:00+01:00", "2026-02-23", "2026-03-02"),
    ],
)
def test_weeks_begin_on_monday_at_midnight_utc(moment: str, starts: str, follows: str) -> None:
    at = utc(datetime.fromisoformat(moment))
    assert week_start(at).isoformat() == f"{starts}T00:00:00+00:00"
    assert next_week(at).isoformat() == f"{follows}T00:00:00+00:00"


@pytest.mark.parametrize(
    ("moment", "starts", "follows"),
    [
        ("2026-03-01T00:00:00", "2026-03-01", "2026-04-01"),
        ("2026-01-31T23:59:59", "2026-01-01", "2026-02-01"),
        ("2024-02-29T12:00:00", "2024-02-01", "2024-03-01"),
        ("2025-12-31T12:00:00", "2025-12-01", "2026-01-01"),
    ],
)
def test_months_are_calendar_months(moment: str, starts: str, follows: str) -> None:
    at = utc(datetime.fromisoformat(moment))
    assert month_start(at).isoformat() == f"{starts}T00:00:00+00:00"
    assert next_month(at).isoformat() == f"{follows}T00:00:00+00:00"


@given(moments, st.sampled_from(["week", "month"]))
def test_the_next_start_is_ahead_and_the_one_after_it_is_one_period_on(
    moment: datetime, period: str
) -> None:
    begins = {"week": week_start, "month": month_start}[period]
    following = next_start(period, moment)
    assert begins(moment) <= moment < following
    assert begins(following) == following
    assert begins(following - MICROSECOND) == begins(moment)
