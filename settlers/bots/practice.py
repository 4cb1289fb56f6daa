"""Sensible acts of a practice player on the isle: harvest, build, trade, bribe, ally."""

from collections.abc import Iterator, Mapping
from random import Random

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.simulation.bots import Act
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES, Settler, others_for
from settlers.rules.titles import MERCHANT, THUG
from settlers.state.reading import State, state_of

_LARGEST_BRIBE = 3
_MOST_OPEN = 2  # trade offers of one practice player at a time


def practice(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """Moves, the best first; which of them are legal is for others to say."""
    state = state_of(table)
    if not state.is_on:
        return
    own = state.settler(player)
    if own is None:
        yield "settlers.join", {}
        return
    if state.results is not None and not own.harvested:
        yield from harvests(own, state.charts)
    # The winning building first, then the rarest of theirs, so that a Settlement grows evenly.
    winning = state.charts.victory[0]
    known = sorted(state.charts.buildings)
    chance.shuffle(known)
    for name in sorted(known, key=lambda each: (each != winning, own.buildings.count(each))):
        kinds = others_for(state.charts.buildings[name]) or ("",)
        other = max(kinds, key=lambda resource: own.stockpile.get(resource, 0))
        yield "settlers.build", {"building": name, "other": other}
    # To an offer they say yes where it brings as much as it takes, else no.
    for offer in state.offers_got(own.name):
        if sum(offer.gives.values()) >= sum(offer.takes.values()):
            yield "settlers.accept_trade", {"offer": offer.number}
        if not own.traded:
            yield "settlers.cancel_trade", {"offer": offer.number}
    plenty = most(own.stockpile)
    if plenty is not None:
        yield from _dealings(state, own, plenty, chance)
    if chance.random() < 0.1:
        others = [each for each in state.settlers if each.name not in (own.name, *own.alliance)]
        chance.shuffle(others)
        for ally in sorted(others, key=lambda each: own.name not in each.alliance):
            yield "settlers.set_alliance", {"other": ally.name, "listed": "on"}


def harvests(own: Settler, charts: Charts) -> Iterator[Act]:
    """Harvests, the best first."""
    bonuses = []
    for name in own.buildings:
        bonus = charts.buildings[name].bonus if name in charts.buildings else {}
        if bonus:
            scarce = min(bonus, key=lambda resource: own.stockpile.get(resource, 0))
            bonuses.append({"building": name, "choice": scarce})
    # The change of one Domain that brings the most in the long run, if any does.
    worth = {
        number: brought * charts.deck.get(number, 0) for number, brought in charts.yields.items()
    }
    numbers = charts.yields.keys() - set(own.domains.values())
    gains = [
        (worth[number] - worth[held], resource, number)
        for resource, held in own.domains.items()
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


def most(stockpile: Mapping[str, int]) -> str | None:
    """The resource of which there is most; None where there is nothing."""
    found = max(RESOURCES, key=lambda resource: stockpile.get(resource, 0))
    return found if stockpile.get(found, 0) else None


def _dealings(state: State, own: Settler, plenty: str, chance: Random) -> Iterator[Act]:
    if state.is_visited_by(THUG):
        bribe = min(own.stockpile[plenty], chance.randint(1, _LARGEST_BRIBE))
        yield "settlers.bribe", {"items": {plenty: bribe}}
    scarce = min(RESOURCES, key=lambda resource: own.stockpile.get(resource, 0))
    if state.is_visited_by(MERCHANT):
        yield "settlers.swap_with_merchant", {"give": plenty, "take": scarce}
    made = [each for each in state.offers_of(own.name) if each.by.player.name == own.name]
    if own.traded or len(made) >= _MOST_OPEN:
        return
    others = [each for each in state.settlers if each.name != own.name and not each.traded]
    for other in chance.sample(others, len(others)):
        wanted = most(other.stockpile)
        if wanted not in (None, plenty):
            items = {"give": {plenty: 1}, "take": {wanted: 1}}
            yield "settlers.offer_trade", {"to": other.name, **items}
