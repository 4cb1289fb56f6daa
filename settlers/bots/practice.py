"""Sensible acts of a practice player on the isle: harvest, build, trade, bribe, ally."""

from collections.abc import Iterator, Mapping
from random import Random

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.simulation.bots import Act
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES, Settler, choices_for
from settlers.rules.titles import MERCHANT, THUG
from settlers.state.reading import State, state_of

_LARGEST_BRIBE = 3
_MOST_OPEN = 2  # trade offers of one practice player at a time


def practice(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """Moves, the best first; which of them are legal is for others to say."""
    state = state_of(table)
    if not state.is_on:
        return
    settler = state.settler(player)
    if settler is None:
        yield "settlers.join", {}
        return
    if state.results is not None and not settler.harvested:
        yield from harvests(settler, state.charts)
    # The winning building first, then the rarest of theirs, so that a Settlement grows evenly.
    winning = state.charts.victory[0]
    names = sorted(state.charts.buildings)
    chance.shuffle(names)
    for building in sorted(
        names, key=lambda name: (name != winning, settler.buildings.count(name))
    ):
        choices = choices_for(state.charts.buildings[building]) or ("",)
        chosen = max(choices, key=lambda resource: settler.stockpile.get(resource, 0))
        yield "settlers.build", {"building": building, "other": chosen}
    # To an offer they say yes where it brings as much as it takes, else no.
    for offer in state.offers_got(settler.name):
        if sum(offer.gives.values()) >= sum(offer.takes.values()):
            yield "settlers.accept_trade", {"offer": offer.number}
        if not settler.traded:
            yield "settlers.cancel_trade", {"offer": offer.number}
    plenty = commonest(settler.stockpile)
    if plenty is not None:
        yield from _dealings(state, settler, plenty, chance)
    if chance.random() < 0.1:
        listed = {settler.name, *settler.alliance}
        candidates = [ally for ally in state.settlers if ally.name not in listed]
        chance.shuffle(candidates)
        for ally in sorted(candidates, key=lambda ally: settler.name not in ally.alliance):
            yield "settlers.set_alliance", {"other": ally.name, "listed": "on"}


def harvests(settler: Settler, charts: Charts) -> Iterator[Act]:
    """Harvests, the best first."""
    bonuses = []
    for name in settler.buildings:
        bonus = charts.buildings[name].bonus if name in charts.buildings else {}
        if bonus:
            scarce = min(bonus, key=lambda resource: settler.stockpile.get(resource, 0))
            bonuses.append({"building": name, "choice": scarce})
    # The change of one Domain that brings the most in the long run, if any does.
    worth = {
        number: brought * charts.deck.get(number, 0) for number, brought in charts.yields.items()
    }
    numbers = charts.yields.keys() - set(settler.domains.values())
    gains = [
        (worth[number] - worth[held], resource, number)
        for resource, held in settler.domains.items()
        if held is not None
        for number in sorted(numbers)
        if abs(number - held) <= charts.change_by
    ]
    gain, resource, number = max(gains, default=(0, "", 0))
    if gain > 0:
        change = {"shift": {"resource": resource, "number": number}}
        yield "settlers.harvest", {"change": change, "bonuses": bonuses}
    yield "settlers.harvest", {"change": None, "bonuses": bonuses}
    yield "settlers.harvest", {"change": None, "bonuses": []}


def commonest(stockpile: Mapping[str, int]) -> str | None:
    """The resource of which there is most; None where there is nothing."""
    resource = max(RESOURCES, key=lambda resource: stockpile.get(resource, 0))
    return resource if stockpile.get(resource, 0) else None


def _dealings(state: State, settler: Settler, plenty: str, chance: Random) -> Iterator[Act]:
    if state.is_visited_by(THUG):
        bribe = min(settler.stockpile[plenty], chance.randint(1, _LARGEST_BRIBE))
        yield "settlers.bribe", {"items": {plenty: bribe}}
    scarce = min(RESOURCES, key=lambda resource: settler.stockpile.get(resource, 0))
    if state.is_visited_by(MERCHANT):
        yield "settlers.swap_with_merchant", {"give": plenty, "take": scarce}
    own_offers = [
        offer for offer in state.offers_of(settler.name) if offer.by.player.name == settler.name
    ]
    if settler.traded or len(own_offers) >= _MOST_OPEN:
        return
    partners = [
        partner for partner in state.settlers if partner.name != settler.name and not partner.traded
    ]
    for partner in chance.sample(partners, len(partners)):
        wanted = commonest(partner.stockpile)
        if wanted not in (None, plenty):
            items = {"give": {plenty: 1}, "take": {wanted: 1}}
            yield "settlers.offer_trade", {"to": partner.name, **items}
