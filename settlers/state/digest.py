"""All state of the isle as plain values without database ids, to compare a replay by."""

from __future__ import annotations

from typing import Any

from nomic.engine.digest import plain_rows
from nomic.games.models import Game
from settlers.models import DOMAINS, Ally, Bribe, Isle, Offer, Settler, Visit

_ISLE = (
    "is_on", "begun_at", "production", "first", "second", "produced_at", "postponed_at", "deck",
    "arrival", "arrived_for", "visitor", "visitor_rule__title", "watchers",
)  # fmt: skip
_SETTLER = (
    "player__name", *DOMAINS, "buildings", "ready", "injured", "victim", "harvested_in",
    "traded_in", "used", "entry",
)  # fmt: skip
_OFFER = (
    "number", "by__player__name", "to__player__name", "gives", "takes", "entry", "end", "ended_in",
)  # fmt: skip
_VISIT = (
    "number", "visitor", "at", "entry", "sealed", "over_in", "over_after", "opened_in",
)  # fmt: skip


def digest(game: Game) -> dict[str, Any]:
    """Everything that the isle of that game has."""
    return {
        "isle": plain_rows(Isle.objects.filter(game=game), *_ISLE),
        "settlers": plain_rows(Settler.objects.filter(game=game), *_SETTLER),
        "alliances": plain_rows(
            Ally.objects.filter(settler__game=game), "settler__player__name", "other__player__name"
        ),
        "offers": plain_rows(Offer.objects.filter(game=game), *_OFFER),
        "visits": plain_rows(Visit.objects.filter(game=game), *_VISIT),
        "bribes": plain_rows(
            Bribe.objects.filter(settler__game=game), "settler__player__name", "items"
        ),
    }
