"""By which readings of the rules a game is played: docs/readings.md tells what each has changed.

A game goes on by the readings with which it began, so that its record replays to what was played.
"""

from nomic.games.models import Game

READINGS = "readings"
NEWEST = 8


def has_readings(game: Game, readings: int) -> bool:
    """Whether that game began with these readings, counted from 1, or with later ones."""
    began_with: int = game.setting(READINGS, 1)
    return began_with >= readings
