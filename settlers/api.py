"""How the isle stands, as plain values: what the API answers and the report is made from."""

from nomic.engine.table import Table
from nomic.games.models import Player
from settlers.rules.isle import Settler
from settlers.secrecy import ValuedBribe, bribes_seen_by, own_bribe
from settlers.shapes import BribeShape, IsleShape, SettlerShape, TradeOfferShape
from settlers.state.reading import state_of

MOST_OFFERS = 500


def isle_state(table: Table, player: Player | None = None) -> IsleShape | None:
    """The isle: Visitor, results, what is left of the deck, lists, Settlers, open offers.

    `offers` has the oldest 500 of them, `offers_in_all` says how many there are.
    `mine` is the caller's own bribe and its value, null for who is no Settler and while no
    Thug is known; `bribes` is there only for who has been the Onlooker since before the
    visit began.
    """
    state = state_of(table)
    if not state.is_on:
        return None
    isle, settlers = state.isle, state.settlers
    offers, in_all = open_offers(table)
    mine, bribes = own_bribe(table, player), bribes_seen_by(table, player)
    answer: IsleShape = {
        "visitor": isle.visitor,
        "production": isle.production,
        "results": list(state.results or ()),
        "deck": isle.deck,
        "injured": sorted(settler.name for settler in settlers if settler.injured),
        "victims": sorted(settler.name for settler in settlers if settler.victim),
        "settlers": {settler.name: settler_to_dict(settler) for settler in settlers},
        "offers": offers,
        "offers_in_all": in_all,
        "mine": None if mine is None else _bribe_to_dict(mine),
    }
    if bribes is not None:
        answer["bribes"] = {name: _bribe_to_dict(bribe) for name, bribe in bribes.items()}
    return answer


def settler_to_dict(settler: Settler) -> SettlerShape:
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


def open_offers(table: Table) -> tuple[list[TradeOfferShape], int]:
    """The open trade offers, the oldest first, at most 500; and how many there are in all."""
    offers = table.game.trade_offers.open()
    oldest: list[TradeOfferShape] = [
        {
            "number": offer.number,
            "by": offer.by.player.name,
            "to": offer.to.player.name,
            "give": offer.gives,
            "take": offer.takes,
        }
        for offer in offers.select_related("by__player", "to__player")[:MOST_OFFERS]
    ]
    return oldest, offers.count() if len(oldest) == MOST_OFFERS else len(oldest)


def _bribe_to_dict(bribe: ValuedBribe) -> BribeShape:
    return {"bribe": dict(bribe.items), "bribe_value": bribe.value}
