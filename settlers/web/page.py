"""Parts of the isle's page, from its state: homesteads, results, deck, history, acts at hand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from nomic.games.models import Win
from nomic.games.refusal import Refusal
from nomic.record.models import Entry
from nomic.rulebook.charts import ChartBroken, unless_broken
from nomic.web.game_page import GamePage
from settlers.rules.charts import Building
from settlers.rules.injuries import VICTIMS_ARE_INJURED
from settlers.rules.isle import (
    RESOURCES,
    Settler,
    as_people_sort,
    describe_cost,
    describe_items,
    missing,
    others_for,
    paid_for,
    yielded,
)
from settlers.rules.legality import accept_refusal, build_refusal
from settlers.state.decisions import buildings_for
from settlers.state.reading import ARRIVALS, PRODUCTIONS, Listing, State
from settlers.web import drawing

LOGGED = 10
MOST_PAST = 30
_FIGURES = tuple(
    f"outcome__{name}"
    for name in ("production", "results", "remade", "arrival", "visitor", "victims")
)
_UNTOLD = ("settlers.ready", "settlers.not_ready")
_MOST_WINS = 10
MOST_OFFERS = 20


# The Settlers


def gains(state: State, settler: Settler) -> dict[str, int]:
    """The items that the last results still bring that Settler; none where they cannot harvest."""
    charts = unless_broken(lambda: (state.charts.yields, state.charts.injury_bars), None)
    if charts is None or state.results is None or settler.harvested:
        return {}
    yields, injury_bars = charts
    if settler.injured and injury_bars:
        return {}
    return yielded(settler.domains, state.results, yields)


def marks(settler: Settler) -> list[str]:
    """The words that hold of a Settler now: Injured, Victim, harvested, Ready."""
    said = {
        "Injured": settler.injured,
        "Victim": settler.victim,
        "harvested": settler.harvested,
        "Ready": settler.ready,
    }
    return [word for word, holds in said.items() if holds]


def plots(state: State, known: Iterable[Settler], mine: str) -> list[drawing.Plot]:
    """Those Settlers as the pictures show them, one's own first."""
    drawn = [
        drawing.Plot(each, gains(state, each), marks(each), each.name == mine) for each in known
    ]
    return sorted(drawn, key=lambda plot: not plot.mine)


def homesteads(
    state: State, foremost: list[Settler], own: Settler | None, most: int = drawing.MOST_PLOTS
) -> list[drawing.Plot]:
    """The plots of the picture: everybody's by name, or one's own and the foremost. Of these it
    takes one more than it shows, if there is."""
    shown = foremost[:most]
    if len(foremost) <= most:
        shown.sort(key=lambda each: as_people_sort(each.name))
    if own is not None and own.name not in {each.name for each in shown}:
        shown[-1:] = [own]
    return plots(state, shown, own.name if own else "")


def rows(state: State, found: Listing, own: Settler | None) -> list[dict[str, Any]]:
    """The table of the Settlers: one's own row first where it is not on this page."""
    listed = list(found.listed)
    if own is not None and own.name not in {each.name for each in listed}:
        listed.insert(0, own)
    table = []
    for each in listed:
        brings, held = gains(state, each), each.stockpile
        table.append(
            {
                "settler": each,
                "cells": [
                    (name, each.domains.get(name), held.get(name, 0), brings.get(name, 0))
                    for name in RESOURCES
                ],
                "built": drawing.counted(each.buildings),
                "marks": marks(each),
                "mine": own is not None and each.name == own.name,
            }
        )
    return table


# The Thug


def lesson(state: State) -> dict[str, Any] | None:
    """How a bribe's value is reckoned, and whether a Victim cannot harvest later; None where the
    rules cannot be read."""
    terms = unless_broken(lambda: state.charts.bribes, None)
    if terms is None:
        return None
    injures = VICTIMS_ARE_INJURED in state.charts.injury_steps and state.charts.injury_bars
    return {"start": terms.start, "steps": terms.steps, "injures": injures}


# The deck


def deck(state: State, own: Settler | None) -> SimpleNamespace:
    """The drawing of the rest of the Dice Deck, which counts as the whole if no text says more."""
    left = {int(number): count for number, count in state.isle.deck.items()}
    whole = unless_broken(lambda: state.charts.deck, None) or left
    mine = [number for number in own.domains.values() if number is not None] if own else []
    return drawing.deck(left, whole, last=state.results or (), mine=mine)


# What happened


def entries(game_page: GamePage) -> list[Entry]:
    """The isle's newest entries, newest first."""
    own = game_page.game.entries.of_subgame("settlers").exclude(name__in=_UNTOLD)
    return list(own.defer("inputs", "outcome").order_by("-seq")[:LOGGED])


def wins(game_page: GamePage) -> list[Win]:
    """The game's newest wins, newest first, without those of which all its pages tell."""
    told = {each.entry for each in game_page.won}
    rows = game_page.game.wins.select_related("player").order_by("-entry", "-pk")[:_MOST_WINS]
    return [each for each in rows if each.entry not in told]


def past(game_page: GamePage) -> list[drawing.Past]:
    """The newest Productions, oldest first, each with the Arrival that followed."""
    game = game_page.game
    steps = game.entries.filter(name__in=(*PRODUCTIONS, *ARRIVALS)).order_by("-seq")
    opened = set(game.visits.opened().values_list("number", flat=True)[: 2 * MOST_PAST])
    found: list[drawing.Past] = []
    arrived: Mapping[str, Any] = {}
    for step in steps.values("seq", "name", *_FIGURES)[: 2 * MOST_PAST]:
        if step["name"] in ARRIVALS:
            arrived = step
        elif step["outcome__results"]:
            first, second = step["outcome__results"]
            visit = arrived.get("outcome__arrival")
            found.append(
                drawing.Past(
                    number=step["outcome__production"],
                    entry=step["seq"],
                    results=(first, second),
                    visitor=arrived.get("outcome__visitor") or "",
                    victims=arrived.get("outcome__victims") or (),
                    remade=bool(step["outcome__remade"]),
                    opened=visit if visit in opened else None,
                )
            )
            arrived = {}
    return found[:MOST_PAST][::-1]


# What is at hand


@dataclass(frozen=True, slots=True)
class Plan:
    """A building of the rules' table: what it costs and brings, and whether one can pay for it.

    `others` are the resources of which one may be chosen for the rest of the cost, as far as the
    Stockpile has them; `why_not` is the sentence against it and `lacks` what there is too
    little of.
    """

    building: Building
    others: tuple[str, ...]
    why_not: str
    lacks: str
    owned: int

    @property
    def cost(self) -> str:
        """The whole cost in words."""
        return describe_cost(self.building)

    @property
    def adds_nothing(self) -> bool:
        """Whether another one would bring no more than those that one has."""
        return bool(self.owned) and self.building.frees_change and not self.building.bonus


def plans(state: State, own: Settler) -> list[Plan]:
    """Every building that the rules know; none while their table cannot be read."""
    buildings = unless_broken(lambda: buildings_for(state, own), None) or {}
    found = []
    for name, building in buildings.items():
        refusal = build_refusal(own, name, None, buildings)
        payable = tuple(
            other
            for other in others_for(building)
            if not missing(own.stockpile, paid_for(building, other))
        )
        why_not = refusal.sentence if refusal else ""
        fixed = missing(own.stockpile, building.costs)
        most = max((own.stockpile.get(each, 0) for each in others_for(building)), default=0)
        lacks = [describe_items(fixed)] if fixed else []
        lacks += [f"{building.others - most} of one other"] if most < building.others else []
        owned = own.buildings.count(name)
        found.append(Plan(building, payable, why_not, " and ".join(lacks), owned))
    return found


def bargains(state: State, own: Settler, known: Mapping[str, Settler]) -> list[dict[str, Any]]:
    """The viewer's open offers, those that they got first, each with why it cannot be accepted now.

    Where the other's Stockpile has not been read, they are taken to have what they offered. `loses`
    tells whether an item of each side would be lost, as far as the Alliance lists that were read
    say so.
    """
    found = []
    for offer in state.offers_of(own.name):
        by, to = offer.by.player.name, offer.to.player.name
        mine = by == own.name
        refusal: Refusal | None = None
        if not mine:
            offerer = known.get(by) or Settler(by, stockpile=offer.gives)
            try:
                refusal = accept_refusal(offerer, own, offer.gives, offer.takes, state.charts)
            except ChartBroken as broken:
                refusal = broken.refusal
        other = to if mine else by
        allied = other in own.alliance and (other not in known or own.name in known[other].alliance)
        found.append(
            {
                "offer": offer,
                "mine": mine,
                "other": other,
                "gives": describe_items(offer.gives),
                "takes": describe_items(offer.takes),
                "why_not": refusal.sentence if refusal else "",
                "loses": not allied,
            }
        )
    return sorted(found, key=lambda each: bool(each["mine"]))


def alliance(own: Settler, known: Mapping[str, Settler]) -> list[tuple[str, bool | None]]:
    """The names on one's Alliance list, and whether each has one's own; None if not known here."""
    return [
        (name, own.name in known[name].alliance if name in known else None)
        for name in sorted(own.alliance, key=as_people_sort)
    ]
