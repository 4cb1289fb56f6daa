"""What somebody with the database in hand can do: change rows around the triggers, and hash anew
all that depends on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from django.db import connection, transaction

from nomic.dice.models import Master, Roll, spread
from nomic.dice.seeds import commitment, period_seed, roll
from nomic.games.models import Game
from nomic.record.chain import content, digest, entry_hash, genesis, sealed_genesis
from nomic.record.models import Entry, SealedEntry

Names = dict[str, str]  # what a hash was, and what it is now


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def around_the_triggers() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


def sql(statement: str, game: Game) -> bool:
    """Whether that statement, with the game for each {game}, changed anything."""
    with around_the_triggers(), connection.cursor() as cursor:
        cursor.execute(statement.format(game=game.pk))
        return bool(cursor.rowcount > 0)


def save(*rows: Any) -> None:
    with around_the_triggers():
        for row in rows:
            row.save()


def hash_anew(game: Game, *, dice: bool = True) -> None:
    """Let all hashes be those of what the rows say now: books, anchors, openings, the record, what
    acts name as seen; with `dice`, all is rolled anew too."""
    names: Names = {}
    sealed = game.sealed_entries.select_related("actor").order_by("seq")
    by_place = {after: list(own) for after, own in groupby(sealed, key=lambda each: each.after)}
    ends: dict[str, str] = {}
    head = genesis(game.identity)
    with around_the_triggers():
        for entry in game.entries.select_related("actor").order_by("seq"):
            for each in by_place.pop(entry.seq - 1, ()):
                _seal_anew(game, each, ends, names, dice=dice)
            head = _write_anew(game, entry, head, names, dice=dice)
        for each in (each for rest in by_place.values() for each in rest):
            _seal_anew(game, each, ends, names, dice=dice)
        last = game.sealed_entries.order_by("seq").last()
        books = game.sealed_entries.order_by("book", "-number").distinct("book")
        found = {each.book: [each.number, each.hash] for each in books}
        Game.objects.filter(pk=game.pk).update(
            record_head=head,
            sealed_books={book: found[book] for book in game.sealed_books if book in found},
            sealed_count=last.seq if last else 0,
            sealed_head=last.hash if last else game.sealed_head,
        )


def _seal_anew(
    game: Game, entry: SealedEntry, ends: dict[str, str], names: Names, *, dice: bool
) -> None:
    was, content_was = entry.hash, digest(content(entry))
    entry.prev_hash = ends.get(entry.book) or sealed_genesis(game.identity, entry.book)
    entry.saw, entry.outcome = _renamed(entry.saw, names), _renamed(entry.outcome, names)
    entry.effects = _rolled(game, _renamed(entry.effects, names), dice=dice)
    entry.hash = ends[entry.book] = entry_hash(entry)
    names[was] = entry.hash
    names[content_was] = digest(content(entry))
    entry.save()


def _write_anew(game: Game, entry: Entry, head: str, names: Names, *, dice: bool) -> str:
    was = entry.hash
    entry.prev_hash = head
    for field in ("saw", "outcome", "anchors"):
        setattr(entry, field, _renamed(getattr(entry, field), names))
    entry.effects = _rolled(game, _renamed(entry.effects, names), dice=dice)
    entry.hash = entry_hash(entry)
    names[was] = entry.hash
    entry.save()
    return entry.hash


def _renamed(value: Any, names: Names) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def _rolled(game: Game, effects: list[dict[str, Any]], *, dice: bool) -> list[dict[str, Any]]:
    """The effects, with what the dice give after other acts; the tables say the same."""
    master = bytes(Master.objects.get(game=game).key)
    for effect in effects if dice else ():
        if "roll" in effect:
            purpose, private, number = effect["period"]
            seed = period_seed(master, number, private=private, purpose=purpose)
            own = (effect["seat"], effect["count"], effect["after"])
            words = (game.identity, purpose, number, *own)
            effect["value"] = roll(seed, words, len(spread(effect["options"])))
            Roll.objects.filter(
                period__game=game,
                period__purpose=purpose,
                period__private=private,
                period__number=number,
                count=effect["count"],
            ).update(after=effect["after"], value=effect["value"])
    return effects


def another_seed(game: Game, number: int) -> tuple[str, str]:
    """A seed and its commitment, which fit each other and not the game."""
    seed = period_seed(game.identity.encode(), number)
    return seed.hex(), commitment(seed)
