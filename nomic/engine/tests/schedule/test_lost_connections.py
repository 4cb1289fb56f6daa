"""An event at which the connection to the database dies: it is to blame, and no other game."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from django.db import Error, OperationalError, connection

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.outcomes import Outcome, Refused
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.engine.tests.tiny import SCRIPTS, TINY, Script
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import at_the_table, seat, user_of

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
THURSDAY = WEDNESDAY + timedelta(days=1)
FRIDAY = WEDNESDAY + timedelta(days=2)
HOUR = timedelta(hours=1)


def lose_the_connection(table: Table) -> Outcome:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    return Outcome("never")


def lose_it_and_blame_something_else(table: Table) -> Outcome:
    try:
        return lose_the_connection(table)
    except Error as error:
        raise ValueError("no such number") from error


def lose_it_and_go_on(table: Table) -> Outcome:
    with suppress(Error):
        lose_the_connection(table)
    return Outcome("never")


def lose_it_once(table: Table) -> Outcome:
    if table.game.appointments.filter(subject="lose", attempts=0).exists():
        lose_the_connection(table)
    return Outcome("Something is lost, and found.")


@pytest.fixture
def poisoned(
    transactional_db: None, game: Game, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Script], Game]:
    """A game that is late for an event that does what it is given, and then for another event."""

    def poisoned(script: Script) -> Game:
        monkeypatch.setitem(SCRIPTS, "lose", script)
        monkeypatch.setattr("nomic.engine.catch_up.log.exception", lambda *said: None)
        with at_the_table(game) as table:
            table.appointments.make("tiny.scripted", THURSDAY, "lose")
            table.appointments.make("tiny.scripted", THURSDAY, "afterwards")
        Game.objects.filter(pk=game.pk).update(anchor_game=FRIDAY, wakes_at=wall_now() - HOUR)
        return Game.objects.get(pk=game.pk)

    return poisoned


def another_game() -> Game:
    """A game with something due as well, which is later in the order of a sweep."""
    other, _ = new_game("other", TINY, pace="manual", start=WEDNESDAY)
    with at_the_table(other) as table:
        table.appointments.make("tiny.scripted", THURSDAY, "something")
    Game.objects.filter(pk=other.pk).update(anchor_game=FRIDAY, wakes_at=wall_now())
    return other


def told(game: Game) -> list[str]:
    return list(game.entries.filter(kind="event").order_by("seq").values_list("text", flat=True))


@pytest.mark.parametrize(
    "script", [lose_the_connection, lose_it_and_blame_something_else, lose_it_and_go_on]
)
def test_an_event_that_always_loses_the_connection_makes_its_game_stuck_and_no_other_wait(
    poisoned: Callable[[Script], Game], script: Script
) -> None:
    game, other = poisoned(script), another_game()
    assert sweep() == 1
    assert told(other) == ["something happens."]
    game.refresh_from_db()
    assert (game.state, game.appointments.get(subject="lose").attempts) == ("running", 1)
    for _ in range(2):
        assert sweep() == 0
    game.refresh_from_db()
    at_fault = game.appointments.get(subject="lose")
    assert (game.state, game.stuck_at, at_fault.attempts) == ("stuck", THURSDAY, 3)
    assert game.stuck_error
    assert at_fault.retry_at is not None
    assert game.wakes_at == at_fault.retry_at > wall_now()
    assert told(game) == []


def test_an_officer_can_skip_an_event_that_always_loses_the_connection(
    poisoned: Callable[[Script], Game],
) -> None:
    game = poisoned(lose_the_connection)
    with pytest.raises(Refused, match="stuck"):
        take(game.slug, user_of("Murphy"), "games.join", {"name": "Murphy"})
    take(game.slug, None, "games.skip_appointment", {"reason": "it is poison"})
    assert sweep() == 1
    assert told(game) == ["afterwards happens."]
    game.refresh_from_db()
    assert game.state == "running"


def test_who_retries_an_event_that_loses_the_connection_again_has_a_stuck_game_again(
    poisoned: Callable[[Script], Game],
) -> None:
    game = poisoned(lose_the_connection)
    assert catch_up(game.pk) == 0
    take(game.slug, None, "games.retry_appointment")
    assert sweep() == 0
    game.refresh_from_db()
    assert game.state == "stuck"
    assert game.appointments.get(subject="lose").attempts == 4


def test_an_event_that_loses_the_connection_once_happens_at_the_next_look(
    poisoned: Callable[[Script], Game],
) -> None:
    game = poisoned(lose_it_once)
    assert sweep() == 0
    assert sweep() == 2
    assert told(game) == ["Something is lost, and found.", "afterwards happens."]
    game.refresh_from_db()
    assert (game.state, game.stuck_error) == ("running", "")


def test_a_late_event_that_loses_the_connection_once_happens_before_the_act_that_waits_for_it(
    poisoned: Callable[[Script], Game],
) -> None:
    game = poisoned(lose_it_once)
    seat(game, "Murphy")
    names = list(game.entries.order_by("-seq").values_list("name", flat=True)[:3])
    assert names == ["games.join", "tiny.scripted", "tiny.scripted"]


def test_a_sweep_whose_database_is_gone_says_so_and_blames_no_event(
    poisoned: Callable[[Script], Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_answer() -> None:
        raise OperationalError("connection refused")

    def lose_the_server(table: Table) -> Outcome:
        lost.setattr(connection, "connect", no_answer)
        return lose_the_connection(table)

    game = poisoned(lose_the_server)
    with monkeypatch.context() as lost, pytest.raises(OperationalError, match="refused"):
        sweep()
    assert game.appointments.get(subject="lose").attempts == 0


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("SELECT repeat('x', 1100000000)", "invalid memory alloc|too large"),
        ("SET LOCAL max_stack_depth = '100kB'; SELECT " + "abs(" * 900 + "1" + ")" * 900, "stack"),
        ("SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)", "statement timeout"),
    ],
)
def test_what_the_database_refuses_and_survives_makes_the_game_stuck_at_once(
    poisoned: Callable[[Script], Game], statement: str, said: str
) -> None:
    def ask_too_much(table: Table) -> Outcome:
        with connection.cursor() as cursor:
            cursor.execute(statement)
        return Outcome("never")

    game, other = poisoned(ask_too_much), another_game()
    assert sweep() == 1
    assert told(other) == ["something happens."]
    game.refresh_from_db()
    assert game.state == "stuck"
    assert re.search(said, game.stuck_error)
