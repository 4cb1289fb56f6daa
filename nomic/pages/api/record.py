"""The record: what happened, in order, each entry with the hash that ties it to the past."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja.params.functions import Query

from nomic.games.clock import iso
from nomic.pages.api import shapes
from nomic.pages.api.answers import answer
from nomic.pages.api.found import the_game
from nomic.pages.api.rooms import GAME, reading, room
from nomic.record.models import Entry, Kind, SealedEntry

MOST = 1000
HIGHEST = 2_147_483_647

router = room("record")


@router.get(f"{GAME}/record", response=reading(shapes.Record, malformed=True))
def record(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only entries after this number"),
    limit: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most"),
) -> HttpResponse:
    """Entries of the record after a number, oldest first. Ask again after the last one you got."""
    game = the_game(slug)
    entries = game.entries.filter(seq__gt=after, seq__lte=game.last_entry)
    shown = entries.select_related("actor").order_by("seq")[: min(limit, MOST)]
    return answer({"entries": [as_json(entry) for entry in shown], "last": game.last_entry})


def as_json(entry: Entry | SealedEntry) -> dict[str, Any]:
    """An entry as the API tells it; a sealed one without its place in the sealed book."""
    sealed = isinstance(entry, SealedEntry)
    return {
        "seq": None if sealed else entry.seq,
        "at": iso(entry.at),
        "recorded_at": iso(entry.recorded_at),
        "kind": Kind.ACTION.value if isinstance(entry, SealedEntry) else str(entry.kind),
        "name": entry.name,
        "actor": entry.actor.name if entry.actor else None,
        "inputs": entry.inputs,
        "outcome": entry.outcome,
        "text": entry.text,
        "rule": entry.rule,
        "sealed_head": "" if isinstance(entry, SealedEntry) else entry.sealed_head,
        "prev_hash": None if sealed else entry.prev_hash,
        "hash": entry.hash,
    }
