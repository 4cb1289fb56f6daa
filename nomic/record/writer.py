"""Writing the record of one locked game: entries, sealed entries, anchors."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol

from django.db.models import QuerySet

from nomic.games.models import Game, Player
from nomic.record.chain import entry_hash, sealed_hash
from nomic.record.models import PART as PART
from nomic.record.models import Entry, Kind, SealedEntry

ANCHOR = "record.anchor"
NOTE = "record.note"
CONSEQUENCES = (ANCHOR, NOTE, PART)  # what public entries make in the sealed book


class Instant(Protocol):
    """The moment at which something is written down."""

    now: datetime
    wall: datetime
    seq: int


class Announced(Protocol):
    """What is written down."""

    @property
    def text(self) -> str: ...
    @property
    def figures(self) -> Mapping[str, Any]: ...


def _as_read(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as they come back from JSON, so that the hash is of what will be read."""
    return dict(json.loads(json.dumps(dict(values))))


class RecordWriter:
    """Continues the two chains of a game. `salt` gives the salt of a sealed entry's number."""

    def __init__(self, game: Game, salt: Callable[[int], str]) -> None:
        self._game = game
        self._salt = salt
        self._opened: list[tuple[int, str]] = []

    def write(
        self,
        at: Instant,
        kind: Kind,
        name: str,
        actor: Player | None,
        inputs: dict[str, Any],
        outcome: Announced,
        rule: str,
        key: str | None,
        sealed_head: str,
    ) -> Entry:
        """Write the next entry of the public record; it names the sealed entries that it opens."""
        figures = {**outcome.figures, **({"opened": self._opened} if self._opened else {})}
        entry = Entry(
            game=self._game,
            seq=at.seq,
            at=at.now,
            recorded_at=at.wall,
            kind=kind,
            name=name,
            actor=actor,
            inputs=_as_read(inputs),
            outcome=_as_read(figures),
            text=outcome.text,
            rule=rule,
            key=key,
            sealed_head=sealed_head,
            prev_hash=self._game.record_head,
        )
        entry.hash = entry_hash(self._game.identity, entry, actor.name if actor else None)
        entry.save(force_insert=True)
        self._opened = []
        self._game.last_entry = entry.seq
        self._game.last_at = entry.at
        self._game.record_head = entry.hash
        return entry

    def seal(
        self,
        at: Instant,
        name: str,
        actor: Player | None,
        inputs: dict[str, Any],
        outcome: Announced,
        rule: str = "",
        key: str | None = None,
    ) -> SealedEntry:
        """Write the next entry of the sealed book."""
        if self._opened and name not in CONSEQUENCES:
            raise RuntimeError("A private act cannot open sealed entries: nobody would hear of it.")
        seq = self._game.sealed_count + 1
        sealed = SealedEntry(
            game=self._game,
            seq=seq,
            after=at.seq - 1,
            at=at.now,
            recorded_at=at.wall,
            name=name,
            actor=actor,
            inputs=_as_read(inputs),
            outcome=_as_read(outcome.figures),
            text=outcome.text,
            rule=rule,
            key=key,
            salt=self._salt(seq),
            prev_hash=self._game.sealed_head,
        )
        sealed.hash = sealed_hash(self._game.identity, sealed, actor.name if actor else None)
        sealed.save(force_insert=True)
        self._game.sealed_count = sealed.seq
        self._game.sealed_head = sealed.hash
        return sealed

    def open(self, at: Instant, entries: QuerySet[SealedEntry]) -> list[SealedEntry]:
        """Make sealed entries of this game public in the entry that is being made; in order.

        Its outcome will name each under `opened`, by number and hash. Opening the anchors between
        them as well lets everybody follow the chain. What is open already stays as it is.
        """
        found = entries.filter(game=self._game, opened_in__isnull=True).select_related("actor")
        opened = list(found.order_by("seq"))
        self._game.sealed_entries.filter(pk__in=[entry.pk for entry in opened]).update(
            opened_in=at.seq
        )
        for entry in opened:
            entry.opened_in = at.seq
            self._opened.append((entry.seq, entry.hash))
        return opened

    def anchor(self, at: Instant) -> str:
        """The sealed book's head, for a public entry to carry.

        A blank sealed entry comes first, so that the head differs each time and tells nobody
        whether somebody acted in private since the last one.
        """
        return self.seal(at, ANCHOR, None, {}, _BLANK).hash


class _Blank:
    text = ""
    figures: Mapping[str, Any] = {}


_BLANK = _Blank()
