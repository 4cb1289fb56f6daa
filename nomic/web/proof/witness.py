"""Heads and receipts that people bring: whether they are of a record, and who has seen which.

What somebody brings may be anything. It is read if it is a head or a receipt; the answer says in a
sentence what it is worth.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery
from django.http import HttpRequest

from nomic.engine.outcomes import Busy, Receipt
from nomic.engine.restored import hold, mark_of
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.record.canonical import canonical_json
from nomic.record.chain import digest
from nomic.record.heads import FORMAT, RECORD, Head, is_of, read_head
from nomic.record.keys import has_signed, is_signed, key_named
from nomic.record.models import Entry, SeenHead
from nomic.web.rate_limits import is_too_often, place_of

MOST = 20  # that are read at once
LONGEST_NAME = 40
LONGEST = 20_000  # characters of all that is brought
AN_HOUR = 60  # times, from one address
PERIOD = 3600  # seconds
_MOST_KEPT = 500
_MOST_SHOWN = 200
MOST_STAMPS = 200  # that are shown: of ten years four
_HEX = frozenset("0123456789abcdef")
_NAMES = ("game", "book", "hash", "key")
_SAID = {"says", "number", "content", *_NAMES}
_UNREADABLE = (
    "This is neither a head nor a receipt. A head looks like 57:2f5a…: the number of an entry, a"
    " colon, the 64 digits of its hash, and perhaps more behind another colon. A receipt is the"
    " file as it was downloaded."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The worth of something that was brought. `head` is that of the public record that it names;
    `holds` whether it is of this game's record, `is_signed` whether this site has signed it."""

    brought: str
    sentence: str
    head: Head | None = None
    holds: bool = False
    is_signed: bool = False

    @property
    def is_fork(self) -> bool:
        """Whether it proves that another history of this game was told."""
        return self.is_signed and not self.holds


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement in a receipt, signed by the site: an entry of the record or of a sealed book."""

    said: Mapping[str, Any]
    signature: str
    opens: Any = None

    @property
    def head(self) -> Head | None:
        """The head of the public record that it names."""
        if self.said["book"] != RECORD:
            return None
        return Head(self.said["number"], self.said["hash"], self.said["key"], self.signature)


class TooOften(Exception):
    """More was brought from one address within the hour than is read."""


def judge_from(request: HttpRequest, game: Game, text: str, seen_by: Player | str) -> list[Verdict]:
    """A verdict on each thing in the text; it is kept that this player, or somebody who goes by
    that name, has seen the heads, unless the name is empty. Raises TooOften."""
    address = place_of(request, "nomic.web.proof.witness")
    if is_too_often(f"witness:{address}", AN_HOUR, PERIOD):
        raise TooOften
    verdicts = judge_all(game, text)
    if _hold_where_lost(game, verdicts):
        game.refresh_from_db(fields=("restored", "set_aside"))
        verdicts = judge_all(game, text)
    if seen_by:
        keep(game, seen_by, verdicts)
    return verdicts


def judge_all(game: Game, text: str) -> list[Verdict]:
    """A verdict on each thing in the text: heads between white space, or one file of receipts."""
    brought: list[Head | Statement | str] = []
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        brought += [read_head(word) or word for word in text.split()]
    else:
        files = (
            content["receipts"] if isinstance(content, dict) and "receipts" in content else content
        )
        for piece in (files if isinstance(files, list) else [files])[:MOST]:
            if isinstance(piece, str):
                brought.append(read_head(piece) or piece)
                continue
            signed = piece.get("signed") if isinstance(piece, dict) else None
            statements = signed if isinstance(signed, list) else [piece]
            brought += [_statement(part) or "a part of that file" for part in statements[:MOST]]
    return [_judge(game, piece) for piece in brought[:MOST]]


def _hold_where_lost(game: Game, verdicts: list[Verdict]) -> bool:
    """Let the game rest where this site has signed an entry beyond its last: the database was
    restored from a backup then, and lacks it. Whether it rests by that."""
    is_held = False
    for verdict in verdicts:
        head = verdict.head
        if head and verdict.is_fork and head.number > game.last_entry:
            with suppress(Busy):
                is_held |= hold(game.pk, head)
    return is_held


def _statement(piece: Any) -> Statement | None:
    if not isinstance(piece, dict) or not isinstance(statement := piece.get("said"), dict):
        return None
    signature, number = piece.get("signature"), statement.get("number")
    is_public = isinstance(number, int) and not isinstance(number, bool) and 0 < number < 2**31
    content = statement.get("content")
    if (
        statement.keys() != _SAID
        or statement["says"] != FORMAT
        or not all(
            isinstance(statement[name], str) and statement[name].isprintable() for name in _NAMES
        )
        or not (is_public if statement["book"] == RECORD else number is None)
        or not (_is_hex(statement["hash"], 64) and _is_hex(statement["key"], 16))
        or not (content is None or _is_hex(content, 64))
        or not isinstance(signature, str)
        or not _is_hex(signature, 128)
    ):
        return None
    return Statement(statement, signature, piece.get("opens"))


def _is_hex(text: Any, length: int) -> bool:
    return isinstance(text, str) and len(text) == length and _HEX.issuperset(text)


def _judge(game: Game, brought: Head | Statement | str) -> Verdict:
    if isinstance(brought, str):
        return Verdict(brought[:80].encode(errors="replace").decode(), _UNREADABLE)
    if isinstance(brought, Statement):
        return _judge_statement(game, brought)
    return _judge_head(game, brought, signed=has_signed(game, brought))


def _doubt(key: str) -> str:
    """Why a signature that names this key does not count; "" names none."""
    if not key:
        return (
            "It has no signature, so anybody could have written it: ask for the whole head or the"
            " receipt."
        )
    if key_named(key) is None:
        return f"It names the key {key}, which has never been one of this site's."
    return (
        "Its signature is not one of this site for this game: it was made up, it was changed on its"
        " way, or it is of another game."
    )


def _judge_head(game: Game, head: Head, *, signed: bool) -> Verdict:
    brought = f"{head.number}:{head.short}…"
    doubt = "" if signed else f" {_doubt(head.key)}"
    if is_of(game, head):
        sentence = f"Entry {head.number} of this record has this hash."
        signature_sentence = " This site has signed it." if signed else doubt
        return Verdict(brought, sentence + signature_sentence, head, holds=True, is_signed=signed)
    own_hash = game.entries.filter(seq=head.number).values_list("hash", flat=True).first()
    sentence = f"This record has no entry {head.number}: it ends with entry {game.last_entry}."
    if own_hash:
        sentence = f"Entry {head.number} of this record has another hash, {own_hash[:8]}…"
    if signed and (mark := mark_of(game, head.number)):
        sentence += (
            f" The site was restored from a backup, as entry {mark.seq} says: this head is of an"
            " entry that was lost."
        )
    elif signed and game.restored and head.number > game.last_entry:
        sentence += (
            " This site was restored from a backup, and has signed it before: this head is of an"
            " entry that was lost. Keep it until the record tells of the loss."
        )
    elif signed:
        sentence += (
            " This site has signed both: it has told two histories of this game. Keep this one, and"
            " show it to the other players."
        )
    return Verdict(brought, sentence + doubt, head, is_signed=signed)


def _judge_statement(game: Game, brought: Statement) -> Verdict:
    statement = brought.said
    name = f"{statement['book']} {statement['number'] or ''} {statement['hash'][:8]}…".replace(
        "record ", ""
    )
    if statement["game"] != game.identity:
        sentence = (
            f"This receipt is of another game, whose identity is {statement['game'][:40]}; that of"
            f" this game is {game.identity}. Bring it to the witness page of that one."
        )
        return Verdict(name, sentence)
    key = key_named(statement["key"])
    signed = key is not None and is_signed(
        canonical_json(dict(statement)), key.public, brought.signature
    )
    if brought.head:
        return _judge_head(game, brought.head, signed=signed)
    if not signed:
        return Verdict(name, _doubt(statement["key"]))
    sealed_entries = game.sealed_entries.filter(
        book=statement["book"], content_hash=statement["hash"]
    )
    if not sealed_entries.exists():
        sentence = (
            "This site has signed it, and no sealed book of this game has it: it was taken out."
        )
        return Verdict(name, sentence, is_signed=True)
    sentence = "The sealed book has this act under this hash, and this site has signed it."
    content = statement.get("content")
    if content is not None and brought.opens is not None:
        try:
            inside = digest(brought.opens)
        except (ValueError, TypeError, RecursionError):
            inside = ""
        if inside == content:
            sentence += " What the receipt opens is what was sealed."
        else:
            sentence += " But what the receipt opens is something else than what was sealed."
    return Verdict(name, sentence, holds=True, is_signed=True)


def keep(game: Game, seen_by: Player | str, verdicts: list[Verdict]) -> None:
    """Keep that this player, or somebody who goes by that name, has seen these heads.

    Of one player, and of all without a seat together, the newest 500 stay; what proves a fork does
    in any case.
    """
    player, name = (seen_by, "") if isinstance(seen_by, Player) else (None, seen_by)
    rows = [
        SeenHead(
            game=game,
            player=player,
            name=name,
            number=head.number,
            hash=head.hash,
            key=head.key if verdict.is_signed else "",
            signature=head.signature if verdict.is_signed else "",
            foreign=not verdict.holds,
            at=wall_now(),
        )
        for verdict in verdicts
        if (head := verdict.head)
    ]
    # Whoever brings a head that they brought before has seen it already: the first row stays.
    SeenHead.objects.bulk_create(rows, ignore_conflicts=True)
    droppable = game.seen_heads.filter(player=player).exclude(foreign=True, signature__gt="")
    old = droppable.order_by("-pk").values_list("pk", flat=True)[_MOST_KEPT:]
    game.seen_heads.filter(pk__in=list(old)).delete()


def doubt_of(receipt: Receipt, head: Head | None) -> str:
    """The sentence about the head that an act has named where the record has none such; it is kept
    that the actor has seen it. "" where all is well."""
    entry = receipt.entry
    saw = entry.saw or ()
    if head is None or receipt.repeated or len(saw) == 2 or is_of(entry.game, head):
        return ""
    [verdict] = judge_all(entry.game, str(head))
    _hold_where_lost(entry.game, [verdict])
    if isinstance(entry, Entry) and entry.actor:  # who acts in private is told to nobody
        keep(entry.game, entry.actor, [verdict])
    return f"Your page had shown another history of this game. {verdict.sentence}"


@dataclass(frozen=True, slots=True)
class Witness:
    """Somebody who has seen a head, at a wall moment, by an act where `entry` names one. `holds`
    tells whether the record has that head now."""

    who: str
    head: Head
    at: datetime
    holds: bool
    entry: int | None = None

    @property
    def is_signed(self) -> bool:
        """Whether it was kept with a signature of this site."""
        return bool(self.head.signature)


def witnesses(game: Game) -> list[Witness]:
    """Who has seen which head, the newest first: before all others who proves another history, at
    the end what people without a seat say whom nobody has to believe."""
    heads = game.seen_heads.select_related("player")
    by_strangers = heads.filter(player=None).order_by("foreign", "-pk")
    proving = by_strangers.filter(foreign=True, signature__gt="")
    seen_heads = {
        seen_head.pk: seen_head
        for group in (proving, heads.exclude(player=None), by_strangers)
        for seen_head in group[:_MOST_SHOWN]
    }
    sightings = [
        (seen_head.who, seen_head.head, seen_head.at, None) for seen_head in seen_heads.values()
    ]
    # The newest head that each player's acts have named.
    acts = game.entries.filter(actor=OuterRef("pk"), saw__isnull=False).order_by("-seq")
    players = game.players.annotate(
        head_seen=Subquery(acts.values("saw")[:1]),
        seen_at=Subquery(acts.values("recorded_at")[:1]),
        seen_in=Subquery(acts.values("seq")[:1]),
    )
    by_acting = players.exclude(seen_in=None).order_by("-seen_in")
    columns = by_acting.values_list("name", "head_seen", "seen_at", "seen_in")
    sightings += [(name, Head(*saw), at, entry) for name, saw, at, entry in columns[:_MOST_SHOWN]]
    numbers = {head.number for _, head, _, _ in sightings}
    hashes = dict(game.entries.filter(seq__in=numbers).values_list("seq", "hash"))
    strangers = {seen_head.name for seen_head in seen_heads.values() if seen_head.player is None}
    rows = [
        Witness(name, head, at, hashes.get(head.number) == head.hash, entry)
        for name, head, at, entry in sightings
    ]
    return sorted(rows, key=lambda witness: _rank(witness, strangers))[:_MOST_SHOWN]


def _rank(witness: Witness, strangers: set[str]) -> tuple[int, float]:
    """The place in the list: proofs of another history first, strangers' unproven ones last, each
    the newest first."""
    proves = witness.is_signed and not witness.holds
    nobodys = witness.who in strangers and not witness.holds
    return (0 if proves else 2 if nobodys else 1), -witness.at.timestamp()
