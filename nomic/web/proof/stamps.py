"""Stamps as they are shown: which heads of a game a service outside has seen, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nomic.games.models import Game
from nomic.record.heads import Head
from nomic.record.models import Stamp
from nomic.record.stamps import digest_of

_MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Stamped:
    """A head that was stamped: by which service, at which moment as that says, and the SHA-256, in
    hexadecimal, that the stamp is of."""

    head: Head
    digest: str
    service: str
    at: datetime

    @property
    def number(self) -> int:
        """The number of the entry."""
        return self.head.number


def stamps_of(game: Game) -> list[Stamped]:
    """The newest stamps of the game's heads, the last first; of ten years four."""
    return [_shown(game, each) for each in game.stamps.defer("answer")[:_MOST_SHOWN]]


def stamp_of(game: Game, number: int) -> tuple[Stamped, bytes] | None:
    """The stamp of the head of that number, and the service's answer; None where there is none."""
    found = game.stamps.filter(number=number).first()
    return (_shown(game, found), bytes(found.answer)) if found else None


def _shown(game: Game, stamp: Stamp) -> Stamped:
    head = Head(stamp.number, stamp.hash, stamp.key, stamp.signature)
    return Stamped(head, digest_of(game, head).hex(), stamp.service, stamp.at)
