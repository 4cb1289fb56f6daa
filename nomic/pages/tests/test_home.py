"""A game's home where the subgame in play has no picture of itself."""

import pytest

from nomic.games.models import Game
from nomic.pages.tests.conftest import Visitor
from nomic.play.tests.tiny import TINY


@pytest.fixture
def preset() -> str:
    return TINY


def test_a_subgame_without_pages_leaves_the_home_as_it_is(game: Game, visit: Visitor) -> None:
    answer = visit().get("/g/table/")
    assert answer.status_code == 200
    assert "no subgame in play" not in answer.content.decode()
    assert 'href=""' not in answer.content.decode()
