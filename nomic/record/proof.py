"""Checking what has been opened of the sealed book, from what is public alone."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from django.db.models import Case, F, When

from nomic.games.models import Game
from nomic.record.chain import content, digest, entry_hash, sealed_genesis
from nomic.record.models import ANCHOR, CONSEQUENCES, PART, SealedEntry

_AT_ONCE = 500
type _Named = set[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class OpenedProof:
    """The result of checking one opened entry. `wrong` is empty where all is as it was sealed."""

    entry: SealedEntry
    wrong: str = ""


def check_opened(game: Game) -> Iterator[OpenedProof]:
    """Check every opened entry of the game in its order; two queries for each 500 of them."""
    opened = game.sealed_entries.filter(opened_in__isnull=False).select_related("actor")
    announced: dict[int, _Named] = {}
    before: SealedEntry | None = None
    for entries in batched(opened.order_by("book", "number").iterator(_AT_ONCE), _AT_ONCE):
        for proof in check_these(game, entries, before, announced):
            before = proof.entry
            yield proof


def check_these(
    game: Game,
    entries: Sequence[SealedEntry],
    before: SealedEntry | None = None,
    announced: dict[int, _Named] | None = None,
) -> list[OpenedProof]:
    """Check these opened entries, in their order: by their own hashes, by the hash of the one
    before where that is open, by the entry that opened them, and by the public entry after them.

    `before` is the opened entry before the first; `announced` keeps what was read of the record.
    """
    announced = {} if announced is None else announced
    openers = {entry.opened_in for entry in entries if entry.opened_in} - announced.keys()
    wanted = openers | {entry.after + 1 for entry in entries}
    pairs = Case(When(seq__in=openers, then=F("outcome__opened")), default=None)
    public_entries = game.entries.filter(seq__in=wanted).annotate(pairs=pairs)
    following: dict[int, tuple[dict[str, str], str]] = {}
    announced |= {seq: set() for seq in openers}
    columns = ("seq", "anchors", "outcome__part", "pairs")
    for seq, anchors, part, named in public_entries.values_list(*columns):
        following[seq] = anchors, str(part)
        if seq in openers:
            announced[seq] = {tuple(pair) for pair in named or ()}
    proofs = []
    for entry in entries:
        opener, head = entry.opened_in or 0, entry.prev_hash
        if entry.number == 1:
            head = sealed_genesis(game.identity, entry.book)
        elif before and (before.book, before.number) == (entry.book, entry.number - 1):
            head = before.hash
        if entry_hash(entry) != entry.hash:
            wrong = f"{entry.label} is not what its hash says"
        elif head != entry.prev_hash:
            wrong = f"{entry.label} does not name the hash of the one before it"
        elif entry.named_by not in announced.get(opener, ()):
            wrong = f"entry {opener} does not say that it opened {entry.label}"
        else:
            wrong = _is_not_named(entry, following.get(entry.after + 1))
        proofs.append(OpenedProof(entry, wrong))
        before = entry
    return proofs


def left_out(game: Game) -> str:
    """The first sealed number that an opening ought to account for and does not."""
    anchors = defaultdict(list)
    blank = game.sealed_entries.filter(name=ANCHOR)
    for book, number, after in blank.values_list("book", "number", "after"):
        anchors[book].append((number, after))
    accounted_by_book, last = defaultdict(set), {}
    openings = game.entries.filter(outcome__has_any_keys=["opened", "closed"])
    for seq, opened, closed in openings.values_list("seq", "outcome__opened", "outcome__closed"):
        for book, number, *_ in [*(opened or ()), *(closed or ())]:
            accounted_by_book[book].add(number)
            last[book] = seq
    accounted = {}
    # A long book is opened in several entries, all together.
    for book, numbers in accounted_by_book.items():
        reach = last[book] + ("/" in book)  # one that is opened by itself is opened whole
        before = [number for number, after in anchors[book] if after + 1 < reach]
        accounted[book] = max((*numbers, *before))
        if odd := numbers ^ {*range(1, accounted[book] + 1)}:
            missing = f"does not account for sealed entry {min(odd)} of “{book}”"
            return f"entry {last[book]} {missing}"
    kept_closed = game.sealed_entries.filter(book__in=accounted, opened_in=None)
    for entry in kept_closed.exclude(name__in=CONSEQUENCES):
        if entry.number <= accounted[entry.book]:
            return f"{entry.label} is an act that was left out of the opening"
    return ""


def _is_not_named(entry: SealedEntry, following: tuple[dict[str, str], str] | None) -> str:
    """The fault of the public entry for which it was sealed, in a sentence, where that does not
    name it as its head or part; "" where it does."""
    if entry.name not in (ANCHOR, PART):
        return ""
    heads, part = following or ({}, "")
    if entry.name == ANCHOR and heads.get(entry.book) == entry.hash:
        return ""
    if entry.name == PART and part == digest(content(entry)):
        return ""
    return f"entry {entry.after + 1} does not name {entry.label}"
