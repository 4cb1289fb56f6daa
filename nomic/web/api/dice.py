"""What is needed to check the dice: commitments, seeds that are published, rolls."""

from __future__ import annotations

from typing import Any

from django.db.models import IntegerField, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from ninja.params.functions import Query

from nomic.dice.models import Period, Roll
from nomic.web.api import shapes
from nomic.web.api.answers import answer
from nomic.web.api.found import the_game
from nomic.web.api.record import HIGHEST
from nomic.web.api.rooms import GAME, reading, room

MOST = 200

router = room("dice")


@router.get(f"{GAME}/dice", response=reading(shapes.Dice, malformed=True))
def dice(
    request: HttpRequest,
    slug: str,
    after: int = Query(0, ge=0, le=HIGHEST, description="Only periods opened after this entry"),
    limit: int = Query(MOST, ge=1, description=f"How many periods at most; {MOST} are the most"),
) -> HttpResponse:
    """The periods of the dice, oldest first, each with its rolls; a seed once it is published.

    Periods that one entry opened are always given together, be they more than the limit.
    """
    game = the_game(slug)
    opened = game.dice_periods.order_by("opened_in", "private", "purpose")
    asked = opened.filter(opened_in__gt=after)
    most = min(limit, MOST)
    last = Subquery(asked.values("opened_in")[most - 1 : most])
    upto = Coalesce(last, HIGHEST, output_field=IntegerField())
    periods = list(asked.filter(opened_in__lte=upto))
    newest = opened.values_list("opened_in", flat=True).last()
    rolls = _rolls(periods)
    shown = [_period(period, rolls.get(period.pk, [])) for period in periods]
    return answer({"game": game.identity, "periods": shown, "last": newest or 0})


def _rolls(periods: list[Period]) -> dict[int, list[dict[str, Any]]]:
    """The rolls that may be seen: a private period's are nobody's business before its seed."""
    shown = Roll.objects.filter(Q(period__private=False) | Q(period__seed__isnull=False))
    found: dict[int, list[dict[str, Any]]] = {}
    for roll in shown.filter(period__in=periods).order_by("sealed", "entry", "label"):
        found.setdefault(roll.period_id, []).append(
            {
                "entry": roll.entry,
                "sealed": roll.sealed,
                "label": roll.label,
                "options": roll.options,
                "value": roll.value,
            }
        )
    return found


def _period(period: Period, rolls: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "number": period.number,
        "private": period.private,
        "purpose": period.purpose,
        "commitment": period.commitment,
        "opened_in": period.opened_in,
        "seed": period.seed,
        "closed_in": period.closed_in,
        "rolls": rolls,
    }
