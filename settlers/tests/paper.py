"""An isle kept on paper along the record of a game, by the slow second implementation.

Nothing is read but what entries were given and what they announced, public ones and sealed ones;
the numbers of the rules are typed out anew.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from nomic.games.models import Game
from nomic.record.models import NOTE, Entry, SealedEntry
from settlers.tests.rules.slow_isle import (
    RESOURCES,
    TWO_DICE,
    SlowDeck,
    slow_harvest,
    slow_may_change,
    slow_may_take,
    slow_thug,
)

_COSTS: dict[str, dict[str, int]] = {
    "Farm": {"wood": 2, "sheep": 1, "wheat": 1},
    "Quarry": {"brick": 2, "wood": 1},
    "Church": {"stone": 2},
}


class Paper:
    """The isle of a game on paper, whose Cones cost `cone` stones and as many of one other, and
    bring victory when there are `victory` of them.

    `follow` fails at the first entry that says another thing; `checked` counts what agreed.
    """

    def __init__(self, game: Game, cone: int = 5, victory: int = 4) -> None:
        self.game, self.cone, self.victory = game, cone, victory
        self.checked: Counter[str] = Counter()
        self.announced: dict[int, tuple[str, Any]] = {}
        self.deck = SlowDeck(TWO_DICE)
        self.results: list[int] = []
        self.visitor = "None"
        self.stockpiles: dict[str, dict[str, int]] = {}
        self.domains: dict[str, dict[str, int | None]] = {}
        self.settlements: dict[str, list[str]] = {}
        self.away: set[str] = set()
        self.onlooker = ""
        self.watchers: set[str] = set()
        self.injured: set[str] = set()
        self.victims: set[str] = set()
        self.winners: set[str] = set()
        self.harvested: set[str] = set()
        self.traded: set[str] = set()
        self.served: set[str] = set()
        self.allies: set[tuple[str, str]] = set()
        self.offers: dict[int, dict[str, Any]] = {}
        self.bribes: dict[str, dict[str, int]] = {}
        thug = game.rules.filter(title="Thug").first()
        self._thug_from = thug.enacted_in if thug else None

    def follow(self) -> Counter[str]:
        """Go along the record from its beginning; returns how often what was found right."""
        sealed = SealedEntry.objects.filter(game=self.game, name="settlers.bribe")
        bribes = list(sealed.select_related("actor").order_by("seq"))
        for entry in self.game.entries.select_related("actor").order_by("seq"):
            while bribes and bribes[0].after < entry.seq:
                bribe = bribes.pop(0)
                assert self.visitor == "Thug", f"{bribe} was told while nobody asked for it."
                assert str(bribe.actor) not in self.watchers, f"{bribe} comes of reading others."
                self.bribes[str(bribe.actor)] = bribe.inputs["items"]
            name, inputs = self.done_in(entry)
            step = getattr(self, name.replace("settlers.", "on_").replace(".", "_"), None)
            if step is not None:
                step(entry, str(entry.actor), inputs, entry.outcome)
                self.checked[name] += 1
        return self.checked

    def done_in(self, entry: Entry) -> tuple[str, Any]:
        """The act that the entry tells was done, with its inputs: perhaps one that was announced
        before; "" where it only announces one."""
        outcome = entry.outcome
        if "motion" not in outcome:
            return entry.name, entry.inputs
        if "due" in outcome:
            self.announced[outcome["motion"]] = (entry.name, entry.inputs)
            return "", {}
        if outcome.get("end") != "done":
            return "", {}
        return self.announced.get(outcome["motion"], (entry.name, entry.inputs))

    @property
    def settlers(self) -> set[str]:
        """Who is a Settler now."""
        return self.domains.keys() - self.away - {self.onlooker}

    def gain(self, name: str, items: dict[str, int], sign: int = 1) -> None:
        for resource, amount in items.items():
            self.stockpiles[name][resource] += sign * amount
            assert self.stockpiles[name][resource] >= 0, f"{name} has less than no {resource}."

    # Seats and offices

    def games_join(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        self.away.discard(name)

    def games_leave(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        self.away.add(name)
        if self.onlooker == name:
            self.onlooker = ""

    def games_take_office(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        if inputs["office"] == "Onlooker":
            self.onlooker = name

    def games_resign_office(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        if inputs["office"] == "Onlooker":
            self.onlooker = ""

    games_recall = games_resign_office

    def on_join(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        self.domains[name] = outcome["domains"]
        self.settlements[name] = []
        self.stockpiles[name] = dict.fromkeys(RESOURCES, 0)

    # Production

    def on_production(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        if not outcome:
            return
        cards = list(outcome["drawn"])
        self.deck.was_made_whole = False
        first, second, drawn = self.deck.production(
            lambda count: sorted(self.deck.pile).index(cards.pop(0))
        )
        assert ([first, second], drawn) == (outcome["results"], outcome["drawn"])
        cards_left = {str(card): self.deck.pile.count(card) for card in set(self.deck.pile)}
        assert (cards_left, self.deck.was_made_whole) == (outcome["deck"], outcome["remade"])
        self.results = [first, second]
        self.injured, self.victims = self.victims, set()
        assert outcome["injured"] == sorted(self.injured)
        self.harvested, self.traded = set(), set()

    on_produce = on_production

    def on_harvest(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        assert name in self.settlers - self.injured - self.harvested
        domains, settlement = self.domains[name], self.settlements[name]
        change = _change(inputs["change"])
        bonuses = [[bonus["building"], bonus["choice"]] for bonus in inputs["bonuses"]]
        assert slow_may_change(domains, settlement, change)
        assert slow_may_take(settlement, bonuses)
        gained, after = slow_harvest(domains, self.results, change, bonuses)
        assert outcome["gained"] == {item: amount for item, amount in gained.items() if amount}
        assert outcome["domains"] == after
        self.domains[name] = after
        self.gain(name, gained)
        self.harvested.add(name)
        if change is not None:
            self.checked["changes"] += 1
        if bonuses:
            self.checked["bonuses"] += 1

    def on_build(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        building = inputs["building"]
        cost = _COSTS.get(building) or {"stone": self.cone, inputs["other"]: self.cone}
        assert outcome["paid"] == cost
        self.gain(name, cost, -1)
        self.settlements[name].append(building)
        self._perhaps_won(name)

    def _perhaps_won(self, name: str) -> None:
        if self.settlements[name].count("Cone") >= self.victory:
            self.winners.add(name)

    # Trade

    def on_set_alliance(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        pair = (name, inputs["other"])
        self.allies = self.allies | {pair} if inputs["listed"] == "on" else self.allies - {pair}

    def on_offer_trade(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        gives, takes = sum(inputs["give"].values()), sum(inputs["take"].values())
        assert min(gives, takes) > 0
        assert abs(gives - takes) <= 2
        self.offers[outcome["offer"]] = {"by": name, **inputs}

    def on_accept_trade(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        offer = self.offers.pop(inputs["offer"])
        by = offer["by"]
        assert not self.traded & {by, name}
        allied = {(by, name), (name, by)} <= self.allies
        for giver, receiver, items in ((by, name, offer["give"]), (name, by, offer["take"])):
            lost = outcome["lost"][giver]
            assert sum(lost.values()) == (0 if allied else 1)
            self.gain(giver, items, -1)
            self.gain(receiver, items)
            self.gain(receiver, lost, -1)
        self.traded |= {by, name}
        self.checked["losses"] += not allied

    def on_swap_with_merchant(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        assert self.visitor == "Merchant"
        assert name in self.settlers - self.served
        self.gain(name, {inputs["give"]: 3}, -1)
        self.gain(name, {inputs["take"]: 1})
        self.served.add(name)

    # Visitors

    def on_arrival(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        if not outcome:
            return
        assert outcome["before"] == self.visitor
        if self.visitor == "Thug":
            self._the_thug_collects(entry, outcome)
        else:
            assert (outcome["paid"], outcome["victims"]) == ({}, [])
        rows = {5: "Merchant", 9: "Merchant"}
        if self._thug_from is not None and self._thug_from <= entry.seq:
            rows |= {4: "Thug", 10: "Thug"}
        self._comes(rows.get(sum(outcome["dice"]), "None"))
        assert outcome["visitor"] == self.visitor

    on_receive_visitor = on_arrival

    def _the_thug_collects(self, entry: Entry, outcome: Any) -> None:
        note = SealedEntry.objects.get(game=self.game, name=NOTE, after=entry.seq - 1)
        bribes = {name: self.bribes.get(name, {}) for name in self.settlers}
        case = {
            name: {
                "stockpile": self.stockpiles[name],
                "bribe": _not_endless(bribes[name], self.stockpiles[name]),
            }
            for name in sorted(self.settlers)
        }
        slow = slow_thug({"settlers": case})
        assert note.outcome["values"] == slow["values"]
        assert note.outcome["targets"] == slow["targets"]
        assert outcome["paid"] == {name: items for name, items in slow["paid"].items() if items}
        victim = note.outcome["victim"]
        assert victim in slow["targets"] or (victim is None and not slow["targets"])
        assert outcome["victims"] == ([victim] if victim else [])
        self.victims |= set(outcome["victims"])
        for name, items in slow["paid"].items():
            self.gain(name, items, -1)
        self.checked["visits of the Thug"] += 1
        self.checked["victims"] += victim is not None
        self.checked["payments"] += len(outcome["paid"])

    def _comes(self, visitor: str) -> None:
        if visitor != self.visitor:
            self.served = set()
        self.visitor, self.bribes, self.watchers = visitor, {}, {self.onlooker}

    # Corrections

    def ledger_correct(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        if inputs["asset"] in RESOURCES:
            items = {inputs["asset"]: inputs["amount"]}
            for owner, sign in ((inputs["giver"], -1), (inputs["receiver"], 1)):
                if owner in self.stockpiles:
                    self.gain(owner, items, sign)

    def on_correct_domain(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        self.domains[inputs["settler"]][inputs["resource"]] = inputs["number"]

    def on_correct_settlement(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        spellings = {name.casefold(): name for name in (*_COSTS, "Cone")}
        names = [part.strip().casefold() for part in inputs["buildings"].split(",")]
        self.settlements[inputs["settler"]] = [spellings[folded] for folded in names if folded]
        self._perhaps_won(inputs["settler"])

    def on_correct_list(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        listed = self.injured if inputs["which"] == "Injured" else self.victims
        (listed.add if inputs["listed"] == "on" else listed.discard)(inputs["settler"])

    def on_correct_visitor(self, entry: Entry, name: str, inputs: Any, outcome: Any) -> None:
        self._comes(inputs["visitor"])


def _change(sent: Any) -> list[Any] | None:
    if not sent:
        return None
    if "swap" in sent:
        return [sent["swap"]["a"], sent["swap"]["b"]]
    return [sent["shift"]["resource"], sent["shift"]["number"]]


def _not_endless(bribe: dict[str, int], stockpile: dict[str, int]) -> dict[str, int]:
    """The same bribe to the Thug, without what comes to nothing beyond one item too many."""
    return {item: min(amount, max(3, stockpile[item] + 1)) for item, amount in bribe.items()}
