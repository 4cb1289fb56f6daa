"""Officers at their desks, in browsers that hold what they are sent."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, Visitor, seat


@pytest.fixture
def desk(officer: Player, visit: Visitor) -> Client:
    """The officer's browser."""
    return visit(officer)


@pytest.fixture
def other_game(db: None) -> Game:
    """Another game, in which there is something to see."""
    return new_game("elsewhere", "agora-races", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def other_officer(other_game: Game) -> Player:
    """The officer of the other game."""
    wooble = seat(other_game, "Wooble")
    take(other_game.slug, wooble, "games.take_office", {"office": "Horsened"})
    return wooble


@pytest.fixture
def superuser(db: None) -> User:
    return User.objects.create_superuser("root")
