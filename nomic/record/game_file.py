"""A whole game as the lines of one file: both books, and what a replay needs besides."""

import json
from collections.abc import Iterator
from heapq import merge
from typing import Any

from django.db.models import QuerySet

from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.record.models import Entry, EntryKind, SealedEntry

FORMAT = "nomic record 1"
PUBLISHED = "games.publish"
_AT_ONCE = 40  # entries that one query reads; one may have a megabyte


def published(game: Game) -> Entry | None:
    """The newest entry by which the operator has made the whole game public, if there is one."""
    publications = game.entries.filter(name=PUBLISHED, kind=EntryKind.SYSTEM).defer("outcome")
    return publications.order_by("seq").last()


def lines_of(game: Game, master: bytes, public: Entry | None = None) -> Iterator[str]:
    """The file of the game, a JSON value a line: a head, the entries of both books in order, each
    after what it sealed, and the line that closes it.

    The head holds the game's master secret: whoever has the file can foretell its dice. One for the
    `public` ends with the entry that published it, however the game goes on, and tells neither
    users' names nor their keys; it is always the same.
    """
    for line in _values(game, master, public):
        yield json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n"


def of_the_clock(game: Game) -> dict[str, Any]:
    """How the game's time goes, as the head of a file tells it."""
    clock = {"anchor_game": iso(game.anchor_game), "anchor_wall": iso(game.anchor_wall)}
    return {"pace": game.pace, "rate": game.rate, "clock": clock}


def _values(game: Game, master: bytes, public: Entry | None) -> Iterator[dict[str, Any]]:
    clock = of_the_clock(game)
    if public:  # as it went when that entry was written, where it keeps that
        clock = {name: public.outcome.get(name, now) for name, now in clock.items()}
    yield {
        "format": FORMAT,
        "slug": game.slug,
        "identity": game.identity,
        "master": master.hex(),
        "users": {} if public else users_of(game),
        **clock,
    }
    for entry in both_books(game, public):
        if public:
            entry.key = None
            if isinstance(entry, SealedEntry) and (entry.opened_in or 0) > public.seq:
                entry.opened_in = None
        yield {"entry" if isinstance(entry, Entry) else "sealed": _line(entry)}
    yield {"end": end_of(game, public)}


def users_of(game: Game) -> dict[str, str]:
    """The user name of each player of the game who has one, by their name in it."""
    named = game.players.filter(user__isnull=False)
    return dict(named.values_list("name", "user__username"))


def both_books(
    game: Game, public: Entry | None = None, since: Game | None = None
) -> Iterator[Entry | SealedEntry]:
    """The entries of both books in order, each after what it sealed, as far as `game` tells of
    them, or until that public one; with `since`, an earlier look at the game, what came after it.
    """
    rows = game.entries.filter(seq__lte=public.seq if public else game.last_entry)
    sealed = _sealed_until(game, public)
    if since:
        rows = rows.filter(seq__gt=since.last_entry)
        sealed = sealed.filter(seq__gt=since.sealed_count)
    entries: Iterator[Entry | SealedEntry] = in_order(rows.select_related("actor").order_by("seq"))
    sealed_entries: Iterator[Entry | SealedEntry] = in_order(
        sealed.select_related("actor").order_by("seq")
    )
    return merge(
        entries,
        sealed_entries,
        key=lambda entry: (entry.seq, 1) if isinstance(entry, Entry) else (entry.after + 1, 0),
    )


def _sealed_until(game: Game, public: Entry | None) -> QuerySet[SealedEntry]:
    """The sealed entries from before that public one; without one, all that `game` tells of."""
    if public:
        return game.sealed_entries.filter(after__lt=public.seq)
    return game.sealed_entries.filter(seq__lte=game.sealed_count)


def in_order[Row: (Entry, SealedEntry)](rows: QuerySet[Row]) -> Iterator[Row]:
    """Rows by their numbers, some at a time. No cursor of the database is left open where a reader
    stops before the end."""
    rows = rows.order_by("seq")
    batch = list(rows[:_AT_ONCE])
    yield from batch
    while len(batch) == _AT_ONCE:
        batch = list(rows.filter(seq__gt=batch[-1].seq)[:_AT_ONCE])
        yield from batch


def end_of(game: Game, public: Entry | None = None) -> dict[str, Any]:
    """How many entries each book has, and its last hash; the sealed books by their names."""
    rows = _sealed_until(game, public).order_by("book", "-seq").distinct("book")
    books = {newest.book: [newest.number, newest.hash] for newest in rows}
    entries, head = (public.seq, public.hash) if public else (game.last_entry, game.record_head)
    return {"entries": entries, "hash": head, "sealed": books}


def _line(entry: Entry | SealedEntry) -> dict[str, Any]:
    """All that the entry's row has, with the actor's name; but for what follows from the rest."""
    fields = {field.name for field in entry._meta.concrete_fields}
    names = fields - {"id", "game", "actor", "actor_name", "content_hash"}
    columns = {name: getattr(entry, name) for name in names}
    moments = {"at": iso(entry.at), "recorded_at": iso(entry.recorded_at)}
    return {**columns, **moments, "actor": entry.actor_name}
