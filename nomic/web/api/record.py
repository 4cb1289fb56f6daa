"""The record: what happened, in order, each entry with the hash that ties it to the past."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Func, IntegerField, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from ninja.params.functions import Query

from nomic.record.models import Entry, SealedEntry
from nomic.web.api import shapes
from nomic.web.api.callers import caller_of
from nomic.web.api.found import the_game
from nomic.web.api.rooms import GAME, reading, room

MOST = 1000
MOST_BYTES = 1_000_000
HIGHEST = 2_147_483_647

router = room("record")


@router.get(f"{GAME}/record", response=reading(shapes.Record, malformed=True))
def record(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only entries after this number"),
    limit: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most"),
) -> dict[str, Any]:
    """Entries of the record after a number, oldest first.

    A page may end before its limit: where its entries come to about a megabyte. Ask again after
    the last one you got, until it is the `last` that there is.
    """
    game = the_game(caller_of(request), slug)
    entries = game.entries.filter(seq__gt=after, seq__lte=game.last_entry)
    end = _end_of_page(entries, min(limit, MOST))
    shown = entries.filter(seq__lte=end).select_related("actor").order_by("seq")
    return {"entries": shown, "last": game.last_entry}


@router.get(f"{GAME}/record/opened", response=reading(shapes.Opened, malformed=True))
def opened(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only sealed entries after this number"),
    limit: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most"),
) -> dict[str, Any]:
    """Sealed entries that have been opened, in their order, with all that their hashes are of."""
    game = the_game(caller_of(request), slug)
    entries = game.sealed_entries.filter(opened_in__isnull=False, seq__gt=after)
    end = _end_of_page(entries, min(limit, MOST))
    shown = entries.filter(seq__lte=end).select_related("actor").order_by("seq")
    return {"entries": shown}


class _Octets(Func):
    function = "octet_length"
    output_field = IntegerField()


def _end_of_page(entries: QuerySet[Entry] | QuerySet[SealedEntry], limit: int) -> int:
    """The number of the last entry that a page holds: at least one, and no more than it may."""
    size = _Octets("text") + sum(
        _Octets(Cast(F(name), TextField())) for name in ("inputs", "outcome")
    )
    end = total = 0
    for seq, octets in entries.order_by("seq").values_list("seq", size)[:limit]:
        total += octets
        if end and total > MOST_BYTES:
            break
        end = seq
    return end
