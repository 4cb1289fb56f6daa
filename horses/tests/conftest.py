"""Here, the races are played: what sets the stage and looks at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from horses.api import horses_state
from horses.models import Motivation
from horses.rulebook import shipped_texts
from horses.rules.payouts import DOLLARY, HOOF, POINTS
from horses.rules.titles import TITLES
from horses.state import save_field, state_of
from nomic.engine.effects import Effects, Set, apply
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.models import Holder
from nomic.operations.setup import advance
from tests.kit import at_the_table


class Stage:
    """Sets a game's races as a test wants them, and tells how they stand."""

    def __init__(self, game: Game) -> None:
        self.slug = game.slug

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return Game.objects.get(slug=self.slug)

    def give(self, player: Player, dollaries: int = 0, hooves: int = 0) -> None:
        with at_the_table(self.game) as table:
            table.ledger.create(player, dollaries, DOLLARY)
            table.ledger.create(player, hooves, HOOF)

    def give_horses(self, player: Player, *horses: str) -> None:
        """Let the player own these horses."""
        with at_the_table(self.game) as table:
            for horse in horses:
                holder = table.ledger.owner_of(horse)
                assert holder is not None
                table.ledger.transfer(holder, player, 1, horse)

    def put(self, **horses: int | tuple[int, int | None]) -> None:
        """Put horses at positions, perhaps with a place."""
        with at_the_table(self.game) as table:
            field = state_of(table).field
            for name, where in horses.items():
                position, place = where if isinstance(where, tuple) else (where, None)
                field = field.with_horse(replace(field[name], position=position, place=place))
            save_field(table, field)

    def motivated(self, galloper: str, distance: int) -> None:
        """Let the dice have chosen this."""
        with at_the_table(self.game) as table:
            week = state_of(table).week
            chosen = Set(Motivation, week=week, galloper=galloper, distance=distance)
            apply(table, Effects(chosen))

    def amend(self, title: str, old: str, new: str) -> None:
        """Amend a rule of the races."""
        with at_the_table(self.game) as table:
            text = table.rules.text(title)
            assert old in text
            table.rules.amend(title, text.replace(old, new))

    def weeks(self, count: int = 1) -> None:
        """Let time go on to an hour after the start of the next week, or of a later one."""
        game = self.game
        monday = next_week(game.now(wall_now())) + timedelta(days=7) * (count - 1)
        advance(self.slug, monday + timedelta(hours=1))

    @property
    def state(self) -> dict[str, Any]:
        """The state of the races as the API tells it."""
        state = horses_state(glance(self.game))
        assert state is not None
        return state

    def horse(self, name: str) -> dict[str, Any]:
        return self.state["horses"][name]

    def holdings(self, owner: Player | Holder) -> tuple[int, int, int]:
        """Dollaries, hooves and points of the player."""
        ledger = glance(self.game).ledger
        return tuple(ledger.balance(owner, asset) for asset in (DOLLARY, HOOF, POINTS))

    def last(self, name: str) -> Any:
        """The last entry of that name."""
        return self.game.entries.filter(name=name).latest("seq")


@pytest.fixture
def stage(game: Game) -> Stage:
    return Stage(game)


@pytest.fixture
def refused(game: Game) -> Callable[..., Any]:
    """Take an action that must be refused; its refusal, after a look that nothing changed."""

    def refused(player: Player, name: str, **inputs: Any) -> Any:
        before = Game.objects.get(pk=game.pk).last_entry
        with pytest.raises(Refused) as caught:
            take(game.slug, player, name, inputs)
        assert Game.objects.get(pk=game.pk).last_entry == before
        return caught.value.refusal

    return refused


@pytest.fixture
def texts() -> dict[str, str]:
    return {title: shipped_texts()[title] for title in TITLES}
