"""How pages start games: by what the floor above, which makes games, has told them."""

from collections.abc import Callable
from typing import Any

from nomic.games.models import Game


class BadSetup(ValueError):
    """A game cannot be started, or its time not be moved, as asked; the text says why."""


type Starter = Callable[..., tuple[Game, bool]]
_STARTERS: list[Starter] = []


def register_starter(starter: Starter) -> None:
    """Let that function start the games that are made in a browser."""
    _STARTERS[:] = [starter]


def start(slug: str, preset: str, **asked: Any) -> tuple[Game, bool]:
    """Start the game of that slug; returns it, and whether there was none. Raises BadSetup."""
    return _STARTERS[0](slug, preset, **asked)
