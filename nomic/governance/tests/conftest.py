"""Here, the tiny game is played, by whom the rules put into its office."""

import pytest

from nomic.engine.tests.tiny import TINY
from nomic.games.models import Game, Player
from nomic.governance.tests.correcting import KEEPER
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Take, seat


@pytest.fixture
def offices() -> str:
    """How the game fills its offices; a test may choose another way."""
    return "support"


@pytest.fixture
def game(db: None, offices: str) -> Game:
    """A game whose time moves only when the test moves it, with offices as in a real one."""
    return new_game("table", TINY, pace="manual", start=WEDNESDAY, offices=offices)[0]


@pytest.fixture
def players(game: Game) -> list[Player]:
    """Murphy, Madrid, Jason and snail, seated in this order."""
    return [seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")]


@pytest.fixture
def keeper(game: Game, players: list[Player], act: Take) -> Player:
    """snail, the Keeper by the players' support."""
    standing = act(players[3], "games.stand", office=KEEPER).entry.outcome["motion"]
    for each in players[:2]:
        act(each, "games.support", motion=standing)
    return players[3]
