"""How the isle stands, as plain values: what the API answers and the report is made from."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Subquery

from nomic.engine.table import Table
from nomic.games.models import Player
from settlers.models import Offer
from settlers.rules.isle import Settler
from settlers.secrecy import Told, bribes_seen_by, own_bribe
from settlers.state.reading import state_of

MOST_OFFERS = 500


def isle_state(table: Table, viewer: Player | None = None) -> dict[str, Any] | None:
    """The isle for `…/settlers` of the API, as that viewer may see it; None in a game without one.

    `mine` is the viewer's own bribe, None for who is no Settler and while no Thug is known. The
    key `bribes` is there only for who has been the Onlooker since before the visit began.
    """
    state = state_of(table)
    if not state.is_on:
        return None
    isle, settlers = state.isle, state.settlers
    offers, in_all = offers_told(table)
    mine, bribes = own_bribe(table, viewer), bribes_seen_by(table, viewer)
    told = {
        "visitor": isle.visitor,
        "production": isle.production,
        "results": list(state.results or ()),
        "deck": isle.deck,
        "injured": sorted(each.name for each in settlers if each.injured),
        "victims": sorted(each.name for each in settlers if each.victim),
        "settlers": {each.name: settler_told(each) for each in settlers},
        "offers": offers,
        "offers_in_all": in_all,
        "mine": None if mine is None else _told(mine),
    }
    if bribes is not None:
        told["bribes"] = {name: _told(bribe) for name, bribe in bribes.items()}
    return told


def settler_told(settler: Settler) -> dict[str, Any]:
    """What everybody may see of a Settler."""
    return {
        "stockpile": dict(settler.stockpile),
        "domains": dict(settler.domains),
        "buildings": list(settler.buildings),
        "ready": settler.ready,
        "harvested": settler.harvested,
        "traded": settler.traded,
        "used": sorted(settler.used),
        "alliance": sorted(settler.alliance),
    }


def offers_told(table: Table) -> tuple[list[dict[str, Any]], int]:
    """The open trade offers, the oldest first, at most 500; and how many there are in all."""
    offers = Offer.objects.filter(game=table.game, end="")
    count = offers.order_by().values("game").annotate(count=Count("pk")).values("count")
    rows = offers.order_by("number").values_list(
        Subquery(count), "number", "by__player__name", "to__player__name", "gives", "takes"
    )
    names = ("number", "by", "to", "give", "take")
    found = list(rows[:MOST_OFFERS])
    told = [dict(zip(names, row, strict=True)) for _, *row in found]
    return told, found[0][0] if found else 0


def _told(bribe: Told) -> dict[str, Any]:
    return {"bribe": dict(bribe.items), "bribe_value": bribe.value}
