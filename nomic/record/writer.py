"""Writing the record of one locked game: entries, sealed entries, anchors."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Max, Model, Q, QuerySet

from nomic.games.models import Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledValues, insert_together
from nomic.quotas import usage
from nomic.record.canonical import canonical_json
from nomic.record.chain import (
    as_stored,
    book_of,
    entry_hash,
    sealed_genesis,
    text_of,
)
from nomic.record.models import ANCHOR, CONSEQUENCES, Entry, EntryKind, SealedEntry

Effects = Sequence[dict[str, Any]]
_ROW = 400  # bytes of an entry's own columns, or of a posting or roll beside it, with its indexes
_LAST_OF_BOOK = CompiledValues(
    lambda: SealedEntry.objects.order_by("-number").values_list("number", "hash")
)


class Instant(Protocol):
    """The moment at which something is written down."""

    now: datetime
    wall: datetime
    seq: int


class Announced(Protocol):
    """The announcement that is written down: its text, and the figures that are its outcome."""

    @property
    def text(self) -> str: ...
    @property
    def figures(self) -> Mapping[str, Any]: ...


class RecordWriter:
    """Continues the chains of a game. `salt` gives the salt of a sealed entry, of its book and its
    number there."""

    def __init__(self, game: Game, salt: Callable[[str, int], str]) -> None:
        self._game = game
        self._salt = salt
        self._opened: list[tuple[Any, ...]] = []
        self._closed: list[tuple[Any, ...]] = []
        self._anchors: dict[str, str] = {}
        self._unwritten: list[SealedEntry] = []
        self._beside: list[list[Model]] = []
        self.bytes = 0  # of all that was written and sealed
        self._offered: list[Any] = []  # options of the rolls in it

    def write(
        self,
        at: Instant,
        kind: EntryKind,
        name: str,
        actor: Player | None,
        inputs: dict[str, Any],
        outcome: Announced,
        rule: str,
        key: str | None,
        effects: Effects = (),
        saw: list[Any] | None = None,
        nonce: str = "",
    ) -> Entry:
        """Write the next entry of the public record with what is sealed for it; it names the
        sealed entries that it opens."""
        openings = {"opened": self._opened, "closed": self._closed}
        figures = {**outcome.figures, **{name: pairs for name, pairs in openings.items() if pairs}}
        entry = Entry(
            game=self._game,
            seq=at.seq,
            at=at.now,
            recorded_at=at.wall,
            kind=kind,
            name=name,
            actor=actor,
            actor_name=actor.name if actor else None,
            inputs=as_stored(inputs),
            outcome=as_stored(figures),
            text=outcome.text,
            rule=rule,
            key=key,
            effects=as_stored({"effects": effects})["effects"],
            anchors=self._anchors,
            saw=saw,
            nonce=nonce,
            prev_hash=self._game.record_head,
        )
        entry.hash = entry_hash(entry, self._weighed(entry))
        self.put_down(entry)
        self._opened, self._closed, self._anchors = [], [], {}
        game = self._game
        game.last_entry, game.last_at, game.record_head = entry.seq, entry.at, entry.hash
        if actor and kind in (EntryKind.ACTION, EntryKind.OFFICER):
            if game.last_actor not in (None, actor.pk):
                game.act_of_another = game.last_act
            game.last_actor, game.last_act = actor.pk, entry.hash
        return entry

    def bytes_but_options(self) -> int:
        """The same without the options among which dice chose: a card drawn has the whole Deck
        there. Takes time in proportion to these."""
        return self.bytes - sum(len(canonical_json(options)) for options in self._offered)

    def _weighed(self, entry: Entry | SealedEntry) -> bytes:
        """The canonical form of the entry's content; what the record grows by is noted on
        commit."""
        text = text_of(entry)
        self.bytes += len(text)
        self._offered += [effect["options"] for effect in entry.effects if "options" in effect]
        if not self._game.scratch:
            beside = sum(len(effect.get("moves", ())) or 1 for effect in entry.effects)
            weight, game, host = len(text) + _ROW * (1 + beside), self._game.pk, self._game.host_id
            transaction.on_commit(lambda: usage.note(game, entries=1, written=weight, host=host))
        return text

    def seal(
        self,
        at: Instant,
        name: str,
        actor: Player | None,
        inputs: dict[str, Any],
        outcome: Announced,
        rule: str = "",
        key: str | None = None,
        *,
        book: str = "",
        effects: Effects = (),
        saw: list[Any] | None = None,
        nonce: str = "",
    ) -> SealedEntry:
        """Make the next entry of a sealed book: that of the act's subgame, or the one that is
        named. `put_down` saves it."""
        if self._opened and name not in CONSEQUENCES:
            raise RuntimeError("A private act cannot open sealed entries: nobody would hear of it.")
        book = book or book_of(name)
        number, head = self._next(book)
        sealed = SealedEntry(
            game=self._game,
            seq=self._game.sealed_count + 1,
            after=at.seq - 1,
            at=at.now,
            recorded_at=at.wall,
            name=name,
            actor=actor,
            actor_name=actor.name if actor else None,
            inputs=as_stored(inputs),
            outcome=as_stored(dict(outcome.figures)),
            text=outcome.text,
            rule=rule,
            key=key,
            book=book,
            number=number,
            effects=as_stored({"effects": effects})["effects"],
            saw=saw,
            nonce=nonce,
            salt=self._salt(book, number),
            prev_hash=head,
        )
        text = self._weighed(sealed)
        sealed.content_hash = hashlib.sha256(text).hexdigest()
        sealed.hash = entry_hash(sealed, text)
        self._unwritten.append(sealed)
        self._game.sealed_count = sealed.seq
        self._game.sealed_head = sealed.hash
        self._game.sealed_books = {**self._game.sealed_books, book: [number, sealed.hash]}
        return sealed

    def keep_for_entry(self, rows: list[list[Model]]) -> None:
        """Save these new rows, a list of each model, with what is put down next."""
        self._beside += rows

    def put_down(self, *entry: Entry) -> None:
        """Save what has been sealed and kept since, and the entry with it, in one statement."""
        rows: list[Sequence[Model]] = [self._unwritten, *self._beside, entry]
        self._unwritten, self._beside = [], []
        insert_together(*filter(None, rows))

    def _next(self, book: str) -> tuple[int, str]:
        """The number of the book's next entry, and the hash before it."""
        end = self._game.sealed_books.get(book)
        if not end:  # it is new, or has been opened as a whole and goes on
            newest = _LAST_OF_BOOK.first(game=self._game.pk, book=book)
            end = newest or (0, sealed_genesis(self._game.identity, book))
        last, head = end
        return last + 1, head

    def open(self, at: Instant, entries: QuerySet[SealedEntry]) -> list[SealedEntry]:
        """Make sealed entries of this game public in the entry that is being made; in order.

        Its outcome will name each under `opened`, by number and hash. Opening the anchors between
        them as well lets everybody follow the chain. What is open already stays as it is.

        The outcome accounts for every number of the book up to the last of these: each is opened,
        or stands under `closed` with the hash of its content; anchors are opened.
        """
        self.put_down()
        closed = entries.filter(game=self._game, opened_in__isnull=True).select_related("actor")
        opened = self._with_anchors(list(closed.order_by("seq")))
        self._game.sealed_entries.filter(pk__in=[entry.pk for entry in opened]).update(
            opened_in=at.seq
        )
        return self._name_opened(at, opened)

    def _name_opened(self, at: Instant, opened: list[SealedEntry]) -> list[SealedEntry]:
        for entry in opened:
            entry.opened_in = at.seq
            self._opened.append(entry.named_by)
        return opened

    def _with_anchors(self, opened: list[SealedEntry]) -> list[SealedEntry]:
        """These and the anchors of their ranges; notes what of the ranges stays closed."""
        ends: dict[str, int] = {}
        for entry in opened:
            ends[entry.book] = max(ends.get(entry.book, 0), entry.number)
        chosen = {entry.pk: entry for entry in opened}
        # What no opening has accounted for, in each book up to its end.
        rows = self._game.sealed_entries.filter(book__in=ends)
        opened_rows = rows.filter(opened_in__isnull=False).order_by().values_list("book")
        accounted = dict(opened_rows.annotate(last=Max("number")))
        ranges = Q()
        for book, end in ends.items():
            ranges |= Q(book=book, number__gt=accounted.get(book, 0), number__lte=end)
        unopened = rows.filter(opened_in__isnull=True).select_related("actor")
        for entry in unopened.order_by("book", "number").filter(ranges):
            if entry.name == ANCHOR:
                chosen.setdefault(entry.pk, entry)
            elif entry.pk not in chosen:
                self._closed.append((entry.book, entry.number, entry.tag, entry.content_hash))
        return sorted(chosen.values(), key=_in_its_book)

    def anchor(self, at: Instant, name: str) -> None:
        """Let the event of that name carry the heads of sealed books.

        A blank sealed entry comes first, so that the head differs each time and tells nobody
        whether somebody acted in private since the last one. An event anchors the book of its
        subgame and those that its subgame has begun and not opened yet.
        """
        subgame = book_of(name)
        begun = sorted(book for book in self._game.sealed_books if book.startswith(f"{subgame}/"))
        for book in [subgame, *begun]:
            if book not in self._anchors:
                self.begin_book(at, book)

    def begin_book(self, at: Instant, book: str) -> None:
        """Let the entry that is being made carry the head of that book, after a blank entry."""
        self._anchors[book] = self.seal(at, ANCHOR, None, {}, _BLANK, book=book).hash

    def open_books(self, at: Instant, books: Collection[str]) -> list[SealedEntry]:
        """Open whole books, which end with that; the entry that is being made carries their last
        heads."""
        for book in books:
            if book not in self._anchors:
                self.begin_book(at, book)
        closed = self._game.sealed_entries.filter(book__in=books, opened_in__isnull=True)
        fresh = [entry for entry in self._unwritten if entry.book in books]
        opened = [*closed.select_related("actor"), *fresh]
        closed.update(opened_in=at.seq)
        ends = self._game.sealed_books
        self._game.sealed_books = {name: end for name, end in ends.items() if name not in books}
        return self._name_opened(at, sorted(opened, key=_in_its_book))


def _in_its_book(entry: SealedEntry) -> tuple[str, int]:
    return entry.book, entry.number


class _Blank:
    text = ""
    figures: Mapping[str, Any] = {}


_BLANK = _Blank()
