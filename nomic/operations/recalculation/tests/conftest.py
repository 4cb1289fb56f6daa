"""A game with a past worth recalculating."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from horses.models import Runner
from horses.rules.race import FIRST, PLACE_NAMES, SECOND
from nomic.engine.take import take
from nomic.games.clock import standing_at
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game, seat_practice_players

BEGINS = datetime(2022, 8, 1, tzinfo=UTC)
_GAINS = "horses.gain_dollaries"
_PLACED = {"Alexia": PLACE_NAMES[FIRST], "Fargo": PLACE_NAMES[SECOND]}


def _played(weeks: int, *, short: bool = False) -> Game:
    with standing_at(BEGINS):  # what was done last, and when, is part of the dice
        return _play(weeks, short)


def _play(weeks: int, short: bool) -> Game:
    new_game("races", "agora", pace="manual", start=BEGINS, dice_key=b"\4" * 32)
    seat_practice_players("races", 3)
    game = Game.objects.get(slug="races")
    first, second, _ = game.players.order_by("pk")
    take("races", first, _GAINS)
    take("races", second, _GAINS)
    advance("races", BEGINS + timedelta(weeks=1))
    take("races", first, "horses.bet", {"horse": "Fargo", "dollaries": 3})
    take("races", second, "horses.bet", {"horse": "Alexia", "dollaries": 1})
    if short:
        _shorten(game)
    for week in range(2, weeks):
        advance("races", BEGINS + timedelta(weeks=week))
        take("races", second, _GAINS)
    game.refresh_from_db()
    return game


def _shorten(game: Game) -> None:
    """Let two horses have their places, and all others stand a step before the line."""
    for horse in Runner.objects.filter(race__game=game).order_by("name"):
        place = _PLACED.get(horse.name)
        name, to = ("place", place) if place else ("position", horse.finish - 1)
        given = {"horse": horse.name, name: to, "reason": "a short race"}
        take("races", None, f"horses.correct_{name}", given)


@pytest.fixture
def young(db: None) -> Game:
    """Four weeks of races: player1 gains, and bets it all in the second; player2 gains each."""
    return _played(4)


@pytest.fixture
def races(db: None) -> Game:
    """More weeks of the same, in which a race ends and is paid for."""
    return _played(6, short=True)
