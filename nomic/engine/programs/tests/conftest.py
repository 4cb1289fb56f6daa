"""A tiny game whose one rule can be given a program."""

from collections.abc import Callable

import pytest

from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN, COINS, TINY
from nomic.games.models import Game, Player

Adopt = Callable[[str], None]
TEXT = "Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n"


def block(program: str) -> str:
    """The rule's text with that program in it."""
    return f"{TEXT}\n```python\n{program.strip()}\n```\n" if program else TEXT


@pytest.fixture
def preset() -> str:
    return TINY


@pytest.fixture
def adopt(game: Game) -> Adopt:
    """Give the rule Coins that program, as an entry that a replay can do again."""

    def adopt(program: str) -> None:
        change = {"rule": COINS, "text": block(program), "reason": "a test"}
        take(game.slug, None, "rulebook.amend", change)
        game.refresh_from_db()

    return adopt


@pytest.fixture
def rich(game: Game, player: Player, rival: Player) -> Game:
    """Murphy and Madrid have ten coins each, by a correction that a replay can do again."""
    for name in ("Murphy", "Madrid"):
        correction = {
            "amount": 10,
            "asset": COIN,
            "giver": "Mint",
            "receiver": name,
            "reason": "a test",
        }
        take(game.slug, None, "ledger.correct", correction)
    game.refresh_from_db()
    return game
