"""The record: what happened, in order, each entry with the hash that ties it to the past."""

from typing import Any

from django.db.models import F, Func, IntegerField, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from ninja.params.functions import Query

from nomic.web.api import shapes
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, the_record_of

MOST = 1000
MOST_BYTES = 1_000_000

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
    game = the_record_of(request, slug)
    entries = game.entries.filter(seq__gt=after, seq__lte=game.last_entry)
    shown = _a_page(entries.select_related("actor").order_by("seq"), min(limit, MOST))
    return {"entries": shown, "last": game.last_entry}


@router.get(f"{GAME}/record/opened", response=reading(shapes.Opened, malformed=True))
def opened(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only sealed entries after this number"),
    limit: int = Query(MOST, ge=1, description=f"How many at most; {MOST} are the most"),
    book: str = Query("", description="Of that sealed book; without it the first of all of them"),
) -> dict[str, Any]:
    """Sealed entries that have been opened, in their order, with all that their hashes are of.

    In a record of format 2 numbers count in each book by itself: name the book to go on.
    """
    game = the_record_of(request, slug)
    counted = "seq" if game.format == 1 else "number"
    entries = game.sealed_entries.filter(opened_in__isnull=False, **{f"{counted}__gt": after})
    named = entries.filter(book=book) if book else entries
    ordered = named.select_related("actor").order_by("book", counted)
    return {"entries": _a_page(ordered, min(limit, MOST))}


class _Octets(Func):
    function = "octet_length"
    output_field = IntegerField()


def _a_page(entries: QuerySet[Any], limit: int) -> QuerySet[Any]:
    """The first of these, in their order, that a page holds: one at least."""
    size = _Octets("text") + sum(
        _Octets(Cast(F(name), TextField())) for name in ("inputs", "outcome", "effects")
    )
    count = total = 0
    for octets in entries.values_list(size, flat=True)[:limit]:
        total += octets
        if count and total > MOST_BYTES:
            break
        count += 1
    return entries[:count]
