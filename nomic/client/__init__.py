"""A client of a Nomic site's API: `Nomic(address, token).game(slug)`. It needs nothing of the
site."""

from .inputs import inputs_for
from .site import Event, Failed, Game, Nomic, Refused

__all__ = ["Event", "Failed", "Game", "Nomic", "Refused", "inputs_for"]
