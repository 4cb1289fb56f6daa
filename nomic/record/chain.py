"""The canonical form of an entry and its hash; docs/record-format.md says the same in prose."""

import hashlib
import json
from typing import Any

from nomic.games.clock import iso
from nomic.record.models import Entry, SealedEntry


def genesis(identity: str, book: str = "record") -> str:
    """The hash that comes before the first entry of a game's `record` or `sealed` book."""
    return hashlib.sha256(f"nomic {book} of {identity}".encode()).hexdigest()


def canonical(content: dict[str, Any]) -> bytes:
    """JSON in UTF-8 with sorted keys, no spaces and no escapes but those that JSON requires."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(content: dict[str, Any]) -> str:
    """SHA-256 over the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(content)).hexdigest()


def content(identity: str, entry: Entry, actor: str | None) -> dict[str, Any]:
    """All that a public entry's hash is of; `actor` is a name."""
    return {
        "game": identity,
        "seq": entry.seq,
        "at": iso(entry.at),
        "recorded_at": iso(entry.recorded_at),
        "kind": entry.kind,
        "name": entry.name,
        "actor": actor,
        "inputs": entry.inputs,
        "outcome": entry.outcome,
        "text": entry.text,
        "rule": entry.rule,
        "sealed_head": entry.sealed_head,
        "prev_hash": entry.prev_hash,
    }


def entry_hash(identity: str, entry: Entry, actor: str | None) -> str:
    """The hash of a public entry of the game with that identity, `actor` being a name."""
    return digest(content(identity, entry, actor))


def sealed_hash(identity: str, entry: SealedEntry, actor: str | None) -> str:
    """The hash of a sealed entry; its salt is part of it."""
    return digest(
        {
            "game": identity,
            "seq": entry.seq,
            "after": entry.after,
            "at": iso(entry.at),
            "recorded_at": iso(entry.recorded_at),
            "name": entry.name,
            "actor": actor,
            "inputs": entry.inputs,
            "outcome": entry.outcome,
            "text": entry.text,
            "rule": entry.rule,
            "salt": entry.salt,
            "prev_hash": entry.prev_hash,
        }
    )
