"""An event that cannot happen: the game says so and waits, and nothing is lost or reordered."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError, connection
from psycopg.errors import LockNotAvailable

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.models import Appointment, AppointmentStatus
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.table import Table, glance
from nomic.engine.tests.tiny import COIN, COINS, SCRIPTS, TINY, Script
from nomic.games.models import Game, Player
from nomic.ledger.models import Transfer
from nomic.operations.setup import BadSetup, advance, new_game
from tests.kit import Take, at_the_table

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
THURSDAY = WEDNESDAY + timedelta(days=1)
MONDAY = datetime(2026, 3, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


def break_down(table: Table) -> Outcome:
    table.ledger.create_for_each(table.game.players.all(), 1, COIN)
    raise ZeroDivisionError("no such number")


@pytest.fixture
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


@pytest.fixture
def stuck(
    wall: time_machine.Traveller, game: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> Game:
    """A game that is stuck on Thursday, with something due on Friday."""
    monkeypatch.setitem(SCRIPTS, "break", break_down)
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "break")
        table.appointments.make("tiny.scripted", THURSDAY + HOUR, "afterwards")
    advance(game.slug, THURSDAY + 2 * HOUR)
    game.refresh_from_db()
    return game


def broken(game: Game) -> Appointment:
    return game.appointments.get(subject="break")


def last_text(game: Game) -> str:
    return game.entries.order_by("-seq")[0].text


def test_the_game_is_stuck_at_that_moment_and_keeps_the_error(stuck: Game) -> None:
    assert (stuck.state, stuck.stuck_at) == ("stuck", THURSDAY)
    assert stuck.stuck_error == "ZeroDivisionError: no such number"
    assert broken(stuck).error == stuck.stuck_error
    assert (broken(stuck).attempts, broken(stuck).status) == (1, AppointmentStatus.WAITING)
    assert glance(stuck).now == THURSDAY


def test_nothing_of_the_failed_attempt_stays(stuck: Game, player: Player) -> None:
    assert glance(stuck).ledger.balance(player, COIN) == 0
    assert not Transfer.objects.filter(game=stuck).exists()
    assert not stuck.entries.filter(kind="event").exists()


@pytest.mark.thorough
def test_it_is_tried_again_at_ever_longer_intervals(
    stuck: Game, wall: time_machine.Traveller
) -> None:
    waits = []
    for attempts in range(2, 16):
        retry_at = broken(stuck).retry_at
        assert retry_at is not None
        waits.append((retry_at - datetime.now(UTC)).total_seconds())
        wall.move_to(retry_at - timedelta(seconds=1))
        assert sweep() == 0
        assert broken(stuck).attempts == attempts - 1
        wall.move_to(retry_at)
        sweep()
        assert broken(stuck).attempts == attempts
    assert waits[:4] == [2, 4, 8, 16]
    assert waits[-1] == 3600


def test_once_it_can_happen_it_happens_at_its_due_moment_and_the_rest_after_it(
    stuck: Game, wall: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(SCRIPTS, "break")
    wall.shift(timedelta(seconds=2))
    assert sweep() == 2
    events = stuck.entries.filter(kind="event").order_by("seq")
    assert [(entry.text, entry.at) for entry in events] == [
        ("break happens.", THURSDAY),
        ("afterwards happens.", THURSDAY + HOUR),
    ]
    stuck.refresh_from_db()
    assert (stuck.state, stuck.stuck_error, broken(stuck).error) == ("running", "", "")


def test_where_something_comes_before_it_that_happens_and_it_is_tried_at_once(stuck: Game) -> None:
    with at_the_table(stuck) as table:
        table.appointments.make("tiny.early", THURSDAY, "before")
    sweep()
    assert last_text(stuck) == "before happens first."
    assert broken(stuck).attempts == 2
    stuck.refresh_from_db()
    assert (stuck.state, stuck.stuck_at) == ("stuck", THURSDAY)


def test_actions_are_refused_with_the_reason(stuck: Game, player: Player, act: Take) -> None:
    before = stuck.entries.count()
    with pytest.raises(Refused) as refused:
        act(player, "tiny.whisper", words="xyzzy")
    assert refused.value.refusal.code == "stuck"
    assert "stuck at an event that could not happen" in refused.value.refusal.sentence
    assert stuck.entries.count() == before


def test_an_officer_lets_it_be_tried_at_once(
    stuck: Game, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(SCRIPTS, "break")
    entry = act(None, "games.retry_appointment").entry
    assert (entry.kind, entry.at) == ("officer", THURSDAY)
    assert sweep() == 2
    assert last_text(stuck) == "afterwards happens."


def test_a_player_takes_the_vacant_office_and_sets_the_game_free(
    stuck: Game, player: Player, act: Take
) -> None:
    entry = act(player, "games.take_office", office="Keeper").entry
    assert (entry.at, entry.kind) == (THURSDAY, "action")
    assert Game.objects.get(pk=stuck.pk).state == "stuck"
    act(player, "games.skip_appointment", reason="the rule is nonsense")
    act(player, "games.resign_office", office="Keeper")
    assert Game.objects.get(pk=stuck.pk).state == "running"


def test_an_officer_skips_it_with_a_reason_on_the_record(stuck: Game, act: Take) -> None:
    entry = act(None, "games.skip_appointment", reason="the rule is nonsense").entry
    assert entry.text == "The operator skips “Something happens”: the rule is nonsense"
    assert entry.outcome == {"kind": "tiny.scripted", "subject": "break"}
    assert (broken(stuck).status, broken(stuck).entry) == (AppointmentStatus.SKIPPED, entry.seq)
    assert catch_up(stuck.pk) == 1
    assert last_text(stuck) == "afterwards happens."


def test_a_weekly_event_that_is_skipped_comes_again_next_week(
    game: Game, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("nomic.ledger.books.Ledger.create_for_each", None)
        advance(game.slug, MONDAY)
        act(None, "games.skip_appointment", reason="no coins this week")
    advance(game.slug, MONDAY + timedelta(days=7))
    done = game.appointments.filter(kind="tiny.week").values_list("due", "status")
    assert list(done) == [
        (MONDAY, AppointmentStatus.SKIPPED),
        (MONDAY + timedelta(days=7), AppointmentStatus.DONE),
        (MONDAY + timedelta(days=14), AppointmentStatus.WAITING),
    ]


def test_the_time_of_a_stuck_game_is_not_moved_by_hand(stuck: Game) -> None:
    for to in (THURSDAY + HOUR, MONDAY):
        with pytest.raises(BadSetup, match="is stuck at 2026-03-05"):
            advance(stuck.slug, to)
    assert Game.objects.get(pk=stuck.pk).anchor_game == THURSDAY + 2 * HOUR


def test_nobody_skips_or_retries_where_nothing_is_stuck(game: Game, act: Take) -> None:
    for name, inputs in (
        ("games.skip_appointment", {"reason": "why not"}),
        ("games.retry_appointment", {}),
    ):
        with pytest.raises(Refused) as refused:
            act(None, name, **inputs)
        assert refused.value.refusal.sentence == "The game is not stuck."


def test_other_games_go_on(stuck: Game) -> None:
    other, _ = new_game("other", TINY, pace="manual", start=WEDNESDAY)
    assert advance("other", MONDAY) == 2
    Game.objects.filter(pk=other.pk).update(anchor_game=MONDAY + timedelta(days=7))
    Game.objects.update(wakes_at=WEDNESDAY - HOUR)
    assert sweep() == 2


def test_an_event_of_which_the_program_knows_nothing_is_stuck_and_can_be_skipped(
    game: Game, act: Take
) -> None:
    Appointment.objects.create(game=game, kind="gone.away", due=THURSDAY)
    advance(game.slug, THURSDAY)
    game.refresh_from_db()
    assert "gone.away" in game.stuck_error
    act(None, "games.retry_appointment")
    catch_up(game.pk)
    entry = act(None, "games.skip_appointment", reason="that subgame is over").entry
    assert entry.text == "The operator skips “gone.away”: that subgame is over"
    game.refresh_from_db()
    assert game.state == "running"


def test_a_correction_that_takes_the_event_away_sets_the_game_free(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomic.ledger.books.Ledger.create_for_each", None)
    advance(game.slug, MONDAY)
    assert Game.objects.get(pk=game.pk).state == "stuck"
    act(None, "rulebook.amend", rule=COINS, text="No coins any more.", reason="as was voted")
    assert Game.objects.get(pk=game.pk).state == "running"
    act(player, "games.leave")


def test_a_passing_fault_of_the_database_at_one_game_holds_no_other_up(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait_in_vain(table: Table) -> Outcome:
        raise OperationalError from LockNotAvailable()

    monkeypatch.setitem(SCRIPTS, "wait", wait_in_vain)
    monkeypatch.setattr("nomic.engine.catch_up.log.exception", lambda *said: None)
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "wait")
    new_game("other", TINY, pace="manual", start=WEDNESDAY)
    Game.objects.update(anchor_game=MONDAY, wakes_at=WEDNESDAY)
    Game.objects.filter(pk=game.pk).update(wakes_at=WEDNESDAY - HOUR)
    assert sweep() == 2
    game.refresh_from_db()
    assert (game.state, game.next_due) == ("running", THURSDAY)
    monkeypatch.delitem(SCRIPTS, "wait")
    assert sweep() == 3


@pytest.mark.parametrize("words", ["a nul \x00 byte", "a lone \ud800 surrogate"])
def test_an_error_that_cannot_be_written_down_as_it_is_does_not_stop_the_sweep(
    game: Game, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    def fail(table: Table) -> Outcome:
        raise ValueError(words)

    monkeypatch.setitem(SCRIPTS, "fail", fail)
    monkeypatch.setattr("nomic.engine.catch_up.log.exception", lambda *said: None)
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "fail")
    advance(game.slug, THURSDAY)
    game.refresh_from_db()
    assert game.stuck_error.startswith("ValueError: a ")


def test_a_statement_that_the_database_gives_up_is_an_error_like_another(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dawdle(table: Table) -> Outcome:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)")
        return Outcome("never")

    monkeypatch.setitem(SCRIPTS, "dawdle", dawdle)
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "dawdle")
    advance(game.slug, THURSDAY)
    game.refresh_from_db()
    assert "statement timeout" in game.stuck_error


def overdraw(table: Table) -> Outcome:
    table.ledger.destroy(table.seat("Murphy"), 1, COIN)
    return Outcome("never")


def say_nothing(table: Table) -> Outcome:
    return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("script", "said"),
    [(say_nothing, "AttributeError"), (overdraw, "no_debts_but_allowed")],
)
def test_an_event_that_says_nothing_or_breaks_the_books_is_stuck(
    game: Game, player: Player, monkeypatch: pytest.MonkeyPatch, script: Script, said: str
) -> None:
    monkeypatch.setitem(SCRIPTS, "break", script)
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "break")
    advance(game.slug, THURSDAY)
    game.refresh_from_db()
    assert said in game.stuck_error
