"""No game takes the workers from the others: those over their share wait, and the rest go first."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.engine.catch_up import Prepared, keep_next, lateness, sweep
from nomic.engine.fairness import background_work
from nomic.engine.fairness.locks import has_the_slot, locked_game
from nomic.engine.fairness.worker_share import is_over_share, let_go_on
from nomic.engine.outcomes import Behind, Outcome, Refused
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.tiny import SCRIPTS
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.quotas import usage
from nomic.record.models import Entry
from tests.kit import around, at_the_table, seat

BEGINS = datetime(2026, 3, 4, 12, tzinfo=UTC)
SECOND, MINUTE, HOUR, DAY = (
    timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days")
)
Wall = time_machine.Traveller


@around
@pytest.fixture
def wall() -> Iterator[Wall]:
    with time_machine.travel(BEGINS, tick=False) as wall:
        yield wall


@pytest.fixture
def takes(wall: Wall, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, float], None]:
    """Let what happens under that name take so many seconds."""

    def takes(subject: str, seconds: float) -> None:
        def script(table: Table) -> Outcome:
            wall.shift(seconds)
            return Outcome(f"{subject} happens.")

        monkeypatch.setitem(SCRIPTS, subject, script)

    return takes


def begun(slug: str, **more: Any) -> Game:
    return new_game(slug, "tiny", pace="real", **more)[0]


def appoint(game: Game, subject: str, *moments: datetime) -> None:
    with at_the_table(game) as table:
        for due in moments:
            table.appointments.make("tiny.scripted", due, subject)


def happened() -> list[str]:
    """What has happened in all games, in the order in which it did."""
    events = Entry.objects.filter(name="tiny.scripted").order_by("recorded_at", "pk")
    return [f"{slug}: {text}" for slug, text in events.values_list("game__slug", "text")]


def each(count: int, apart: timedelta = MINUTE, since: datetime = BEGINS) -> list[datetime]:
    return [since + (n + 1) * apart for n in range(count)]


def test_one_that_is_over_its_share_waits_behind_what_is_due_elsewhere(
    db: None, wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 2)
    greedy, modest = begun("greedy"), begun("modest")
    appoint(greedy, "toil", *each(6))
    wall.shift(HOUR)
    appoint(modest, "bell", wall_now() + SECOND, wall_now() + 3 * SECOND, wall_now() + 9 * SECOND)
    sweep()
    assert happened() == [
        "greedy: toil happens.",
        "modest: bell happens.",
        "greedy: toil happens.",
        "modest: bell happens.",
        *["greedy: toil happens."] * 3,
        "modest: bell happens.",
        "greedy: toil happens.",
    ]


def test_two_of_them_take_turns(db: None, wall: Wall, takes: Callable[[str, float], None]) -> None:
    takes("toil", 2)
    for slug in ("one", "two"):
        appoint(begun(slug), "toil", *each(3))
    wall.shift(HOUR)
    sweep()
    assert [told[:3] for told in happened()] == ["one", "two"] * 3


def test_a_share_is_paid_back_by_waiting(
    db: None, wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 2)
    game = begun("greedy")
    appoint(game, "toil", *each(5))
    wall.shift(HOUR)
    sweep()
    game.refresh_from_db()
    assert is_over_share(game, wall_now())
    assert not is_over_share(game, wall_now() + 30 * SECOND)


def test_what_came_to_nothing_is_paid_for_too(
    db: None, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(table: Table) -> Outcome:
        wall.shift(2)
        raise RuntimeError("no end")

    monkeypatch.setitem(SCRIPTS, "trap", fail)
    game = begun("failing")
    appoint(game, "trap", *each(1))
    wall.shift(HOUR)
    sweep()
    game.refresh_from_db()
    assert (game.state, is_over_share(game, wall_now())) == ("stuck", True)


def test_what_was_prepared_is_paid_for_also_where_it_does_not_fit(
    db: None, wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 0)
    game = begun("preparing")
    appoint(game, "toil", *each(1))
    wall.shift(HOUR)
    for place in ((None, 0, 0), (None, 0, 1)):
        with locked_game(pk=game.pk) as locked:
            assert locked is not None
            keep_next(locked, Prepared(place, {}, seconds=0.6, costs={"Toil": 0.6}))
    game.refresh_from_db()
    assert is_over_share(game, wall_now())


def test_what_a_worker_does_for_pages_is_paid_for_by_their_game(
    db: None, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begun("looked-at")
    sent: list[str] = []
    monkeypatch.setattr(
        background_work.work_out, "apply_async", lambda given, **how: sent.append(given[0])
    )
    monkeypatch.setitem(background_work._WORKS, "tried", lambda given, seconds: None)
    monkeypatch.setattr(background_work, "monotonic", iter([0.0, 3.0]).__next__)
    background_work.leave_to_worker("tried", "a", game.pk)
    background_work.work_out(*sent)
    game.refresh_from_db()
    assert (is_over_share(game, wall_now()), game.load) == (True, {})


@pytest.mark.django_db(transaction=True)
def test_while_one_worker_serves_one_of_them_another_is_left_for_the_rest(
    wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 2)
    greedy, other, modest = begun("greedy"), begun("other"), begun("modest")
    for game in (greedy, other):
        appoint(game, "toil", *each(3))
        Game.objects.filter(pk=game.pk).update(busy_until=BEGINS + DAY)
    appoint(modest, "bell", BEGINS + 2 * HOUR)
    wall.shift(2 * HOUR)
    held = connection.copy()
    try:
        held.set_autocommit(False)
        with held.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [0x4E6F6D69634C61])
        assert sweep() == 1
        assert happened() == ["modest: bell happens."]
    finally:
        held.close()
    assert sweep() == 6


@pytest.mark.django_db(transaction=True)
def test_the_slot_is_had_once_and_free_after_the_transaction() -> None:
    other = connection.copy()
    try:
        with transaction.atomic():
            assert has_the_slot()
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [0x4E6F6D69634C61])
                assert cursor.fetchone() == (False,)
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [0x4E6F6D69634C61])
            assert cursor.fetchone() == (True,)
    finally:
        other.close()


# Acts in a game that is behind


@pytest.fixture
def behind(db: None, wall: Wall, takes: Callable[[str, float], None]) -> Game:
    """A game with a backlog of ten things of 0.7 seconds each."""
    takes("toil", 0.7)
    game = begun("behind")
    seat(game, "Murphy")
    appoint(game, "toil", *each(10))
    wall.shift(3 * HOUR)
    return game


def test_an_act_works_off_a_second_of_it_and_is_done_when_it_is_sent_again(behind: Game) -> None:
    murphy = behind.players.get()
    with pytest.raises(Behind, match="behind by 2 hours; nothing is lost") as told:
        take("behind", murphy, "tiny.whisper", {"words": "xyzzy"}, "key")
    assert (len(happened()), told.value.seconds) == (2, 60)
    assert not behind.sealed_entries.filter(name="tiny.whisper").exists()
    sweep()
    receipt = take("behind", murphy, "tiny.whisper", {"words": "xyzzy"}, "key")
    assert (len(happened()), receipt.repeated) == (10, False)


def test_who_has_waited_for_a_turn_works_off_less_and_waits_less_for_the_game(
    behind: Game,
) -> None:
    murphy = behind.players.get()
    with usage.of_a_request(0.7):
        with pytest.raises(Behind), CaptureQueriesContext(connection) as asked:
            take("behind", murphy, "tiny.whisper", {"words": "xyzzy"})
        assert len(happened()) == 1
        assert any("'lock_timeout', '300ms'" in each["sql"] for each in asked)
    sweep()
    with usage.of_a_request(0.01), CaptureQueriesContext(connection) as asked:
        take("behind", murphy, "tiny.whisper", {"words": "xyzzy"})
    assert not any("lock_timeout" in each["sql"] for each in asked)


def test_in_one_over_its_share_an_act_works_off_nothing(behind: Game) -> None:
    Game.objects.filter(pk=behind.pk).update(busy_until=wall_now() + DAY)
    with pytest.raises(Behind):
        take("behind", behind.players.get(), "tiny.whisper", {"words": "xyzzy"})
    assert happened() == []


def test_a_key_that_was_used_gets_its_first_receipt_however_far_behind_the_game_is(
    db: None, wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 0.7)
    game = begun("behind")
    murphy, words = seat(game, "Murphy"), {"words": "xyzzy"}
    first = take("behind", murphy, "tiny.whisper", words, "key")
    appoint(game, "toil", *each(10))
    wall.shift(3 * HOUR)
    for busy_until in (None, wall_now() + DAY):
        Game.objects.filter(pk=game.pk).update(busy_until=busy_until)
        again = take("behind", murphy, "tiny.whisper", words, "key")
        assert (again.entry, again.repeated, happened()) == (first.entry, True, [])
        with pytest.raises(Refused, match="used for"):
            take("behind", murphy, "tiny.whisper", {"words": "plugh"}, "key")


# Those that cannot keep up with their own rules


def test_one_that_falls_back_however_long_it_is_worked_for_is_set_aside(
    db: None, wall: Wall, takes: Callable[[str, float], None], settings: Any
) -> None:
    settings.BOUNDS = {"game_patience": 20.0}
    takes("toil", 3)
    game = begun("greedy")
    appoint(game, "toil", *each(100, SECOND))
    wall.shift(HOUR)
    sweep()
    game.refresh_from_db()
    assert game.state == "stuck"
    assert game.set_aside.startswith("The game cannot keep up with its own rules: what happens")
    assert len(happened()) == 8
    assert sweep() == 0
    let_go_on(game.pk)
    assert sweep(limit=2) == 2
    game.refresh_from_db()
    assert (game.state, len(happened())) == ("running", 10)


@pytest.mark.thorough
def test_a_year_after_an_outage_is_no_reason_to_set_a_game_aside(
    db: None, wall: Wall, takes: Callable[[str, float], None], settings: Any
) -> None:
    settings.BOUNDS = {"game_patience": 20.0}
    takes("toil", 3)
    game, healthy = begun("away"), begun("healthy")
    appoint(game, "toil", *each(50, 7 * DAY))
    wall.shift(365 * DAY)
    appoint(healthy, "bell", wall_now() + 10 * SECOND)
    sweep()
    game.refresh_from_db()
    assert (game.set_aside, lateness(game, wall_now())) == ("", timedelta(0))
    assert happened().index("healthy: bell happens.") < 10
    assert happened().count("away: toil happens.") == 50


@pytest.mark.thorough
def test_ten_thousand_appointments_at_one_moment_leave_a_healthy_game_its_own(
    db: None, wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 0.01)
    many, healthy = begun("many"), begun("healthy")
    with at_the_table(many) as table:
        table.appointments.make("tiny.early", BEGINS + MINUTE, [str(n) for n in range(9_900)])
        for n in range(100):
            table.appointments.make("tiny.scripted", BEGINS + MINUTE, f"{n}")
    appoint(healthy, "bell", BEGINS + MINUTE + SECOND)
    Game.objects.filter(pk=many.pk).update(busy_until=BEGINS + DAY)
    wall.move_to(BEGINS + 2 * MINUTE)
    assert sweep(limit=100) == 100
    assert happened()[0] == "healthy: bell happens."
    assert many.appointments.waiting().filter(kind="tiny.early").count() == 9_900 - 99


def test_a_game_over_its_share_as_the_site_starts_waits_then_too(
    db: None, wall: Wall, takes: Callable[[str, float], None]
) -> None:
    takes("toil", 2)
    greedy, healthy = begun("greedy"), begun("healthy")
    appoint(greedy, "toil", *each(3))
    Game.objects.filter(pk=greedy.pk).update(busy_until=BEGINS + 2 * HOUR)
    appoint(healthy, "bell", BEGINS + HOUR)
    wall.shift(HOUR)
    sweep()
    assert happened() == ["healthy: bell happens.", *["greedy: toil happens."] * 3]
