"""The Thug's subrule in the source, and what tests of it throw and are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomic.dice.roller import DiceRoller
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from settlers.api import isle_state

_SEEDS = Path(__file__).parents[3] / "shared/seeds"


def source() -> str:
    """The source's text; the test is skipped where it is not there."""
    sources = sorted(_SEEDS.glob("003_*.txt"))
    if not sources:
        pytest.skip("the source documents are not beside the project")
    return sources[0].read_text(encoding="utf-8")


def state_for(game: Game, viewer: Player) -> dict:
    """The isle as the API tells it to that player."""
    state = isle_state(glance(Game.objects.get(pk=game.pk)), viewer)
    assert state is not None
    return state


def let_the_dice_show(monkeypatch: pytest.MonkeyPatch, *shown: int) -> None:
    """Let the two dice of every Visitor Arrival fall so."""
    rolls, choose = (
        dict(zip(("first die", "second die"), shown, strict=True)),
        DiceRoller.choose_each,
    )

    def fixed(cup: DiceRoller, options: dict[str, list]) -> dict[str, object]:
        return choose(cup, options) | rolls

    monkeypatch.setattr(DiceRoller, "choose_each", fixed)
