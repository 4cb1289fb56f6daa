"""Rules with programs that players can propose as they stand: a file each, with its title first.

`COIN` and `GOOD` stand for two currencies of the game, `COINS` and `GOODS` for several of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_WORDS = re.compile(r"\b(COIN|GOOD)(S?)\b")


@dataclass(frozen=True, slots=True)
class Piece:
    """A rule's title and text, in which words stand for the game's currencies."""

    title: str
    text: str

    @property
    def currencies(self) -> int:
        """How many currencies it is about."""
        return len({found[1] for found in _WORDS.finditer(self.text)})

    def for_currencies(self, names: list[tuple[str, str]]) -> str:
        """The text for a game with these currencies, by their names for one and for several."""
        known = dict(zip(("COIN", "GOOD"), names, strict=False))
        return _WORDS.sub(lambda found: known[found[1]][bool(found[2])], self.text)

    def as_proposed(self, names: list[tuple[str, str]]) -> str:
        """A proposal's words by which it comes into a game with these currencies."""
        head = f"Enact a new rule titled “{self.title}” with the following text:"
        return f"{head}\n{{\n{self.for_currencies(names)}}}"


@cache
def gallery() -> tuple[Piece, ...]:
    """All of them, by their titles."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.md")):
        head, _, text = path.read_text(encoding="utf-8").partition("\n")
        found.append(Piece(head.removeprefix("# "), text))
    return tuple(sorted(found, key=lambda piece: piece.title.removeprefix("The ")))
