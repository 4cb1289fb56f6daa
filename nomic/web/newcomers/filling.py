"""Games that are being filled with what a demonstration begins with: nobody joins them before."""

from __future__ import annotations

from nomic.games.refusal import Refusal
from nomic.web.models import Filling


def being_filled(slug: str) -> Filling | None:
    """How far the game of that slug has been filled; None where it is ready."""
    return Filling.objects.filter(slug=slug).first()


def tell(slug: str, told: str, done: int, of: int) -> None:
    """Say what is being done, so many steps of about so many being done already."""
    known = {"told": told, "done": done, "of": of}
    Filling.objects.update_or_create(slug=slug, defaults=known)


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
