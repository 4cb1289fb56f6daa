"""The contest's cast: Murphy, Madrid and Alexia are contestants, in this order."""

from __future__ import annotations

import pytest

from aceofspades.tests.stage import PRESET, join, open_the_contest
from nomic.games.models import Game, Player
from nomic.testing import seat
from nomic.testing_steps import around

Three = tuple[Player, Player, Player]


@pytest.fixture
def preset() -> str:
    return PRESET


@pytest.fixture
def third(game: Game) -> Player:
    return seat(game, "Alexia")


@pytest.fixture
def three(game: Game, player: Player, rival: Player, third: Player) -> Three:
    """The contest has opened, and the three have joined it."""
    open_the_contest(game)
    join(game, player, rival, third)
    return player, rival, third


@pytest.fixture
def contest(game: Game, three: Three) -> Game:
    """The game in which the three are contestants."""
    return game


@pytest.fixture
@around
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worth is counted for what a viewer is told, as long as the worker has not begun."""
    monkeypatch.setattr("aceofspades.known.ask", lambda question: None)
