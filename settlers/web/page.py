"""Parts of the isle's page, from its state: homesteads, results, deck, history, acts at hand, and
what a harvest or a bribe would come to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from nomic.engine.table import Table
from nomic.games.models import Player, Win
from nomic.games.refusal import Refusal
from nomic.record.models import Entry
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.tables import TableBroken
from nomic.web.game_context import GamePage
from settlers.actions.settlers import Harvest, TellBribe, as_bonuses, as_change
from settlers.rules import isle as rules
from settlers.rules.charts import Building
from settlers.rules.injuries import VICTIMS_ARE_INJURED
from settlers.rules.isle import (
    RESOURCES,
    Settler,
    as_people_sort,
    choices_for,
    describe_cost,
    describe_items,
    missing,
    paid_for,
    yielded,
)
from settlers.rules.legality import accept_refusal, build_refusal, harvest_refusal
from settlers.rules.thug import bribe_value
from settlers.rules.titles import GIFT, THUG
from settlers.state.decisions import buildings_for, harvest
from settlers.state.reading import ARRIVALS, PRODUCTIONS, Listing, State, state_of
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
    words = {
        "Injured": settler.injured,
        "Victim": settler.victim,
        "harvested": settler.harvested,
        "Ready": settler.ready,
    }
    return [word for word, holds in words.items() if holds]


def homesteads(
    state: State, foremost: list[Settler], viewer: Settler | None, limit: int = drawing.MOST_PLOTS
) -> list[drawing.Plot]:
    """The plots of the picture: everybody's by name, or one's own and the foremost. Of these it
    takes one more than it shows, if there is."""
    shown = foremost[:limit]
    if len(foremost) <= limit:
        shown.sort(key=lambda settler: as_people_sort(settler.name))
    if viewer is not None and viewer.name not in {settler.name for settler in shown}:
        shown[-1:] = [viewer]
    mine = viewer.name if viewer else ""
    plots = [
        drawing.Plot(settler, gains(state, settler), marks(settler), settler.name == mine)
        for settler in shown
    ]
    return sorted(plots, key=lambda plot: not plot.mine)  # one's own first


def rows(state: State, listing: Listing, viewer: Settler | None) -> list[dict[str, Any]]:
    """The table of the Settlers: one's own row first where it is not on this page."""
    settlers = list(listing.listed)
    if viewer is not None and viewer.name not in {settler.name for settler in settlers}:
        settlers.insert(0, viewer)
    table = []
    for settler in settlers:
        brings, held = gains(state, settler), settler.stockpile
        table.append(
            {
                "settler": settler,
                "cells": [
                    (name, settler.domains.get(name), held.get(name, 0), brings.get(name, 0))
                    for name in RESOURCES
                ],
                "built": drawing.building_counts(settler.buildings),
                "marks": marks(settler),
                "mine": viewer is not None and settler.name == viewer.name,
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


def deck(state: State, viewer: Settler | None) -> SimpleNamespace:
    """The drawing of the rest of the Dice Deck, which counts as the whole if no text says more."""
    cards = {int(number): count for number, count in state.isle.deck.items()}
    whole = unless_broken(lambda: state.charts.deck, None) or cards
    mine = [number for number in viewer.domains.values() if number is not None] if viewer else []
    return drawing.deck(cards, whole, last=state.results or (), mine=mine)


# What happened


def entries(game_page: GamePage) -> list[Entry]:
    """The isle's newest entries, newest first."""
    rows = game_page.game.entries.of_subgame("settlers").exclude(name__in=_UNTOLD)
    return list(rows.defer("inputs", "outcome").order_by("-seq")[:LOGGED])


def wins(game_page: GamePage) -> list[Win]:
    """The game's newest wins, newest first, without those of which all its pages tell."""
    shown_above = {win.entry for win in game_page.won}
    rows = game_page.game.wins.select_related("player").order_by("-entry", "-pk")[:_MOST_WINS]
    return [win for win in rows if win.entry not in shown_above]


def past(game_page: GamePage) -> list[drawing.PastProduction]:
    """The newest Productions, oldest first, each with the Arrival that followed."""
    game = game_page.game
    steps = game.entries.filter(name__in=(*PRODUCTIONS, *ARRIVALS)).order_by("-seq")
    opened = set(game.visits.opened().values_list("number", flat=True)[: 2 * MOST_PAST])
    productions: list[drawing.PastProduction] = []
    arrived: Mapping[str, Any] = {}
    for step in steps.values("seq", "name", *_FIGURES)[: 2 * MOST_PAST]:
        if step["name"] in ARRIVALS:
            arrived = step
        elif step["outcome__results"]:
            first, second = step["outcome__results"]
            visit = arrived.get("outcome__arrival")
            productions.append(
                drawing.PastProduction(
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
    return productions[:MOST_PAST][::-1]


# What is at hand


@dataclass(frozen=True, slots=True)
class Plan:
    """A building of the rules' table: what it costs and brings, and whether one can pay for it.

    `choices` are the resources of which one may be chosen for the rest of the cost, as far as the
    Stockpile has them; `why_not` is the sentence against it and `lacks` what there is too
    little of.
    """

    building: Building
    choices: tuple[str, ...]
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


def plans(state: State, viewer: Settler) -> list[Plan]:
    """Every building that the rules know; none while their table cannot be read."""
    buildings = unless_broken(lambda: buildings_for(state, viewer), None) or {}
    rows = []
    for name, building in buildings.items():
        refusal = build_refusal(viewer, name, None, buildings)
        payable = tuple(
            chosen
            for chosen in choices_for(building)
            if not missing(viewer.stockpile, paid_for(building, chosen))
        )
        why_not = refusal.sentence if refusal else ""
        fixed = missing(viewer.stockpile, building.costs)
        largest = max((viewer.stockpile.get(r, 0) for r in choices_for(building)), default=0)
        gap = building.of_one_other - largest
        lacks = [describe_items(fixed)] if fixed else []
        lacks += [f"{gap} of one other"] if gap > 0 else []
        owned = viewer.buildings.count(name)
        rows.append(Plan(building, payable, why_not, " and ".join(lacks), owned))
    return rows


def bargains(
    state: State, viewer: Settler, settlers: Mapping[str, Settler]
) -> list[dict[str, Any]]:
    """The viewer's open offers, those that they got first, each with why it cannot be accepted now.

    `settlers` are those that were read, by name. Where the partner's Stockpile has not been, they
    are taken to have what they offered. `loses` tells whether an item of each side would be lost,
    as far as the Alliance lists that were read say so.
    """
    rows = []
    for offer in state.offers_of(viewer.name):
        by, to = offer.by.player.name, offer.to.player.name
        mine = by == viewer.name
        refusal: Refusal | None = None
        if not mine:
            offerer = settlers.get(by) or Settler(by, stockpile=offer.gives)
            try:
                refusal = accept_refusal(offerer, viewer, offer.gives, offer.takes, state.charts)
            except TableBroken as broken:
                refusal = broken.refusal
        partner = to if mine else by
        lists_viewer = partner not in settlers or viewer.name in settlers[partner].alliance
        allied = partner in viewer.alliance and lists_viewer
        rows.append(
            {
                "offer": offer,
                "mine": mine,
                "partner": partner,
                "gives": describe_items(offer.gives),
                "takes": describe_items(offer.takes),
                "why_not": refusal.sentence if refusal else "",
                "loses": not allied,
            }
        )
    return sorted(rows, key=lambda row: bool(row["mine"]))


def alliance(viewer: Settler, settlers: Mapping[str, Settler]) -> list[tuple[str, bool | None]]:
    """The names on one's Alliance list, and whether each has one's own; None if not known here."""
    return [
        (name, viewer.name in settlers[name].alliance if name in settlers else None)
        for name in sorted(viewer.alliance, key=as_people_sort)
    ]


# What would come of it


@dataclass(frozen=True, slots=True)
class HarvestPreview:
    """The outcome of a harvest, or why there is none: one of `crop` and `refusal` is None."""

    settler: Settler
    crop: rules.HarvestGains | None
    refusal: Refusal | None

    @property
    def gained(self) -> str:
        """All that it brings, in words."""
        return describe_items(self.crop.gained) if self.crop else ""

    @property
    def sources(self) -> Iterator[tuple[str, str]]:
        """Where it comes from, each with what in words; nothing is left out that brings some."""
        if self.crop is None:
            return
        for resource, amount in self.crop.from_domains.items():
            yield f"Domain of {resource} ({self.settler.domains[resource]})", f"{amount} {resource}"
        if any(self.crop.from_buildings.values()):
            yield "Buildings", describe_items(self.crop.from_buildings)

    @property
    def domains(self) -> list[SimpleNamespace]:
        """Every Domain, as it is and as it would be; None where it is empty."""
        present = self.settler.domains
        domains = self.crop.domains if self.crop else present
        return [
            SimpleNamespace(
                resource=resource,
                before=(before := present.get(resource)),
                after=(after := domains.get(resource)),
                changes=before != after,
            )
            for resource in RESOURCES
        ]

    @property
    def changes_domains(self) -> bool:
        """Whether the number of a Domain would be another one."""
        return any(domain.changes for domain in self.domains)


def foresee_bribe(
    table: Table, player: Player | None, sent: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The value of those items as a bribe, by the rule and the player's own Stockpile alone.

    `refusal` says why it is none, `lacks` what one has too little of now: then it is worth 0 unless
    more comes in. None for who is no Settler, while the Thug is away and while no items are filled
    in.
    """
    state = state_of(table)
    settler = state.settler(player)
    if settler is None or not state.is_visited_by(THUG):
        return None
    form = TellBribe.Form(table, player, sent)
    if not form.is_valid():
        return None
    items = form.cleaned_data["items"]
    if not items:
        return None
    try:
        value = bribe_value(items, state.charts.bribes)
    except TableBroken as broken:
        return {"refusal": broken.sentence}
    lacks = [r for r, amount in items.items() if amount > settler.stockpile.get(r, 0)]
    return {
        "bribe": describe_items(items),
        "value": 0 if lacks else value,
        "lacks": " and ".join(lacks),
    }


def foresee(
    table: Table, player: Player | None, sent: Mapping[str, Any] | None = None
) -> HarvestPreview | None:
    """The outcome of the harvest with the blanks as sent, or as the empty form has them.

    None for who is no Settler.
    """
    state = state_of(table)
    settler = state.settler(player)
    if settler is None or player is None:
        return None
    form = Harvest.Form(table, player, sent if sent is not None else {})
    if not form.is_valid():
        sentence = next(str(error) for errors in form.errors.values() for error in errors)
        return HarvestPreview(settler, None, Refusal("malformed", sentence, GIFT))
    inputs = form.cleaned_data
    if sent is None:
        inputs = {"change": None, "bonuses": form.fields["bonuses"].widget.at_first}
    change, bonuses = as_change(inputs["change"]), as_bonuses(inputs["bonuses"])
    try:
        refusal = harvest_refusal(settler, state.results, state.charts, change, bonuses)
        if refusal is not None or state.results is None:
            return HarvestPreview(settler, None, refusal)
        crop = harvest(state, settler, state.results, change, bonuses)
    except TableBroken as broken:
        return HarvestPreview(settler, None, Refusal("table_broken", broken.sentence, broken.rule))
    return HarvestPreview(settler, crop, None)
