"""Events that cannot be prepared: the game is stuck, visibly, as at one that cannot happen."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection

from nomic.engine.catch_up import catch_up, sweep
from nomic.engine.table import Table
from nomic.engine.tests.scales import (
    KIND,
    THURSDAY,
    Work,
    Works,
    let_it_be_late,
    no_scales,
    told,
    weigh,
    wrong_with,
)
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from tests.kit import Take, seat

# Where it goes wrong


def not_a_number(table: Table, subject: str) -> dict[str, Any]:
    return {"weight": float("nan")}


def nothing_json_knows(table: Table, subject: str) -> dict[str, Any]:
    return {"at": table.now}


def ask_nonsense(table: Table, subject: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")
    return {}


@pytest.mark.parametrize("work", [no_scales, not_a_number, nothing_json_knows])
def test_what_cannot_be_prepared_makes_the_game_stuck(late: Game, works: Works, work: Work) -> None:
    works.work = work
    assert catch_up(late.pk) == 0
    late.refresh_from_db()
    stuck = late.appointments.get(kind=KIND)
    assert (late.state, late.stuck_at, stuck.attempts) == ("stuck", THURSDAY, 1)
    assert late.stuck_error == stuck.error != ""
    assert late.wakes_at == stuck.retry_at is not None
    assert told(late) == []
    assert sweep() == 0
    assert len(works.calls) == 1


def test_a_stuck_game_goes_on_once_it_can_be_prepared(
    db: None, game: Game, player: Player, works: Works
) -> None:
    with time_machine.travel(wall_now(), tick=False) as wall:
        let_it_be_late(game, player)
        works.work = no_scales
        assert sweep() == 0
        works.work = weigh
        wall.shift(timedelta(seconds=2))
        assert sweep() == 2
        game.refresh_from_db()
        assert (game.state, game.stuck_error) == ("running", "")
        assert wrong_with(game) == ""


def test_an_officer_can_skip_what_cannot_be_prepared(late: Game, works: Works, act: Take) -> None:
    works.work = no_scales
    catch_up(late.pk)
    act(None, "games.skip_appointment", reason="it is nonsense")
    assert sweep() == 1
    assert told(late) == ["afterwards happens."]
    assert wrong_with(late) == ""


def test_who_retries_leaves_the_preparing_to_the_next_sweep(
    late: Game, works: Works, act: Take
) -> None:
    works.work = no_scales
    catch_up(late.pk)
    works.work = weigh
    assert act(None, "games.retry_appointment").entry.name == "games.retry_appointment"
    assert len(works.calls) == 1
    assert sweep() == 2
    assert wrong_with(late) == ""


def lose_the_connection(table: Table, subject: str) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    return {}


def test_preparing_at_which_the_connection_dies_thrice_makes_the_game_stuck(
    transactional_db: None, game: Game, works: Works, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomic.engine.catch_up.log.exception", lambda *said: None)
    let_it_be_late(game, seat(game, "Murphy"))
    works.work = lose_the_connection
    assert catch_up(game.pk) == 0
    game.refresh_from_db()
    assert (game.state, len(works.calls)) == ("stuck", 3)
    assert wrong_with(game) == ""


def test_preparing_at_which_the_connection_dies_once_is_done_again(
    transactional_db: None, game: Game, works: Works
) -> None:
    let_it_be_late(game, seat(game, "Murphy"))

    def once(table: Table, subject: str) -> dict[str, Any]:
        return (lose_the_connection if len(works.calls) == 1 else weigh)(table, subject)

    works.work = once
    assert sweep() == 2
    assert len(works.calls) == 2


def test_a_query_that_the_database_gives_up_makes_the_game_stuck(
    transactional_db: None, game: Game, works: Works
) -> None:
    let_it_be_late(game, seat(game, "Murphy"))
    works.work = ask_nonsense
    assert catch_up(game.pk) == 0
    game.refresh_from_db()
    assert (game.state, game.stuck_error) == (
        "stuck",
        "django.db.utils.DataError: division by zero",
    )
