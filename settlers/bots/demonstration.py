"""The acts of the demonstration's Settlers: a harvest, then a building, a bribe or a trade."""

import tomllib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.simulation.bots import Act, Demonstration, take_first
from settlers.bots import practice
from settlers.bots.practice import commonest
from settlers.models import Offer, Visit
from settlers.rulebook import protection_money
from settlers.rules.isle import RESOURCES, choices_for
from settlers.rules.titles import GIFT, MERCHANT, THUG
from settlers.state.reading import state_of

_FILE = Path(__file__).with_name("demonstration.toml")
_SCRIPT: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
WAITS: str = _SCRIPT["waits"]
_PLANS: dict[str, list[str]] = _SCRIPT["plans"]
SETTLERS = tuple(_PLANS)


class DemonstrationIsle(Demonstration):
    """A harvest and a dealing of each settler a week; the Onlooker opens the past visits."""

    bodies = {"Protection Money": protection_money}

    def beginnings(self) -> Iterator[tuple[str, Act]]:
        """All settle, then some list allies."""
        yield from ((name, ("settlers.join", {})) for name in SETTLERS)
        for settler, ally in _SCRIPT["alliances"]:
            yield settler, ("settlers.set_alliance", {"other": ally, "listed": "on"})

    def play(self, player: Player, week: int, chance: Random) -> None:
        take_first(player, _harvests)
        take_first(player, _dealings)

    def end_week(self, officer: Player) -> None:
        take_first(officer, _disclosures)

    def leave_open(self, game: Game) -> None:
        """All harvest but one, to whom somebody makes an offer."""
        players = {player.name: player for player in game.players.select_related("holder")}
        harvesters = [players[name] for name in SETTLERS if name != WAITS]
        for player in harvesters:
            take_first(player, _harvests)
        any(take_first(player, _offers_to_who_waits) for player in harvesters)

    def decided_at(self, game: Game) -> datetime | None:
        """When somebody won: no rule begins the isle anew."""
        victories = game.wins.filter(rule=GIFT).order_by("at")
        return victories.values_list("at", flat=True).first()


def _harvests(table: Table, player: Player) -> Iterator[Act]:
    """Harvests that make sense for this player, the best first; refused ones are passed over."""
    state = state_of(table)
    settler = state.settler(player)
    if settler is not None and not settler.harvested and state.results is not None:
        yield from practice.harvests(settler, state.charts)


def _dealings(table: Table, player: Player) -> Iterator[Act]:
    """Other acts that make sense for them: a building, the visitor, a trade."""
    state = state_of(table)
    settler = state.settler(player)
    if settler is None:
        return
    # The next building of their plan, for which they give what they have most of.
    plan, built = _PLANS.get(settler.name, []), len(settler.buildings)
    if built < len(plan) and plan[built] in state.charts.buildings:
        choices = choices_for(state.charts.buildings[plan[built]]) or ("",)
        for chosen in sorted(choices, key=lambda resource: -settler.stockpile.get(resource, 0)):
            yield "settlers.build", {"building": plan[built], "other": chosen}
    plenty = commonest(settler.stockpile)
    if plenty is None:
        return
    if state.is_visited_by(THUG):
        boast = 2 if settler.name == _SCRIPT["boasts"] else 0
        yield "settlers.bribe", {"items": {plenty: min(settler.stockpile[plenty], 3) + boast}}
    if state.is_visited_by(MERCHANT):
        scarce = min(RESOURCES, key=lambda resource: settler.stockpile.get(resource, 0))
        yield "settlers.swap_with_merchant", {"give": plenty, "take": scarce}
    offers = Offer.objects.filter(game=table.game, end="").order_by("number")
    for number in offers.filter(to__player=player).values_list("number", flat=True):
        yield "settlers.accept_trade", {"offer": number}
        yield "settlers.cancel_trade", {"offer": number}
    for partner in state.settlers:
        wanted = commonest(partner.stockpile)
        if partner.name != player.name and wanted not in (None, plenty):
            items = {"give": {plenty: 1}, "take": {wanted: 1}}
            yield "settlers.offer_trade", {"to": partner.name, **items}


def _offers_to_who_waits(table: Table, player: Player) -> Iterator[Act]:
    """An offer of one for one to whom the demonstration waits for."""
    state = state_of(table)
    settler = state.settler(player)
    addressee = next((partner for partner in state.settlers if partner.name == WAITS), None)
    if settler is None or addressee is None or settler.name == WAITS:
        return
    give, wanted = commonest(settler.stockpile), commonest(addressee.stockpile)
    if give and wanted and give != wanted:
        yield "settlers.offer_trade", {"to": WAITS, "give": {give: 1}, "take": {wanted: 1}}


def _disclosures(table: Table, player: Player) -> Iterator[Act]:
    """The past visit that the Onlooker may open next."""
    past = Visit.objects.filter(
        game=table.game, sealed=True, over_in__isnull=False, opened_in__isnull=True
    )
    for number in past.order_by("number").values_list("number", flat=True)[:1]:
        yield "settlers.open_visit", {"visit": number}
