"""An API read costs at most nine queries, with three players and with three hundred."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from nomic.operations.setup import advance
from nomic.web.api.tests.conftest import V1, Program, ProgramOf
from nomic.web.models import Token
from tests.kit import WEDNESDAY, at_the_table

MOST = 9
MOST_OF_AN_ACTION = 15
PATHS = [
    V1,
    "",
    "actions",
    "record",
    "balances",
    "rules",
    "dice",
    "horses",
    "reports",
    "reports/horsened",
]


MOST_OF_A_PAGE = 18
PAGES = [
    "/api/v1/me",
    "/api/v1/notices",
    "openapi.json",
    "players",
    "players/Murphy",
    "seat",
    "appointments",
    "moments",
    "seasons",
    "seasons/1",
    "talk",
    "holders/Murphy",
    "motions",
    "record/1",
    "host",
    "rules/horses",
    "horses/races",
]


@pytest.fixture(params=[3, 300])
def crowd(request: pytest.FixtureRequest, game: Game, player: Player, rival: Player) -> int:
    """So many players, each with some dollaries."""
    with at_the_table(game) as table:
        for number in range(request.param - 2):
            name = f"player{number}"
            seated = Player.objects.create(game=game, name=name, joined_at=table.now)
            Holder.objects.create(game=game, kind=HolderKind.PLAYER, name=name, player=seated)
        table.ledger.create_for_each(game.players.all(), 3, "dollary")
    advance(game.slug, WEDNESDAY + timedelta(weeks=1))
    return int(request.param)


@pytest.mark.thorough
def test_a_read_with_a_token_stays_in_its_budget(
    bot: Program, crowd: int, subtests: pytest.Subtests
) -> None:
    for path in PATHS:
        bot.json(path)  # what a process reads once
        Token.objects.update(last_used_at=None)  # the dearest case: this use is to be noted
        with subtests.test(path), CaptureQueriesContext(connection) as asked:
            bot.json(path)
            assert len(asked) <= MOST


def test_what_an_officer_may_do_stays_in_its_budget(
    program_of: ProgramOf,
    officer: Player,
    crowd: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    program = program_of(officer)
    program.json("actions")
    with django_assert_max_num_queries(MOST):
        program.json("actions")


@pytest.mark.thorough
def test_what_pages_tell_stays_in_its_budget(
    bot: Program, crowd: int, subtests: pytest.Subtests
) -> None:
    for path in PAGES:
        bot.json(path)
        with subtests.test(path), CaptureQueriesContext(connection) as asked:
            bot.json(path)
            assert len(asked) <= MOST_OF_A_PAGE


@pytest.mark.thorough
def test_a_read_without_a_token_stays_in_its_budget(
    anybody: Program, crowd: int, subtests: pytest.Subtests
) -> None:
    for path in PATHS:
        anybody.json(path)
        with subtests.test(path), CaptureQueriesContext(connection) as asked:
            anybody.json(path)
            assert len(asked) <= MOST


def test_a_longer_record_costs_no_more(
    anybody: Program, game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for weeks in (1, 5):
        advance(game.slug, WEDNESDAY + timedelta(weeks=weeks))
        for path in ("record", "dice"):
            with django_assert_num_queries(3 if path == "record" else 4):
                anybody.json(path)


def test_an_action_stays_in_its_budget(
    bot: Program, crowd: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(MOST_OF_AN_ACTION):
        response = bot.act("horses.bet", "k1", horse="Fargo", dollaries=2)
    assert response.status_code == 201
