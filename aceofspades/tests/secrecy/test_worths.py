"""What a contestant is told of their hand's worth, and of what an offer would do to it."""

from __future__ import annotations

import pytest

from aceofspades.rules.marks import mark
from aceofspades.secrecy.scoring import estimated_worth, gain_by
from aceofspades.secrecy.view import View
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import give_cards
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from tests.kit import Take


def seen_by(game: Game, player: Player) -> View:
    return View(glance(Game.objects.get(pk=game.pk)), player)


def test_the_gain_by_an_offer_is_what_the_hand_is_worth_more_once_it_is_accepted(
    contest: Game, three: Three, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    murphy, madrid, _ = three
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", mark)
    give_cards(contest, murphy, Red=3, Black=1)
    give_cards(contest, madrid, Red=1, Black=3)
    act(madrid, "aceofspades.offer", to=["Murphy"], gives={"Black": 2}, takes={"Red": 1})
    act(madrid, "aceofspades.offer", to=["Murphy"], gives={"Red": 1}, takes={"Black": 2})
    back, there = seen_by(contest, murphy).offers(2)
    before = estimated_worth(seen_by(contest, murphy))
    gain = gain_by(seen_by(contest, murphy), there)
    assert (before is None, gain is None, gain == 0) == (False, False, False)
    act(murphy, "aceofspades.accept_offer", offer=there.code)
    assert estimated_worth(seen_by(contest, murphy)) == (before or 0) + (gain or 0)
    assert gain_by(seen_by(contest, murphy), back) == -(gain or 0)


@pytest.mark.usefixtures("uncounted")
def test_nothing_is_said_of_an_offer_that_is_not_weighed_yet(
    contest: Game, three: Three, act: Take
) -> None:
    murphy, madrid, _ = three
    act(madrid, "aceofspades.offer", to=["Murphy"], gives={"Black": 2}, takes={"Red": 1})
    view = seen_by(contest, murphy)
    assert gain_by(view, view.offers(1)[0]) is None
