"""How a game fills its offices: one of its settings."""

from django.db import models

from nomic.games.models import OFFICES, Game, Pace


class Offices(models.TextChoices):
    """How offices come to their holders."""

    SUPPORT = "support", "by support: more than half of the other players back a candidate"
    HOST = "host", "by the host's word"
    OPEN = "open", "open: whoever takes a vacant one has it (practice)"


def usual_offices(pace: str) -> Offices:
    """How a game of that pace fills its offices unless told; practice games have open offices."""
    return Offices.SUPPORT if pace == Pace.REAL else Offices.OPEN


def offices_of(game: Game) -> Offices:
    """How that game fills its offices now, or will when it is next acted in."""
    return Offices(game.setting(OFFICES) or usual_offices(game.pace))
