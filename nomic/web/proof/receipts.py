"""Receipts: what a player did, signed, with all that its hash is of.

None is kept: each is made anew from the record when it is asked for, and comes out the same.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q

from nomic.engine.actions import find_action
from nomic.engine.outcomes import UnknownAction
from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.record.chain import content, digest
from nomic.record.heads import FORMAT, RECORD, statement
from nomic.record.keys import sign, signer
from nomic.record.models import CONSEQUENCES, PART, Entry, SealedEntry
from nomic.web.paging import number_of

HIGHEST = 2_147_483_647  # of PostgreSQL's integers, which number the record
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Signed:
    """The site's statement of one entry, with its signature. `opens` is the content of a sealed
    one, which has the hash that is signed; nobody but its actor gets it."""

    said: dict[str, Any]
    signature: str
    opens: dict[str, Any] | None = None

    @property
    def told(self) -> dict[str, Any]:
        """The statement as files and the API have it; `opens` stands there of a sealed entry
        alone."""
        opens = {} if self.opens is None else {"opens": self.opens}
        return {"said": self.said, "signature": self.signature, **opens}


@dataclass(frozen=True, slots=True)
class SignedAct:
    """One act of a player: its entry of the record, what the sealed book has of it, or both."""

    entry: Entry | None
    sealed: SealedEntry | None = None

    @property
    def shown(self) -> Entry | SealedEntry:
        """The entry of the record; of a private act the sealed one."""
        entry = self.entry or self.sealed
        assert entry is not None
        return entry

    @property
    def named(self) -> str:
        """Its number in the record; of a private act its hash, since its number is not told."""
        return str(self.entry.seq) if self.entry else self.hash

    @property
    def hash(self) -> str:
        """The hash that is told of the act: of its entry, or the sealed one's content."""
        entry = self.shown
        return entry.hash if isinstance(entry, Entry) else entry.content_hash

    @property
    def place(self) -> tuple[int, int]:
        """The place among the player's acts, by number in the record and then in the sealed
        book."""
        if self.entry:
            return self.entry.seq, 0
        assert self.sealed is not None
        return self.sealed.after + 1, self.sealed.seq


def signed_entry(game: Game, entry: Entry | SealedEntry) -> Signed:
    """The site's statement of that entry; for its actor alone where it is sealed."""
    book, head, opens = RECORD, entry.hash, None
    number: int | None = entry.seq
    if isinstance(entry, SealedEntry):
        book, number, head = entry.book, None, entry.content_hash
        opens = content(entry)
    key, inside = signer(), None if opens is None else digest(opens)
    signature = sign(game.identity, book, number, head, key.public, inside)
    signed_statement = json.loads(statement(game.identity, book, number, head, key.id, inside))
    return Signed(signed_statement, signature, opens)


def tag_of(entry: Entry | SealedEntry) -> str:
    """The receipt in one line, as what is told to who acted carries it: number (none for a sealed
    one), hash, key and signature."""
    signed = signed_entry(entry.game, entry)
    number = signed.said["number"] or ""
    return f"{number}:{signed.said['hash']}:{signed.said['key']}:{signed.signature}"


def receipt(game: Game, act: SignedAct) -> dict[str, Any]:
    """The receipt of that act, as a file: `signed` are the statements of the site about it."""
    signed = [signed_entry(game, part).told for part in (act.entry, act.sealed) if part]
    entry: dict[str, Any] = {}
    if act.entry:  # with all that its hash is of
        place = {name: getattr(act.entry, name) for name in ("seq", "kind", "prev_hash", "hash")}
        entry["entry"] = {**content(act.entry), **place, "at": iso(act.entry.at)}
    about = {"format": FORMAT, "site": settings.ADDRESS, "slug": game.slug}
    return {**about, "public_key": signer().public, "signed": signed, **entry}


def act_named(game: Game, player: Player, named: str) -> SignedAct | None:
    """The player's act of that number, or, where it is private, of that hash."""
    number = number_of(named)
    if number is not None:
        return next(iter(_acts(game, player, Q(seq=number), Q(after=number - 1, name=PART))), None)
    private = _acts(game, player, Q(pk=None), ~Q(name__in=CONSEQUENCES))
    return next((act for act in private if act.hash == named), None)


def newest_acts(
    game: Game, player: Player, before: int | None, count: int
) -> tuple[list[SignedAct], int | None]:
    """The newest acts of the player before that number of the record, and that at which older ones
    end. What was private stands where the entry after it does, and is never parted from it."""
    limit = HIGHEST if before is None else before
    public, sealed = Q(seq__lt=limit), Q(after__lt=limit - 1)
    acts = game.entries.filter(public, actor=player).order_by("-seq").values_list("seq", flat=True)
    sealed_entries = game.sealed_entries.filter(sealed, actor=player).order_by("-after")
    hidden = sealed_entries.values_list("after", flat=True).distinct()
    numbers = {*acts[: count + 1], *(after + 1 for after in hidden[: count + 1])}
    places = sorted(numbers, reverse=True)
    if len(places) <= count:
        return _acts(game, player, public, sealed), None
    low = places[count - 1]
    return _acts(game, player, public & Q(seq__gte=low), sealed & Q(after__gte=low - 1)), low


def all_acts(game: Game, player: Player) -> Iterator[SignedAct]:
    """Every act of the player, newest first."""
    before: int | None = HIGHEST
    while before is not None:
        acts, before = newest_acts(game, player, before, _AT_ONCE)
        yield from acts


def _acts(game: Game, player: Player, public: Q, sealed: Q) -> list[SignedAct]:
    """Those of the player's acts that are so in the record, or so in the sealed book."""
    book = game.entries.select_related("game", "actor")
    entries = {entry.seq: entry for entry in book.filter(public, actor=player)}
    theirs = game.sealed_entries.filter(sealed, actor=player).order_by("-seq")
    sealed_entries = theirs.select_related("game", "actor")
    own_sealed = []
    for sealed_entry in sealed_entries:
        name, inputs = sealed_entry.name, sealed_entry.inputs
        if name == PART:
            read_by_all = entries.get(sealed_entry.after + 1)
            name = sealed_entry.outcome["of"]
            inputs = {**inputs, **(read_by_all.inputs if read_by_all else {})}
        is_an_offices = False  # where it is, its knowledge stays with the office
        with suppress(UnknownAction):
            is_an_offices = find_action(name).is_an_offices(inputs)
        if not is_an_offices:
            own_sealed.append(sealed_entry)
    parts = {part.after + 1: part for part in own_sealed if part.name == PART}
    hidden = parts.keys() - entries.keys()  # those whose actor the record does not name
    entries |= {entry.seq: entry for entry in book.filter(seq__in=hidden)}
    acts = [SignedAct(entry, parts.get(entry.seq)) for entry in entries.values()]
    acts += [
        SignedAct(None, sealed_entry)
        for sealed_entry in own_sealed
        if sealed_entry.name not in CONSEQUENCES
    ]
    return sorted(acts, key=lambda act: act.place, reverse=True)
