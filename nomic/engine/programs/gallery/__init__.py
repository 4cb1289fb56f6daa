"""Rules with programs that players can propose as they stand: a file each, with its title first.

A folder holds rules that belong together, with their numbers before the files' names.

`COIN` and `GOOD` stand for two currencies of the game, `COINS` and `GOODS` for several of them.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nomic.engine.programs.declarations import declared_in, program_in

_HERE = Path(__file__).parent
_WORDS = re.compile(r"\b(COIN|GOOD)(S?)\b")


def enacting(title: str, text: str, number: str = "") -> str:
    """A proposal's words by which that rule is enacted; the text ends with a line break."""
    which = f" number {number}" if number else ""
    return f"Enact a new rule{which} titled “{title}” with the following text:\n{{\n{text}}}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A rule's title and text, in which words stand for the game's currencies."""

    title: str
    text: str

    @property
    def currencies(self) -> int:
        """How many currencies it is about."""
        return len({match[1] for match in _WORDS.finditer(self.text)})

    def for_currencies(self, names: list[tuple[str, str]]) -> str:
        """The text for a game with these currencies, by their names for one and for several."""
        by_word = dict(zip(("COIN", "GOOD"), names, strict=False))
        return _WORDS.sub(lambda match: by_word[match[1]][bool(match[2])], self.text)

    def as_proposed(self, names: list[tuple[str, str]]) -> str:
        """A proposal's words by which it comes into a game with these currencies."""
        return enacting(self.title, self.for_currencies(names))


@dataclass(frozen=True, slots=True)
class Together:
    """Rules that are proposed together, each with its number."""

    title: str
    rules: tuple[tuple[str, Piece], ...]

    @property
    def assets(self) -> list[str]:
        """The names of the assets that their programs make."""
        programs = (declared_in(program_in(piece.text)) for _, piece in self.rules)
        return [asset.name for program in programs for asset in program.assets]

    def as_proposed(self) -> str:
        """A proposal's words by which they come into a game."""
        return "\n\n".join(
            enacting(piece.title, piece.text, number) for number, piece in self.rules
        )


@cache
def gallery() -> tuple[Piece, ...]:
    """All pieces, by their titles without “The”; those of `races` are none of them."""
    pieces = [_read(path) for path in _HERE.glob("*.md")]
    return tuple(sorted(pieces, key=lambda piece: piece.title.removeprefix("The ")))


@cache
def races() -> Together:
    """Horse races that are made of nothing but rules with programs."""
    files = sorted((_HERE / "races").glob("*.md"))
    rules = tuple((path.name.partition("-")[0], _read(path)) for path in files)
    return Together("Horse Races", rules)


def _read(path: Path) -> Piece:
    head, _, text = path.read_text(encoding="utf-8").partition("\n")
    return Piece(head.removeprefix("# "), text)
