"""Officers at their desks, in browsers that hold what they are sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.testing import WEDNESDAY, seat
from nomic.web.tests.browser import chromium, sit  # noqa: F401 - fixtures

Visit = Callable[[User | Player | None], Client]


@pytest.fixture
def visit() -> Visit:
    """A browser in which that person is signed in."""

    def visit(who: User | Player | None) -> Client:
        client = Client()
        user = who.user if isinstance(who, Player) else who
        if user is not None:
            client.force_login(user)
        return client

    return visit


@pytest.fixture
def desk(officer: Player, visit: Visit) -> Client:
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
