"""The isle's cast: Murphy and Madrid are Settlers, snail is the Onlooker."""

from __future__ import annotations

import pytest

from nomic.engine.take import take
from nomic.games.models import Game, Player
from settlers.tests.stage import bring_the_thug, hours
from tests.kit import at_the_table, seat


@pytest.fixture
def preset() -> str:
    return "multa"


@pytest.fixture
def officer(game: Game) -> Player:
    """The Onlooker."""
    snail = seat(game, "snail")
    take(game.slug, snail, "games.take_office", {"office": "Onlooker"})
    return snail


@pytest.fixture
def settled(game: Game, player: Player, rival: Player) -> tuple[Player, Player]:
    """Murphy and Madrid, who have become Settlers."""
    for settler in (player, rival):
        take(game.slug, settler, "settlers.join")
    return player, rival


@pytest.fixture
def produced(game: Game, settled: tuple[Player, Player]) -> tuple[Player, Player]:
    """The two after the first Production."""
    hours(game, 48)
    return settled


@pytest.fixture
def with_the_thug(game: Game) -> Game:
    """The game after Protection Money."""
    with at_the_table(game) as table:
        bring_the_thug(table)
    return game
