"""B Nomic's calendar by itself: moments in, ndays out."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from proposals.models import NweekClock

BEGAN = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
NDAYS = 12
HOURS = st.integers(0, 24 * 30).map(lambda hours: timedelta(hours=hours))


def first() -> NweekClock:
    return NweekClock(began_at=BEGAN, since=BEGAN)


def turned_off() -> NweekClock:
    clock = first()
    clock.turn(BEGAN + 2 * DAY, on=False)
    return clock


def test_an_nday_begins_at_its_moment_and_the_last_one_lasts() -> None:
    second = timedelta(seconds=1)
    assert first().nday(BEGAN, DAY, NDAYS) == 1
    assert first().nday(BEGAN + DAY - second, DAY, NDAYS) == 1
    assert first().nday(BEGAN + DAY, DAY, NDAYS) == 2
    assert first().nday(BEGAN + 40 * DAY, DAY, NDAYS) == NDAYS


def test_ndelay_counts_begun_days_while_the_clock_is_off_and_is_none_while_it_is_on() -> None:
    off = turned_off()
    assert first().ndelay(BEGAN + 5 * DAY, DAY) == 0
    assert [off.ndelay(BEGAN + n * DAY, DAY) for n in (2, 3, 5)] == [1, 2, 4]


def test_while_the_clock_is_off_no_moment_is_known() -> None:
    off = turned_off()
    assert off.moment_after(8 * DAY) is None
    off.turn(BEGAN + 9 * DAY, on=True)
    assert off.moment_after(8 * DAY) == BEGAN + 15 * DAY


def test_a_moment_that_has_passed_is_that_of_the_clocks_last_turn() -> None:
    clock = first()
    clock.turn(BEGAN + 5 * DAY, on=False)
    clock.turn(BEGAN + 6 * DAY, on=True)
    assert clock.moment_after(3 * DAY) == BEGAN + 6 * DAY


def test_the_next_nweek_begins_with_nothing_gone_by() -> None:
    following = first()
    following.go_on(BEGAN + 12 * DAY, on=False)
    assert (following.nweek, following.gone, following.is_on) == (2, timedelta(0), False)
    assert following.gone_by(BEGAN + 20 * DAY) == timedelta(0)


@given(st.lists(HOURS, min_size=1, max_size=12), HOURS)
def test_only_time_with_the_clock_on_goes_by_however_often_it_is_turned(
    waits: list[timedelta], last: timedelta
) -> None:
    nweek, now, was_on = first(), BEGAN, timedelta(0)
    for wait in waits:
        now += wait
        was_on += wait if nweek.is_on else timedelta(0)
        nweek.turn(now, on=not nweek.is_on)
    was_on += last if nweek.is_on else timedelta(0)
    assert nweek.gone_by(now + last) == was_on
    if nweek.is_on:
        moment = nweek.moment_after(was_on + DAY)
        assert moment is not None
        assert nweek.gone_by(moment) == was_on + DAY
