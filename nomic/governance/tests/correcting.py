"""What a Keeper corrects, and how it went."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.tests.tiny import COIN
from nomic.games.models import Game, Player
from nomic.governance.models import Motion
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.operations.setup import advance
from nomic.record.models import Entry
from tests.kit import Take, at_the_table

KEEPER = "Keeper"
TEN = {"amount": 10, "asset": COIN, "giver": "Mint", "receiver": "Murphy", "reason": "a slip"}
BACK = {**TEN, "giver": "Murphy", "receiver": "Mint"}


def refused(act: Take, actor: Player | None, name: str, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    return refusal.value.refusal.code


def hours(game: Game, number: float) -> None:
    game.refresh_from_db()
    advance(game.slug, game.anchor_game + timedelta(hours=number))


def coins(game: Game, name: str = "Murphy") -> int:
    return glance(game).ledger.balance(game.players.get(name=name), COIN)


def last(game: Game) -> Entry:
    return game.entries.latest("seq")


def motion(game: Game, number: int = 0) -> Motion:
    return game.motions.get(number=number) if number else game.motions.latest("number")


def table_says(game: Game, cell: str) -> None:
    """Let a vote have put something else than 24 into the table."""
    with at_the_table(game) as table:
        text = table.rules.text(OFFICES_AND_CORRECTIONS)
        table.rules.amend(OFFICES_AND_CORRECTIONS, text.replace("| 24 |", f"| {cell} |"))
