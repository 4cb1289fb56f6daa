"""A game of Agora, in which the rule “Cases” is in force."""

from __future__ import annotations

import pytest

from nomic.games.models import Game, Player
from tests.kit import seat


@pytest.fixture
def preset() -> str:
    return "agora"


@pytest.fixture
def third(game: Game, player: Player, rival: Player) -> Player:
    """Gaelan, who sits down behind Murphy and Madrid."""
    return seat(game, "Gaelan")
