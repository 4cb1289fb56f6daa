"""The demonstration: as whom one can sign in to it, as its sign-in page tells, and how far it is
filled with what it begins with: nobody joins it before."""

from typing import Any

from django.conf import settings

from nomic.games.models import Game, Pace
from nomic.games.refusal import Refusal
from nomic.web.models import Filling

SLUG = "demo"
_THAT_REST = frozenset({SLUG, "b-nomic"})
PLAYERS = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")
OFFICER = "snail"
OFFICES = ("Horsened", "Assessor", "Onlooker")
PASSWORD = "horses-run"  # noqa: S105 - printed on the sign-in page of a demonstration


def the_demonstration() -> Game | None:
    """The game in which guests play; None where this site has none."""
    return Game.objects.filter(slug=SLUG, scratch=False).first()


def welcome() -> dict[str, Any] | None:
    """As whom one can sign in, with which password; None unless this is a demonstration on one's
    own machine."""
    if settings.ORIGIN or not Game.objects.filter(slug=SLUG, preset="demo").exists():
        return None
    return {"names": PLAYERS, "password": PASSWORD, "officer": OFFICER, "offices": OFFICES}


def rests(game: Game) -> bool:
    """Whether time stands still in that game of the demonstration only until somebody looks."""
    return game.pace == Pace.MANUAL and game.host_id is None and game.slug in _THAT_REST


def being_filled(slug: str) -> Filling | None:
    """How far the game of that slug has been filled; None where it is ready."""
    return Filling.objects.filter(slug=slug).first()


def report_filling(slug: str, sentence: str, done: int, of: int, **columns: Any) -> None:
    """Say what is being done, so many steps of about so many being done already."""
    progress = {"told": sentence, "done": done, "of": of, **columns}
    Filling.objects.update_or_create(slug=slug, defaults=progress)


def seats_to_give(slug: str) -> list[tuple[int, str]]:
    """The users who get seats as soon as the game of that slug is filled, with their names."""
    filling = being_filled(slug)
    return [(user, name) for user, name in filling.seats] if filling else []


def end_filling(slug: str) -> None:
    """Let everybody join the game from now on."""
    Filling.objects.filter(slug=slug).delete()


def not_ready(slug: str) -> Refusal | None:
    """Why nobody can join that game yet."""
    filling = being_filled(slug)
    if filling is None:
        return None
    sentence = (
        f"This game is still being prepared ({filling.percent} % done), and can be joined as soon"
        " as it is ready. Try again in a moment."
    )
    return Refusal("being_filled", sentence)
