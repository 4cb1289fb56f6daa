"""What acts of the contest begin with."""

from __future__ import annotations

import pytest

from aceofspades.models import Request
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import give_cards
from nomic.games.models import Game, Player
from tests.kit import Take


@pytest.fixture
def judged(contest: Game, act: Take, player: Player, master: Player) -> Request:
    """Murphy's Request 1, which snail has judged."""
    act(player, "aceofspades.request_judgement", text="Did Madrid break our agreement?")
    act(master, "aceofspades.judge", request=1, judgement="They did.")
    return Request.objects.get()


@pytest.fixture
def dealt(contest: Game, three: Three) -> Three:
    """Murphy has two Red, Madrid one Green, Alexia two Green."""
    murphy, madrid, alexia = three
    give_cards(contest, murphy, Red=2)
    give_cards(contest, madrid, Green=1)
    give_cards(contest, alexia, Green=2)
    return three
