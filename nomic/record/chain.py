"""The canonical form of an entry and its hash; docs/record-format.md says the same in prose.

A game's format says which: format 1 hashes an entry whole, format 2 hashes a header that holds the
hash of the content.
"""

import hashlib
import json
from typing import Any

from nomic.games.clock import iso
from nomic.record.canonical import canonical_json, tells_numbers_otherwise
from nomic.record.models import Entry, SealedEntry

_SAFE = 2**53 - 1


def genesis(identity: str, book: str = "record") -> str:
    """The hash that comes before the first entry of a game's `record` or `sealed` book."""
    return hashlib.sha256(f"nomic {book} of {identity}".encode()).hexdigest()


def sealed_genesis(identity: str, book: str) -> str:
    """The hash that comes before the first entry of a game's sealed book: the one of format 1,
    which has no name, or that of a subgame."""
    return genesis(identity, f"sealed book {book}" if book else "sealed book")


def book_of(name: str) -> str:
    """The subgame whose action or event goes by that name, after which its sealed book is named."""
    return name.partition(".")[0]


def canonical(content: dict[str, Any] | list[Any] | int, form: int) -> bytes:
    """The bytes that are hashed: JSON in UTF-8 with sorted keys and no spaces; RFC 8785 from
    format 2 on."""
    if form >= 2:
        return canonical_json(content)
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def as_stored(values: dict[str, Any], form: int) -> dict[str, Any]:
    """The values as they come back from JSON, so that the hash is of what will be read.

    From format 2 on a whole number is an integer, or a text where not every language can hold it.
    """
    written = json.dumps(values, separators=(",", ":"))
    is_plain = form < 2 or not tells_numbers_otherwise(written)
    read: dict[str, Any] = json.loads(written, **({} if is_plain else _PORTABLE))
    return read


def _whole(number: int) -> int | str:
    return number if abs(number) <= _SAFE else str(number)


_PORTABLE: dict[str, Any] = {
    "parse_int": lambda text: _whole(int(text)),
    "parse_float": lambda text: _whole(int(n)) if (n := float(text)).is_integer() else n,
}


def digest(content: dict[str, Any], form: int) -> str:
    """SHA-256 over the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(content, form)).hexdigest()


def content(entry: Entry | SealedEntry) -> dict[str, Any]:
    """The content of an entry, and of a sealed one its salt: in format 1 its hash is of this, in
    format 2 the content's hash."""
    told = {
        "recorded_at": iso(entry.recorded_at),
        "name": entry.name,
        "actor": entry.actor_name,
        "inputs": entry.inputs,
        "outcome": entry.outcome,
        "text": entry.text,
        "rule": entry.rule,
    }
    if entry.game.format >= 2:
        told |= {"saw": entry.saw, "nonce": entry.nonce, "effects": entry.effects}
    else:
        told |= {"game": entry.game.identity, "seq": entry.seq, "prev_hash": entry.prev_hash}
    if isinstance(entry, SealedEntry):
        return {**told, "after": entry.after, "at": iso(entry.at), "salt": entry.salt}
    if entry.game.format >= 2:
        return {**told, "anchors": entry.anchors}
    return {**told, "at": iso(entry.at), "kind": entry.kind, "sealed_head": entry.sealed_head}


def header(entry: Entry | SealedEntry, content_hash: str) -> dict[str, Any]:
    """The header of an entry of format 2, of which its hash is; a sealed one's tells nothing of
    what was done."""
    own: dict[str, Any]
    if isinstance(entry, SealedEntry):
        own = {"book": entry.book, "number": entry.number, "tag": entry.tag}
    else:
        own = {"seq": entry.seq, "at": iso(entry.at), "kind": entry.kind}
        own["subgame"] = book_of(entry.name)
    chained = {"prev_hash": entry.prev_hash, "content": content_hash}
    return {"game": entry.game.identity, **own, **chained}


def text_of(entry: Entry | SealedEntry) -> bytes:
    """The canonical form of an entry's content."""
    return canonical(content(entry), entry.game.format)


def entry_hash(entry: Entry | SealedEntry, text: bytes | None = None) -> str:
    """The hash of an entry, which is only its content's in format 1. `text` is the content's
    canonical form, where it is at hand."""
    form, hashed = entry.game.format, hashlib.sha256(text or text_of(entry)).hexdigest()
    return digest(header(entry, hashed), form) if form >= 2 else hashed


def told_hash(entry: SealedEntry) -> str:
    """The hash by which the actor of a sealed entry, and the public entry whose part it is, know
    it: from format 2 on that of its content. Its own is of its number and the hash before, too,
    which whoever knows the content could find by trying, and so how much others did."""
    if entry.game.format < 2:
        return entry.hash
    return digest(content(entry), entry.game.format)
