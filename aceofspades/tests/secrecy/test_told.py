"""What is sent out of the house of a contest in which every private thing has its canary."""

from __future__ import annotations

from nomic.games.models import Game
from nomic.notices.models import Outgoing


def test_nothing_that_is_told_holds_anything_private(dealt: Game, planted: dict[str, str]) -> None:
    waiting = " ".join(f"{each.text} {each.url}" for each in Outgoing.objects.all())
    assert waiting
    assert [name for name, code in planted.items() if code in waiting] == []
