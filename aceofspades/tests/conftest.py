"""The contest's cast: Murphy, Madrid and Alexia are contestants, in this order."""

from __future__ import annotations

import pytest

from aceofspades.tests.acts import master_of
from aceofspades.tests.stage import PRESET, join, open_the_contest
from nomic.games.models import Game, Player
from tests.kit import around, if_asked, seat

Three = tuple[Player, Player, Player]


@pytest.fixture
def preset() -> str:
    return PRESET


@pytest.fixture
def third(game: Game) -> Player:
    return seat(game, "Alexia")


@pytest.fixture
def master(game: Game) -> Player:
    """snail, who became the Contestmaster before anybody joined."""
    open_the_contest(game)
    return master_of(game)


@pytest.fixture
def officer(master: Player) -> Player:
    """The contest's own officer."""
    return master


@pytest.fixture
@if_asked("master")
def opened(request: pytest.FixtureRequest, game: Game) -> Game:
    """The contest has opened; where the test has a Contestmaster, they are in office by now."""
    open_the_contest(game)
    if "master" in request.fixturenames:
        request.getfixturevalue("master")
    return game


@pytest.fixture
def three(opened: Game, player: Player, rival: Player, third: Player) -> Three:
    """The contest has opened, and the three have joined it."""
    join(opened, player, rival, third)
    return player, rival, third


@pytest.fixture
def contest(game: Game, three: Three) -> Game:
    """The game in which the three are contestants."""
    return game


@pytest.fixture
@around
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worth is counted for what a viewer is told, as long as the worker has not begun."""
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", lambda question: None)
