"""Checking what has been opened of the sealed book, from what is public alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import batched

from django.db.models import Case, F, When

from nomic.games.models import Game
from nomic.record.chain import genesis, sealed_hash
from nomic.record.models import PART, SealedEntry
from nomic.record.writer import ANCHOR

_AT_ONCE = 500
type _Named = set[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class OpenedProof:
    """What the check of one opened entry found. `wrong` is empty where all is as it was sealed."""

    entry: SealedEntry
    wrong: str = ""


def check_opened(game: Game) -> Iterator[OpenedProof]:
    """Check every opened entry of the game in its order; two queries for each 500 of them."""
    opened = game.sealed_entries.filter(opened_in__isnull=False).select_related("actor")
    announced: dict[int, _Named] = {}
    before: SealedEntry | None = None
    for entries in batched(opened.order_by("seq").iterator(_AT_ONCE), _AT_ONCE):
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
    openers = {each.opened_in for each in entries if each.opened_in} - announced.keys()
    wanted = openers | {each.after + 1 for each in entries}
    pairs = Case(When(seq__in=openers, then=F("outcome__opened")), default=None)
    found = game.entries.filter(seq__in=wanted).annotate(pairs=pairs)
    following: dict[int, tuple[str, str]] = {}
    announced |= {seq: set() for seq in openers}
    for seq, head, part, named in found.values_list("seq", "sealed_head", "outcome__part", "pairs"):
        following[seq] = head, str(part)
        if seq in openers:
            announced[seq] = {(seq, number, digest) for number, digest in named or ()}
    proofs = []
    for each in entries:
        wrong = (
            _is_other(game, each)
            or _does_not_follow(game, each, before)
            or _was_not_announced(each, announced)
            or _is_not_named(each, following.get(each.after + 1))
        )
        proofs.append(OpenedProof(each, wrong))
        before = each
    return proofs


def _is_other(game: Game, entry: SealedEntry) -> str:
    actor = entry.actor.name if entry.actor else None
    if sealed_hash(game.identity, entry, actor) == entry.hash:
        return ""
    return f"sealed entry {entry.seq} is not what its hash says"


def _does_not_follow(game: Game, entry: SealedEntry, before: SealedEntry | None) -> str:
    head = entry.prev_hash
    if entry.seq == 1:
        head = genesis(game.identity, "sealed book")
    elif before is not None and before.seq == entry.seq - 1:
        head = before.hash
    if head == entry.prev_hash:
        return ""
    return f"sealed entry {entry.seq} does not name the hash of the one before it"


def _was_not_announced(entry: SealedEntry, announced: dict[int, _Named]) -> str:
    opener = entry.opened_in or 0
    if (opener, entry.seq, entry.hash) in announced.get(opener, ()):
        return ""
    return f"entry {opener} does not say that it opened sealed entry {entry.seq}"


def _is_not_named(entry: SealedEntry, following: tuple[str, str] | None) -> str:
    """What is wrong with what the public entry says for which it was sealed: its head and part."""
    if entry.name not in (ANCHOR, PART):
        return ""
    head, part = following or ("", "")
    said = head if entry.name == ANCHOR else part
    if said == entry.hash:
        return ""
    return f"entry {entry.after + 1} does not name sealed entry {entry.seq}"
