"""The suite itself: tests that begin alike share what they begin with, and are planned alike."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.db import connection, transaction

from bench import simulate
from nomic.engine.actions import all_actions
from nomic.engine.tests import tiny
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, if_asked, seat
from tests.kit.worlds import stood_before

COUNTED = """
    SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    AND NOT 'autovacuum_enabled=false' = ANY (coalesce(reloptions, '{}'))
"""


@pytest.fixture
@if_asked("third")
def crowd(request: pytest.FixtureRequest, game: Game) -> list[Player]:
    """Two players, and the third where the test asks for them too."""
    more = ["third"] if "third" in request.fixturenames else []
    return [seat(game, "Lim"), seat(game, "Fran"), *map(request.getfixturevalue, more)]


@pytest.fixture
def third(game: Game) -> Player:
    return seat(game, "Anna")


def test_a_game_and_its_seats_stand_before_the_test(
    request: pytest.FixtureRequest, game: Game, player: Player
) -> None:
    assert [name for name in ("game", "player") if not stood_before(request, name)] == []
    assert player.game is game


def test_what_looks_at_the_test_s_fixtures_stands_before_it_too(
    request: pytest.FixtureRequest, crowd: list[Player]
) -> None:
    assert stood_before(request, "crowd")
    assert [each.name for each in crowd] == ["Lim", "Fran"]


def test_and_is_built_otherwise_where_it_finds_others(
    request: pytest.FixtureRequest, crowd: list[Player], third: Player
) -> None:
    assert stood_before(request, "crowd")
    assert crowd[-1] is third


def test_no_statement_is_planned_for_tables_that_were_counted_empty(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(COUNTED)
        assert cursor.fetchall() == []


def test_what_chance_brings_does_not_hang_on_the_day_of_the_test(db: None) -> None:
    def began_on(day: int) -> tuple[str, str, str]:
        with time_machine.travel(datetime(2026, 5, day, tzinfo=UTC)):
            game = new_game("lucky", "agora-races", pace="manual", start=WEDNESDAY)[0]
            seat(game, "Murphy")
        game.refresh_from_db()
        return game.identity, game.record_head, game.last_act

    undone = transaction.atomic()
    undone._from_testcase = True  # type: ignore[attr-defined]  # a game begins in no other
    with undone:
        first = began_on(1)
        transaction.set_rollback(True)
    assert first == began_on(2)


def test_what_is_played_at_random_is_nothing_that_other_tests_have_registered() -> None:
    played = {action.name for action in simulate._played()}
    assert tiny.TINY in {action.name.partition(".")[0] for action in all_actions()}
    assert tiny.TINY not in {name.partition(".")[0] for name in played}
    assert {"horses.bet", "settlers.harvest"} < played
