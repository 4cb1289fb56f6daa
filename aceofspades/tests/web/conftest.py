"""The contest as its pages show it."""

from __future__ import annotations

import pytest

from aceofspades.tests.conftest import Three
from aceofspades.tests.reckoned import reckon
from aceofspades.tests.stage import give_cards, propose
from nomic.games.models import Game, Player
from tests.kit import Take


@pytest.fixture
def busy(contest: Game, three: Three, officer: Player, act: Take) -> Three:
    """Offers, an alliance, a pact, proposals public and private, a request: all at once."""
    murphy, madrid, alexia = three
    give_cards(contest, murphy, Red=17, Mauve=1)
    give_cards(contest, madrid, Black=3)
    act(murphy, "aceofspades.offer", to=["Madrid"], gives={"Red": 1}, takes={"Black": 2})
    act(madrid, "aceofspades.offer", to=["Murphy"], gives={"Black": 1}, takes={"Hearts": 1})
    act(murphy, "aceofspades.ally", others=["Madrid"])
    act(madrid, "aceofspades.ally", others=["Murphy"])
    act(alexia, "aceofspades.ally", others=["Murphy"])
    propose(contest, murphy, 500, "Everybody smiles.")
    propose(contest, madrid, 600, "Only Madrid knows this.", visibility="private")
    act(alexia, "aceofspades.request_judgement", text="Is a heart red?")
    return three


@pytest.fixture
def over(contest: Game) -> Game:
    """The contest after its Moment of Reckoning."""
    reckon(contest)
    return contest
