"""Heads: the number and hash of an entry as the site has signed them, so that whoever keeps one can
show that the record was otherwise, should it be."""

import hashlib
import re
from dataclasses import dataclass

from nomic.games.models import Game
from nomic.record.canonical import canonical_json

RECORD, FORMAT = "record", "nomic receipt 1"
LONGEST = 240  # characters: number, hash, key and signature are 220, which may stand in spaces
A_HEAD = "([0-9]{1,9}):([0-9a-f]{64})(?::([0-9a-f]{16}):([0-9a-f]{128}))?"
_A_HEAD = re.compile(A_HEAD)


@dataclass(frozen=True, slots=True)
class Head:
    """An entry of the public record, by its number and hash. `key` names the key that signed it;
    with its `signature` it is empty where nobody did."""

    number: int
    hash: str
    key: str = ""
    signature: str = ""

    def __str__(self) -> str:
        return ":".join(filter(None, (str(self.number), self.hash, self.key, self.signature)))

    @property
    def short(self) -> str:
        """As much of the hash as one compares by eye."""
        return self.hash[:8]

    def statement_of(self, game: Game) -> bytes:
        """The statement that its signature is of, where it is a head of that game."""
        return statement(game.identity, RECORD, self.number, self.hash, self.key)

    def imprint_in(self, game: Game) -> bytes:
        """The SHA-256 of that statement, which a service stamps; 32 bytes."""
        return hashlib.sha256(self.statement_of(game)).digest()


def read_head(text: str) -> Head | None:
    """The head that the text names: NUMBER:HASH, perhaps with :KEY:SIGNATURE; None for others."""
    match = _A_HEAD.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if match is None or int(match[1]) == 0:
        return None
    return Head(int(match[1]), match[2], match[3] or "", match[4] or "")


def statement(
    game: str, book: str, number: int | None, digest: str, key: str, content: str | None = None
) -> bytes:
    """The bytes that a signature is of, docs/record-format.md: the game's identity, a book, the
    number and hash of an entry there. For a sealed one the number is not told, but the hash of its
    content."""
    claim = {"says": FORMAT, "game": game, "book": book, "number": number}
    return canonical_json({**claim, "hash": digest, "content": content, "key": key})


def is_of(game: Game, head: Head) -> bool:
    """Whether the game's record has that head; asks nothing where it is the newest."""
    if head.number == game.last_entry:
        return head.hash == game.record_head
    return game.entries.filter(seq=head.number, hash=head.hash).exists()
