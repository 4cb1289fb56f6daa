"""The canonical form of an entry and its hash; docs/record-format.md says the same in prose.

The hash is of a header that holds the hash of the content.
"""

import hashlib
import json
from typing import Any

from nomic.games.clock import iso
from nomic.record.canonical import canonical_json
from nomic.record.models import Entry, SealedEntry

_SAFE = 2**53 - 1


def genesis(identity: str, book: str = "record") -> str:
    """The hash that comes before the first entry of a game's `record` or `sealed` book."""
    return hashlib.sha256(f"nomic {book} of {identity}".encode()).hexdigest()


def sealed_genesis(identity: str, book: str) -> str:
    """The hash that comes before the first entry of that sealed book of a game."""
    return genesis(identity, f"sealed book {book}")


def book_of(name: str) -> str:
    """The subgame whose action or event goes by that name, after which its sealed book is named."""
    return name.partition(".")[0]


def as_stored(values: dict[str, Any]) -> dict[str, Any]:
    """The values as they come back from JSON, so that the hash is of what will be read.

    A whole number is an integer, or a text where not every language can hold it.
    """
    stored: dict[str, Any] = json.loads(json.dumps(values), **_PORTABLE)
    return stored


def _whole(number: int) -> int | str:
    return number if abs(number) <= _SAFE else str(number)


_PORTABLE: dict[str, Any] = {
    "parse_int": lambda text: _whole(int(text)),
    "parse_float": lambda text: _whole(int(n)) if (n := float(text)).is_integer() else n,
}


def nonce_of(key: str) -> str:
    """The hash by which a record tells the key that a browser or program chose for its act: SHA-256
    in hexadecimal, "" where it chose none."""
    return hashlib.sha256(key.encode()).hexdigest() if key else ""


def digest(content: dict[str, Any]) -> str:
    """SHA-256 over the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical_json(content)).hexdigest()


def content(entry: Entry | SealedEntry) -> dict[str, Any]:
    """The content of an entry, and of a sealed one its salt."""
    written = {
        "recorded_at": iso(entry.recorded_at),
        "name": entry.name,
        "actor": entry.actor_name,
        "inputs": entry.inputs,
        "outcome": entry.outcome,
        "text": entry.text,
        "rule": entry.rule,
        "effects": entry.effects,
        "saw": entry.saw,
        "nonce": entry.nonce,
    }
    if isinstance(entry, SealedEntry):
        return {**written, "after": entry.after, "at": iso(entry.at), "salt": entry.salt}
    return {**written, "anchors": entry.anchors}


def header(entry: Entry | SealedEntry, content_hash: str) -> dict[str, Any]:
    """The header of an entry, of which its hash is; a sealed one's tells nothing of what was
    done."""
    place: dict[str, Any]
    if isinstance(entry, SealedEntry):
        place = {"book": entry.book, "number": entry.number, "tag": entry.tag}
    else:
        place = {"seq": entry.seq, "at": iso(entry.at), "kind": entry.kind}
        place["subgame"] = book_of(entry.name)
    chained = {"prev_hash": entry.prev_hash, "content": content_hash}
    return {"game": entry.game.identity, **place, **chained}


def text_of(entry: Entry | SealedEntry) -> bytes:
    """The canonical form of an entry's content."""
    return canonical_json(content(entry))


def entry_hash(entry: Entry | SealedEntry, text: bytes | None = None) -> str:
    """The hash of an entry. `text` is its content's canonical form, where it is at hand."""
    return digest(header(entry, hashlib.sha256(text or text_of(entry)).hexdigest()))
