"""The means to check the dice: commitments, seeds that are published, rolls."""

from typing import Any

from django.db.models import IntegerField, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from ninja.params.functions import Query

from nomic.dice.models import Roll
from nomic.web.api import shapes
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, the_game

MOST = 200

router = room("dice")


@router.get(f"{GAME}/dice", response=reading(shapes.Dice, malformed=True))
def dice(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only periods opened after this entry"),
    limit: int = Query(MOST, ge=1, description=f"How many periods at most; {MOST} are the most"),
) -> dict[str, Any]:
    """The periods of the dice, oldest first, each with its rolls; a seed once it is published.

    Periods that one entry opened are always given together, be they more than the limit.
    """
    game = the_game(request, slug)
    opened = game.dice_periods.order_by("opened_in", "private", "purpose")
    asked = opened.filter(opened_in__gt=after)
    most = min(limit, MOST)
    last = Subquery(asked.values("opened_in")[most - 1 : most])
    upto = Coalesce(last, HIGHEST, output_field=IntegerField())
    seen = Roll.objects.seen_by_all().order_by("sealed", "entry", "label")
    rolls = Prefetch("rolls", seen)
    periods = list(asked.filter(opened_in__lte=upto).prefetch_related(rolls))
    sealed = [each for period in periods for each in period.rolls.all() if each.sealed]
    if game.format >= 2 and sealed:
        # Rolls of private acts name the book and the number there: a number over all books would
        # tell how much is sealed in others.
        rows = game.sealed_entries.filter(seq__in={each.entry for each in sealed})
        places = {seq: place for seq, *place in rows.values_list("seq", "book", "number")}
        for each in sealed:
            vars(each)["book"], vars(each)["entry"] = places[each.entry]
    newest = opened.values_list("opened_in", flat=True).last()
    return {"game": game.identity, "periods": periods, "last": newest or 0}
