"""Pauses and outages: what waits with the game, and what goes on without it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.models import AppointmentStatus, CountedIn
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.tiny import SCRIPTS, TINY
from nomic.games.models import Game
from nomic.operations.setup import BadSetup, advance, new_game
from nomic.record.models import EntryKind
from tests.kit import Take, at_the_table, open_at_real_pace, seat

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
WEEK = timedelta(days=7)


@pytest.fixture
def offices() -> str:
    """Whoever takes a vacant office has it, as in practice."""
    return "open"


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    """The wall's time, which stands at Wednesday noon until the test moves it."""
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


@pytest.fixture
def game(db: None, wall: time_machine.Traveller) -> Game:
    """A game at real pace."""
    return open_at_real_pace("table", TINY)


def ats(game: Game, name: str = "tiny.scripted") -> list[datetime]:
    return list(game.entries.filter(name=name).order_by("seq").values_list("at", flat=True))


def appoint(game: Game, *dues: datetime, counted_in: CountedIn = CountedIn.GAME) -> None:
    with at_the_table(game) as table:
        for due in dues:
            table.appointments.make("tiny.scripted", due, "bell", counted_in=counted_in)


def pause(act: Take, wall: time_machine.Traveller, lasts: timedelta) -> None:
    act(None, "games.pause", reason="holidays")
    wall.shift(lasts)
    act(None, "games.resume")


def test_a_pause_shifts_what_is_counted_in_game_time(
    game: Game, act: Take, wall: time_machine.Traveller
) -> None:
    appoint(game, WEDNESDAY + 5 * HOUR)
    pause(act, wall, 3 * HOUR)
    wall.shift(5 * HOUR - timedelta(seconds=1))
    assert sweep() == 0
    wall.shift(timedelta(seconds=1))
    assert sweep() == 1
    assert ats(game) == [WEDNESDAY + 5 * HOUR]


def test_what_is_counted_in_hours_goes_on_during_a_pause(
    game: Game, act: Take, wall: time_machine.Traveller
) -> None:
    appoint(game, WEDNESDAY + 5 * HOUR, counted_in=CountedIn.HOURS)
    pause(act, wall, 3 * HOUR)
    wall.shift(2 * HOUR - timedelta(seconds=1))
    assert sweep() == 0
    wall.shift(timedelta(seconds=1))
    assert sweep() == 1
    assert game.entries.get(name="tiny.scripted").recorded_at == WEDNESDAY + 5 * HOUR
    assert ats(game) == [WEDNESDAY + 2 * HOUR]


def test_what_ran_out_during_a_pause_happens_at_its_end_in_its_order(
    game: Game, act: Take, wall: time_machine.Traveller
) -> None:
    appoint(game, *(WEDNESDAY + n * HOUR for n in (1, 2, 3, 9)), counted_in=CountedIn.HOURS)
    pause(act, wall, 5 * HOUR)
    wall.shift(timedelta(seconds=1))
    assert sweep() == 3
    first, second, third = ats(game)
    assert WEDNESDAY <= first < second < third < WEDNESDAY + timedelta(seconds=1)
    wall.shift(4 * HOUR)
    assert sweep() == 1
    assert ats(game)[-1] == WEDNESDAY + 4 * HOUR


def test_a_pause_that_is_longer_than_a_week_costs_no_week(
    game: Game, act: Take, wall: time_machine.Traveller
) -> None:
    pause(act, wall, 30 * DAY)
    assert sweep() == 0
    wall.shift(MONDAY - WEDNESDAY)
    sweep()
    assert ats(game, "tiny.week") == [MONDAY]


def test_in_a_paused_game_nobody_acts_and_nothing_happens(
    game: Game, act: Take, wall: time_machine.Traveller
) -> None:
    murphy = seat(game, "Murphy")
    appoint(game, WEDNESDAY + HOUR)
    act(None, "games.pause", reason="holidays")
    wall.shift(2 * HOUR)
    assert sweep() == catch_up(game.pk) == 0
    with pytest.raises(Refused) as refused:
        act(murphy, "tiny.buy_cup")
    assert refused.value.refusal.code == "paused"
    game.refresh_from_db()
    assert game.state == "paused"
    assert game.now(datetime.now(UTC)) == WEDNESDAY


def test_a_paused_game_is_resumed_once_and_both_are_on_the_record(
    game: Game, act: Take, wall: time_machine.Traveller
) -> None:
    officer = seat(game, "snail")
    act(officer, "games.take_office", office="Keeper")
    act(officer, "games.pause", reason="holidays")
    with pytest.raises(Refused):
        act(officer, "games.pause", reason="again")
    act(officer, "games.resume")
    with pytest.raises(Refused) as refused:
        act(officer, "games.resume")
    assert refused.value.refusal.sentence == "The game is not paused."
    said = game.entries.filter(kind=EntryKind.OFFICER).order_by("seq")
    assert [entry.text for entry in said] == [
        "snail pauses the game: holidays",
        "snail resumes the game.",
    ]


def test_a_paused_games_time_is_not_moved_by_hand_and_holds_no_other_up(
    wall: time_machine.Traveller, game: Game, act: Take
) -> None:
    hand, _ = new_game("hand", TINY, pace="manual", start=WEDNESDAY)
    take("hand", None, "games.pause", {"reason": "holidays"})
    with pytest.raises(BadSetup, match="is paused"):
        advance("hand", MONDAY)
    Game.objects.filter(pk=hand.pk).update(wakes_at=WEDNESDAY - HOUR)
    wall.move_to(MONDAY)
    sweep()
    assert ats(game, "tiny.week") == [MONDAY]


def test_after_an_outage_what_was_missed_happens_each_at_its_own_moment(
    game: Game, wall: time_machine.Traveller
) -> None:
    wall.move_to(MONDAY + 2 * WEEK + HOUR)
    sweep()
    assert ats(game, "tiny.week") == [MONDAY, MONDAY + WEEK, MONDAY + 2 * WEEK]
    assert not game.entries.filter(name="games.shift").exists()


def test_a_game_that_shifts_by_outages_misses_nothing_and_nobody_loses_time(
    db: None, wall: time_machine.Traveller
) -> None:
    game, _ = new_game("shifting", TINY, pace="real", after_outage="shift")
    outage = 2 * WEEK + HOUR
    wall.move_to(MONDAY + outage)
    sweep()
    assert ats(game, "tiny.week") == [MONDAY]
    shift = game.entries.get(name="games.shift")
    assert (shift.at, shift.outcome["seconds"]) == (MONDAY, outage.total_seconds())
    wall.shift(WEEK - timedelta(seconds=1))
    assert sweep() == 0
    wall.shift(timedelta(seconds=1))
    sweep()
    assert ats(game, "tiny.week") == [MONDAY, MONDAY + WEEK]


def test_what_is_counted_in_hours_goes_on_during_an_outage(
    db: None, wall: time_machine.Traveller
) -> None:
    game, _ = new_game("shifting", TINY, pace="real", after_outage="shift")
    appoint(game, WEDNESDAY + HOUR)
    appoint(game, *(WEDNESDAY + n * HOUR for n in (2, 30)), counted_in=CountedIn.HOURS)
    wall.shift(25 * HOUR + timedelta(microseconds=7))
    sweep()
    wall.move_to(WEDNESDAY + 30 * HOUR - timedelta(seconds=1))
    sweep()
    shifted = WEDNESDAY + HOUR
    assert ats(game) == [shifted, shifted + timedelta(microseconds=1)]
    wall.shift(timedelta(seconds=1))
    assert sweep() == 1
    assert game.entries.latest("seq").recorded_at == WEDNESDAY + 30 * HOUR


def test_a_game_that_was_stuck_was_not_away(
    db: None, wall: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(table: Table) -> Outcome:
        raise ZeroDivisionError

    game, _ = new_game("shifting", TINY, pace="real", after_outage="shift")
    appoint(game, WEDNESDAY + HOUR, WEDNESDAY + 2 * HOUR)
    with monkeypatch.context() as broken:
        broken.setitem(SCRIPTS, "bell", break_down)
        wall.shift(HOUR)
        sweep()
        wall.shift(3 * HOUR)
        take("shifting", None, "games.skip_appointment", {"reason": "it is broken"})
    sweep()
    assert not game.entries.filter(name="games.shift").exists()
    assert ats(game) == [WEDNESDAY + 2 * HOUR]


def test_an_outage_after_the_game_was_stuck_counts_from_there(
    db: None, wall: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(table: Table) -> Outcome:
        raise ZeroDivisionError

    game, _ = new_game("shifting", TINY, pace="real", after_outage="shift")
    appoint(game, *(WEDNESDAY + n * HOUR for n in (1, 2, 6)))
    with monkeypatch.context() as broken:
        broken.setitem(SCRIPTS, "bell", break_down)
        wall.shift(HOUR)
        sweep()
        wall.shift(3 * HOUR)
        take("shifting", None, "games.skip_appointment", {"reason": "it is broken"})
    wall.shift(5 * HOUR)
    sweep()
    assert game.entries.get(name="games.shift").outcome == {"seconds": 5 * 60 * 60}
    assert ats(game) == [WEDNESDAY + 2 * HOUR]
    wall.shift(2 * HOUR)
    sweep()
    assert ats(game) == [WEDNESDAY + 2 * HOUR, WEDNESDAY + 6 * HOUR]


def test_a_few_minutes_are_no_outage(db: None, wall: time_machine.Traveller) -> None:
    game, _ = new_game("shifting", TINY, pace="real", after_outage="shift")
    wall.move_to(MONDAY + timedelta(minutes=9))
    sweep()
    assert not game.entries.filter(name="games.shift").exists()
    assert (
        game.appointments.get(kind="tiny.week", status=AppointmentStatus.WAITING).due
        == MONDAY + WEEK
    )


def test_the_minutes_of_a_fast_game_are_weeks(db: None, wall: time_machine.Traveller) -> None:
    game, _ = new_game("fast", TINY, pace="fast", start=MONDAY - DAY)
    wall.shift(timedelta(minutes=11))
    sweep()
    assert ats(game, "tiny.week") == [MONDAY, MONDAY + WEEK, MONDAY + 2 * WEEK]
    game.refresh_from_db()
    assert game.wakes_at == WEDNESDAY + (3 * WEEK + DAY) / 2016 + timedelta(microseconds=1)
    wall.move_to(game.wakes_at)
    assert sweep() == 2
