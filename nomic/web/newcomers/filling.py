"""Games that are being filled with what a demonstration begins with: nobody joins them before."""

from typing import Any

from nomic.compiled import CompiledQuery
from nomic.games.refusal import Refusal
from nomic.web.models import Filling

_FILLED = CompiledQuery(lambda: Filling.objects.all())


def being_filled(slug: str) -> Filling | None:
    """How far the game of that slug has been filled; None where it is ready."""
    return _FILLED.first(slug=slug)


def tell(slug: str, told: str, done: int, of: int, **more: Any) -> None:
    """Say what is being done, so many steps of about so many being done already."""
    known = {"told": told, "done": done, "of": of, **more}
    Filling.objects.update_or_create(slug=slug, defaults=known)


def begin(slug: str, told: str, seats: list[tuple[int, str]]) -> None:
    """Say that it is going to be filled; these users get seats of these names then."""
    tell(slug, told, 0, 1, seats=seats)


def seats_to_give(slug: str) -> list[tuple[int, str]]:
    """The users who get seats as soon as the game of that slug is filled, with their names."""
    found = being_filled(slug)
    return [(user, name) for user, name in found.seats] if found else []


def ready(slug: str) -> None:
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
