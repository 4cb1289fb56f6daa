"""Who visits the pages: browsers without a screen, each signed in as somebody of the cast."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic import etags
from nomic.games.clock import wall_now
from nomic.games.models import Player
from nomic.testing.steps import around

Visitor = Callable[..., Client]


def tight(html: str) -> str:
    """The page without the white space beside its tags, which no browser draws in a block."""
    return re.sub(r"\s*(<[^<>]*?)\s*(/?>)\s*", r"\1\2", html)


@pytest.fixture
def visit() -> Visitor:
    """A client that is signed in as a player or a user, or as nobody."""

    def visit(who: Player | User | None = None, **headers: str) -> Client:
        client = Client(headers=headers)
        user = who.user if isinstance(who, Player) else who
        if user is not None:
            client.force_login(user)
        return client

    return visit


@pytest.fixture
def htmx(visit: Visitor) -> Visitor:
    """The same, asking as htmx does."""
    return lambda who=None: visit(who, HX_Request="true")


@pytest.fixture
@around
def tags_tell_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tags of answers differ by what is told alone, however long a test looks around."""
    wall = wall_now()
    monkeypatch.setattr(etags, "wall_now", lambda: wall)
