"""Visits of the Thug whose bribes have been opened, for programs."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Schema

from nomic.web.api.rooms import GAME, HIGHEST, reading, room, the_page
from nomic.web.record_shapes import Moment
from settlers.web.disclosed import disclosed_visit

router = room("subgames")


class ShareInVisit(Schema):
    """A Settler's part in a visit: the bribe that they told, what was paid of it, its value, and
    whether the Thug came to them."""

    name: str
    bribe: str
    paid: str
    value: int | None
    target: bool
    victim: bool


class BribeTold(Schema):
    """A bribe as it was told, by its number in the sealed book; of several the last `counts`."""

    at: Moment
    number: int
    name: str
    bribe: str
    counts: bool


class DisclosedVisit(Schema):
    """A past visit: who was Thug, the entries in which it began, was over and was opened, each
    Settler's part, and every bribe. `has_collected` is false where the Thug left without it."""

    number: int
    visitor: str
    entry: int
    over_in: int
    opened_in: int
    has_collected: bool
    shares: list[ShareInVisit]
    more_shares: int
    bribes: list[BribeTold]
    more_bribes: int


@router.get(f"{GAME}/settlers/visits/{{int:number}}", response=reading(DisclosedVisit))
def visit(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """A past visit whose bribes have been opened; 404 while they are sealed."""
    facts = disclosed_visit(the_page(request, slug).game, min(number, HIGHEST))
    if facts is None:
        raise Http404(f"What visit {number} may have sealed has not been opened.")
    columns = ("number", "visitor", "entry", "over_in", "opened_in")
    return {**facts, **{name: getattr(facts["visit"], name) for name in columns}}
