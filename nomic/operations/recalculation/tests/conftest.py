"""A game with a past worth recalculating."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from nomic.engine.take import take
from nomic.games.clock import standing_at
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game, seat_practice_players

BEGINS = datetime(2022, 8, 1, tzinfo=UTC)
_GAINS = "horses.gain_dollaries"


def _played(weeks: int) -> Game:
    with standing_at(BEGINS):  # what was done last, and when, is part of the dice
        return _play(weeks)


def _play(weeks: int) -> Game:
    new_game("races", "agora", pace="manual", start=BEGINS, dice_key=b"\4" * 32)
    seat_practice_players("races", 3)
    game = Game.objects.get(slug="races")
    first, second, _ = game.players.order_by("pk")
    take("races", first, _GAINS)
    take("races", second, _GAINS)
    advance("races", BEGINS + timedelta(weeks=1))
    take("races", first, "horses.bet", {"horse": "Fargo", "dollaries": 3})
    take("races", second, "horses.bet", {"horse": "Alexia", "dollaries": 1})
    for week in range(2, weeks):
        advance("races", BEGINS + timedelta(weeks=week))
        take("races", second, _GAINS)
    game.refresh_from_db()
    return game


@pytest.fixture
def young(db: None) -> Game:
    """Four weeks of races: player1 gains, and bets it all in the second; player2 gains each."""
    return _played(4)


@pytest.fixture
def races(db: None) -> Game:
    """Thirty weeks of the same, in which a race ends and is paid for."""
    return _played(30)
