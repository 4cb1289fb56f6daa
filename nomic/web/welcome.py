"""As whom one can sign in to a demonstration, as its sign-in page tells."""

from typing import Any

from django.conf import settings

from nomic.games.models import Game, Pace

SLUG = "demo"
_THAT_REST = frozenset({SLUG, "b-nomic"})
PLAYERS = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")
OFFICER = "snail"
OFFICES = ("Horsened", "Assessor", "Onlooker")
PASSWORD = "horses-run"  # noqa: S105 - printed on the sign-in page of a demonstration


def welcome() -> dict[str, Any] | None:
    """As whom one can sign in, with which password; None unless this is a demonstration on one's
    own machine."""
    if settings.ORIGIN or not Game.objects.filter(slug=SLUG, preset="demo").exists():
        return None
    return {"names": PLAYERS, "password": PASSWORD, "officer": OFFICER, "offices": OFFICES}


def rests(game: Game) -> bool:
    """Whether time stands still in that game of the demonstration only until somebody looks."""
    return game.pace == Pace.MANUAL and game.host_id is None and game.slug in _THAT_REST
