"""Here, the lottery is played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.operations.setup import advance
from tests.kit import at_the_table
from tests.lottery.rules import THE_LOTTERY
from tests.lottery.state import FLORIN

Refuses = Callable[..., Refusal]


class Stage:
    """Sets a game's lottery as a test wants it."""

    def __init__(self, game: Game) -> None:
        self.slug = game.slug

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return Game.objects.get(slug=self.slug)

    def give(self, player: Player, florins: int) -> None:
        with at_the_table(self.game) as table:
            table.ledger.create(player, florins, FLORIN)

    def amend(self, old: str, new: str) -> None:
        with at_the_table(self.game) as table:
            text = table.rules.text(THE_LOTTERY)
            assert old in text
            table.rules.amend(THE_LOTTERY, text.replace(old, new))

    def weeks(self, count: int = 1) -> None:
        """Let time go on to an hour after the start of the next week, or of a later one."""
        monday = next_week(self.game.now(wall_now())) + timedelta(days=7) * (count - 1)
        advance(self.slug, monday + timedelta(hours=1))

    def last(self, name: str) -> Any:
        """The last entry of that name."""
        return self.game.entries.filter(name=name).latest("seq")


@pytest.fixture
def preset() -> str:
    return "lottery"


@pytest.fixture
def stage(game: Game) -> Stage:
    return Stage(game)


@pytest.fixture
def refused(game: Game) -> Refuses:
    """Take an action that must be refused; its refusal, after a look that nothing changed."""

    def refused(player: Player, name: str, /, **inputs: Any) -> Refusal:
        before = Game.objects.get(pk=game.pk).last_entry
        with pytest.raises(Refused) as caught:
            take(game.slug, player, name, inputs)
        assert Game.objects.get(pk=game.pk).last_entry == before
        return caught.value.refusal

    return refused
