"""People with an address, and the worker that tells them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core import mail

from nomic.games.models import Player
from nomic.notices import tasks
from nomic.notices.models import Choices
from tests.kit import around

Post = Callable[[], list[str]]


def write_to(player: Player) -> Player:
    """The same player with an e-mail address."""
    assert player.user is not None
    player.user.email = f"{player.name.lower()}@example.org"
    player.user.save(update_fields=["email"])
    return player


def choose(player: Player, **choices: object) -> Choices:
    """What that player's person has chosen."""
    return Choices.objects.update_or_create(user=player.user, defaults=choices)[0]


@pytest.fixture
@around
def post() -> Post:
    """Let a worker tell what is to be told; the letters that were written, as “who: subject”."""

    def post() -> list[str]:
        mail.outbox.clear()
        tasks.send()
        return [f"{letter.to[0]}: {letter.subject}" for letter in mail.outbox]

    return post


@pytest.fixture
def preset() -> str:
    """Proposals with a vote of their own, and the races."""
    return "agora"
