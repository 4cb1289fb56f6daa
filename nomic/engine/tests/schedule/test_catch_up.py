"""Appointments: each once, in order, at its own moment, however late the machine is."""

from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from nomic.engine.catch_up import catch_up, is_lost, sweep
from nomic.engine.models import Appointment, AppointmentStatus
from nomic.engine.outcomes import Outcome
from nomic.engine.schedule import Schedule
from nomic.engine.table import Table, glance
from nomic.engine.tests.tiny import COIN, SCRIPTS, TINY
from nomic.games.clock import standing_at
from nomic.games.models import Game, Player
from nomic.operations.setup import BadSetup, advance, new_game, set_pace
from nomic.record.models import EntryKind
from tests.kit import Take, at_the_table, seat

MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
WEEK = timedelta(days=7)
HOUR = timedelta(hours=1)


def happened(game: Game, *names: str) -> list[tuple[str, datetime]]:
    events = game.entries.filter(kind=EntryKind.EVENT)
    events = events.filter(name__in=names) if names else events
    return list(events.order_by("seq").values_list("name", "at"))


def texts(game: Game, name: str) -> list[str]:
    return list(game.entries.filter(name=name).order_by("seq").values_list("text", flat=True))


def appoint(game: Game, subject: str, due: datetime, kind: str = "tiny.scripted") -> None:
    with at_the_table(game) as table:
        table.appointments.make(kind, due, subject)


def test_ten_missed_weeks_happen_in_order_each_at_its_own_moment(
    game: Game, player: Player
) -> None:
    assert advance(game.slug, MONDAY + 9 * WEEK + HOUR) == 20
    weeks = [MONDAY + n * WEEK for n in range(10)]
    assert happened(game) == [
        pair for week in weeks for pair in (("dice.week", week), ("tiny.week", week))
    ]
    with at_the_table(game) as table:
        assert table.ledger.balance(player, COIN) == 10


@pytest.mark.parametrize(
    "change",
    [
        lambda schedule: schedule.make("tiny.scripted", MONDAY),
        lambda schedule: schedule.expect("tiny.week", MONDAY + HOUR),
        lambda schedule: schedule.cancel("tiny.week"),
        lambda schedule: schedule.pull_hours(HOUR, MONDAY),
    ],
)
def test_who_only_looks_changes_nothing_of_what_is_to_come(
    game: Game, change: Callable[[Schedule], None]
) -> None:
    before = list(game.appointments.order_by("pk").values())
    with pytest.raises(RuntimeError, match="to be read only"):
        change(glance(game).appointments)
    assert list(game.appointments.order_by("pk").values()) == before


def test_what_is_expected_is_all_of_its_kind_that_is_to_come(
    game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def to_come() -> list[tuple[str, datetime, bool]]:
        waiting = game.appointments.waiting().filter(kind="tiny.scripted")
        return list(waiting.values_list("subject", "due", "hidden"))

    with at_the_table(game) as table:
        schedule = table.appointments
        schedule.make("tiny.scripted", MONDAY, "a")
        schedule.make("tiny.scripted", MONDAY + HOUR, "b")
        with django_assert_num_queries(2):
            schedule.expect("tiny.scripted", MONDAY + 2 * HOUR, "c")
        assert to_come() == [("c", MONDAY + 2 * HOUR, False)]
        schedule.expect("tiny.scripted", MONDAY, "a")
        assert to_come() == [("a", MONDAY, False)]
        schedule.make("tiny.scripted", MONDAY + HOUR, "b")
        schedule.expect("tiny.scripted", MONDAY, "a", hidden=True)
        assert to_come() == [("a", MONDAY, True)]


@pytest.mark.django_db
def test_a_connection_that_answers_is_not_lost_and_one_in_whose_place_there_is_another_is() -> None:
    connection.ensure_connection()
    assert not is_lost(connection.connection)
    assert is_lost(object())


def test_what_was_noted_as_kept_is_not_to_come_any_more(game: Game) -> None:
    appoint(game, "a", MONDAY)
    kept = game.appointments.waiting().get(kind="tiny.scripted")
    with at_the_table(game) as table:
        schedule = table.appointments
        schedule.note_kept(kept, table.seq)
        assert not schedule.waiting("tiny.scripted", "a")
        schedule.make("tiny.scripted", MONDAY + HOUR, "a", once=True)
        assert schedule.due("tiny.scripted", "a") == MONDAY + HOUR
    kept.refresh_from_db()
    assert kept.status == AppointmentStatus.DONE


def test_what_is_there_no_more_cannot_be_kept(game: Game) -> None:
    gone = game.appointments.waiting().get(kind="tiny.week")

    def keep_it() -> None:
        with at_the_table(game) as table:
            Appointment.objects.filter(pk=gone.pk).delete()
            table.appointments.note_kept(gone, table.seq)
            table.appointments.settle()

    with pytest.raises(Appointment.NotUpdated):
        keep_it()
    assert list(game.appointments.waiting().filter(kind="tiny.week")) == [gone]


def test_what_is_kept_is_kept_once(game: Game, player: Player) -> None:
    advance(game.slug, MONDAY + WEEK)
    before = game.entries.count()
    assert catch_up(game.pk) == sweep() == sweep() == 0
    assert game.entries.count() == before


def test_a_sweep_catches_up_with_a_game_at_real_pace(db: None) -> None:
    now = datetime.now(UTC)
    game, _ = new_game("late", TINY, pace="real", start=now - 10 * WEEK)
    with standing_at(now):  # in which no eleventh week begins
        assert sweep() == 20
    ats = [at for name, at in happened(game, "tiny.week")]
    assert ats == [ats[0] + n * WEEK for n in range(10)]
    assert all(at.weekday() == 0 and at.time() == datetime.min.time() for at in ats)
    game.refresh_from_db()
    assert game.wakes_at == game.next_due == ats[-1] + WEEK


def test_an_action_is_judged_after_all_that_was_due_before_it(db: None) -> None:
    game, _ = new_game("late", TINY, pace="real", start=datetime.now(UTC) - 3 * WEEK)
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", table.now, "last")
    seat(game, "Murphy")
    names = list(game.entries.order_by("-seq").values_list("name", flat=True)[:2])
    assert names == ["games.join", "tiny.scripted"]


def test_an_action_at_the_very_moment_of_an_event_comes_after_it(
    game: Game, player: Player, act: Take
) -> None:
    appoint(game, "the bell", MONDAY)
    Game.objects.filter(pk=game.pk).update(anchor_game=MONDAY)
    entry = act(player, "games.leave").entry
    assert entry.at == MONDAY
    assert happened(game)[-1] == ("tiny.scripted", MONDAY)


def test_events_of_one_moment_happen_by_their_priority(game: Game) -> None:
    appoint(game, "b", MONDAY)
    appoint(game, "a", MONDAY)
    appoint(game, "c", MONDAY, "tiny.early")
    advance(game.slug, MONDAY)
    assert [name for name, _ in happened(game)] == [
        "tiny.early",
        "dice.week",
        "tiny.week",
        "tiny.scripted",
        "tiny.scripted",
    ]
    assert texts(game, "tiny.scripted") == ["b happens.", "a happens."]


def test_an_event_may_appoint_one_that_comes_before_the_others(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def foresee(table: Table) -> Outcome:
        table.appointments.make("tiny.scripted", table.now + HOUR, "between")
        return Outcome("foreseen")

    monkeypatch.setitem(SCRIPTS, "foresee", foresee)
    appoint(game, "foresee", MONDAY - 9 * HOUR)
    appoint(game, "after", MONDAY - 7 * HOUR)
    advance(game.slug, MONDAY - HOUR)
    assert texts(game, "tiny.scripted") == ["foreseen", "between happens.", "after happens."]
    assert [at for _, at in happened(game)] == [MONDAY - n * HOUR for n in (9, 8, 7)]


def test_no_event_may_be_appointed_in_the_past(game: Game) -> None:
    with pytest.raises(ValueError, match="would lie before"):
        appoint(game, "yesterday", game.anchor_game - HOUR)


def test_an_appointment_made_twice_is_one_and_cancelled_it_is_none(game: Game) -> None:
    appoint(game, "twice", MONDAY - HOUR)
    appoint(game, "twice", MONDAY - HOUR)
    appoint(game, "never", MONDAY - HOUR)
    with at_the_table(game) as table:
        table.appointments.cancel("tiny.scripted", "never")
    advance(game.slug, MONDAY - HOUR)
    assert texts(game, "tiny.scripted") == ["twice happens."]


def test_events_that_beget_events_for_ever_do_not_hold_the_others_up(
    game: Game, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def again(table: Table) -> Outcome:
        table.appointments.make("tiny.scripted", table.now, f"again {table.seq}")
        return Outcome("again")

    monkeypatch.setattr("nomic.engine.tests.tiny.SCRIPTS", defaultdict(lambda: again))
    settings.BOUNDS = {"game_burst": 0.0, "game_share": 0.001}
    appoint(game, "again", game.anchor_game)
    assert catch_up(game.pk, limit=7) == 7
    other, _ = new_game("other", TINY, pace="manual", start=MONDAY - HOUR)
    Game.objects.filter(pk=other.pk).update(anchor_game=MONDAY, wakes_at=datetime.now(UTC))
    assert sweep(limit=9) == 9
    assert happened(other) == [("dice.week", MONDAY), ("tiny.week", MONDAY)]


def test_all_that_became_due_happens_however_much_it_is(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomic.engine.catch_up._MOST_AT_ONCE", 3)
    assert advance(game.slug, MONDAY + 4 * WEEK) == 10


def test_events_without_end_at_one_moment_are_told_of(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(table: Table) -> Outcome:
        table.appointments.make("tiny.scripted", table.now, f"again {table.seq}")
        return Outcome("again")

    monkeypatch.setattr("nomic.engine.tests.tiny.SCRIPTS", defaultdict(lambda: again))
    monkeypatch.setattr("nomic.engine.catch_up._MOST_AT_ONCE", 3)
    appoint(game, "again", MONDAY - HOUR)
    with pytest.raises(CommandError, match="Due is still: tiny"):
        call_command("advance", game.slug, to="2026-03-10")
    assert len(happened(game)) == 6


def test_an_event_that_recurs_appoints_its_next(game: Game) -> None:
    advance(game.slug, MONDAY)
    waiting = game.appointments.filter(status=AppointmentStatus.WAITING).values_list("kind", "due")
    assert list(waiting) == [("dice.week", MONDAY + WEEK), ("tiny.week", MONDAY + WEEK)]
    done = Appointment.objects.get(game=game, kind="tiny.week", status=AppointmentStatus.DONE)
    assert done.entry == game.entries.get(name="tiny.week").seq


def test_time_is_moved_by_hand_in_a_manual_game_only_and_never_back(game: Game) -> None:
    with pytest.raises(BadSetup, match="time does not go back"):
        advance(game.slug, game.anchor_game - HOUR)
    real, _ = new_game("real", TINY, pace="real")
    with pytest.raises(BadSetup, match="only manual time is moved"):
        advance(real.slug, datetime.now(UTC) + HOUR)


def test_a_change_of_pace_comes_after_all_that_was_due_before_it(db: None) -> None:
    game, _ = new_game("quick", TINY, pace="fast", start=MONDAY - HOUR)
    long_ago = datetime.now(UTC) - timedelta(minutes=12)
    Game.objects.filter(pk=game.pk).update(anchor_wall=long_ago, wakes_at=long_ago)
    set_pace(game.slug, "manual")
    assert happened(game, "tiny.week") == [("tiny.week", MONDAY + n * WEEK) for n in range(3)]
    assert game.entries.order_by("-seq")[0].name == "games.set_pace"
    advance(game.slug, MONDAY + 3 * WEEK)
    assert len(happened(game, "tiny.week")) == 4
