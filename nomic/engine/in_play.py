"""Which parts of the house a game has in play: asked once a rulebook, and kept in mind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from nomic.games.models import Game

_MOST_KEPT = 10_000


class Part(Protocol):
    """What a game has or has not, by its rulebook alone."""

    def is_on(self, game: Game) -> bool: ...


class InPlay[Kind: Part]:
    """Those parts of one kind that each game has. Only a change of the rulebook changes them; in
    the entry that makes it, they are still those of before."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], list[Kind]] = {}

    def of(self, game: Game, parts: Iterable[Kind]) -> list[Kind]:
        """Those of `parts` that the game has, asked anew where the rulebook has changed."""
        place = (game.pk, game.rulebook_at)
        found = self._known.get(place)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[place] = [part for part in parts if part.is_on(game)]
        return found
