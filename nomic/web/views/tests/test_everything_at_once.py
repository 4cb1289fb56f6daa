"""A game that plays every subgame at once is shown at no more than any other costs."""

import pytest
from pytest_django import DjangoAssertNumQueries

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, Visitor

PAGE = 43
TOUR = 6
"""What a newcomer's home asks besides, until they have done each step of the first tour."""


@pytest.fixture
def preset() -> str:
    return "demo"


@pytest.fixture
def eventful(game: Game, player: Player, act: Take) -> Game:
    """A game of two weeks, in which something has happened in every subgame."""
    act(player, "settlers.join")
    act(player, "aceofspades.join")
    act(player, "aceofspades.propose", number=500, text="Nothing.", visibility="public")
    act(player, "aceofspades.request_judgement", text="Is that all?")
    act(player, "proposals.submit", title="Thanks", body="The Assessor SHALL thank everybody.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY.replace(day=WEDNESDAY.day + 14))
    return game


@pytest.mark.parametrize("name", ["player", "officer", "outsider"])
def test_its_home_stays_within_the_budget(
    name: str,
    eventful: Game,
    request: pytest.FixtureRequest,
    visit: Visitor,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = visit(request.getfixturevalue(name))
    client.get("/g/table/")
    with django_assert_max_num_queries(PAGE + (0 if name == "outsider" else TOUR)):
        answer = client.get("/g/table/")
    assert answer.status_code == 200
    assert "Carry out" in answer.content.decode()
