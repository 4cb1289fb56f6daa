"""The contest in which every private thing has its canary."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from aceofspades.tests import canaries
from nomic.games.models import Game
from tests.kit import WEDNESDAY, around


@pytest.fixture
@around
def wall() -> Iterator[None]:
    """The wall's time stands still: what differs between two looks differs for another reason."""
    with time_machine.travel(WEDNESDAY, tick=False):
        yield


@pytest.fixture
def dealt(db: None) -> Game:
    """Six contestants with their hands, before anything private was done."""
    game = canaries.a_contest()
    canaries.deal(game)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def planted(dealt: Game) -> dict[str, str]:
    """The codes, in a contest where every private thing has its canary."""
    return canaries.plant(dealt)
