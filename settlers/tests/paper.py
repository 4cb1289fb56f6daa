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
        told = SealedEntry.objects.filter(game=self.game, name="settlers.bribe")
        bribes = list(told.select_related("actor").order_by("seq"))
        for entry in self.game.entries.select_related("actor").order_by("seq"):
            while bribes and bribes[0].after < entry.seq:
                bribe = bribes.pop(0)
                assert self.visitor == "Thug", f"{bribe} was told while nobody asked for it."
                assert str(bribe.actor) not in self.watchers, f"{bribe} comes of reading others."
                self.bribes[str(bribe.actor)] = bribe.inputs["items"]
            name, given = self.done_in(entry)
            step = getattr(self, name.replace("settlers.", "on_").replace(".", "_"), None)
            if step is not None:
                step(entry, str(entry.actor), given, entry.outcome)
                self.checked[name] += 1
        return self.checked

    def done_in(self, entry: Entry) -> tuple[str, Any]:
        """The act that the entry tells was done, with its inputs: perhaps one that was announced
        before; "" where it only announces one."""
        said = entry.outcome
        if "motion" not in said:
            return entry.name, entry.inputs
        if "due" in said:
            self.announced[said["motion"]] = (entry.name, entry.inputs)
            return "", {}
        if said.get("end") != "done":
            return "", {}
        return self.announced.get(said["motion"], (entry.name, entry.inputs))

    @property
    def settlers(self) -> set[str]:
        """Who is a Settler now."""
        return self.domains.keys() - self.away - {self.onlooker}

    def gain(self, name: str, items: dict[str, int], sign: int = 1) -> None:
        for resource, amount in items.items():
            self.stockpiles[name][resource] += sign * amount
            assert self.stockpiles[name][resource] >= 0, f"{name} has less than no {resource}."

    # Seats and offices

    def games_join(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        self.away.discard(name)

    def games_leave(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        self.away.add(name)
        if self.onlooker == name:
            self.onlooker = ""

    def games_take_office(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        if given["office"] == "Onlooker":
            self.onlooker = name

    def games_resign_office(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        if given["office"] == "Onlooker":
            self.onlooker = ""

    games_recall = games_resign_office

    def on_join(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        self.domains[name] = said["domains"]
        self.settlements[name] = []
        self.stockpiles[name] = dict.fromkeys(RESOURCES, 0)

    # Production

    def on_production(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        if not said:
            return
        cards = list(said["drawn"])
        self.deck.was_made_whole = False
        first, second, drawn = self.deck.production(
            lambda count: sorted(self.deck.pile).index(cards.pop(0))
        )
        assert ([first, second], drawn) == (said["results"], said["drawn"])
        left = {str(card): self.deck.pile.count(card) for card in set(self.deck.pile)}
        assert (left, self.deck.was_made_whole) == (said["deck"], said["remade"])
        self.results = [first, second]
        self.injured, self.victims = self.victims, set()
        assert said["injured"] == sorted(self.injured)
        self.harvested, self.traded = set(), set()

    on_produce = on_production

    def on_harvest(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        assert name in self.settlers - self.injured - self.harvested
        domains, settlement = self.domains[name], self.settlements[name]
        change = _change(given["change"])
        bonuses = [[each["building"], each["choice"]] for each in given["bonuses"]]
        assert slow_may_change(domains, settlement, change)
        assert slow_may_take(settlement, bonuses)
        gained, after = slow_harvest(domains, self.results, change, bonuses)
        assert said["gained"] == {item: amount for item, amount in gained.items() if amount}
        assert said["domains"] == after
        self.domains[name] = after
        self.gain(name, gained)
        self.harvested.add(name)
        if change is not None:
            self.checked["changes"] += 1
        if bonuses:
            self.checked["bonuses"] += 1

    def on_build(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        building = given["building"]
        cost = _COSTS.get(building) or {"stone": self.cone, given["other"]: self.cone}
        assert said["paid"] == cost
        self.gain(name, cost, -1)
        self.settlements[name].append(building)
        self._perhaps_won(name)

    def _perhaps_won(self, name: str) -> None:
        if self.settlements[name].count("Cone") >= self.victory:
            self.winners.add(name)

    # Trade

    def on_set_alliance(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        pair = (name, given["other"])
        self.allies = self.allies | {pair} if given["listed"] == "on" else self.allies - {pair}

    def on_offer_trade(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        gives, takes = sum(given["give"].values()), sum(given["take"].values())
        assert min(gives, takes) > 0
        assert abs(gives - takes) <= 2
        self.offers[said["offer"]] = {"by": name, **given}

    def on_accept_trade(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        offer = self.offers.pop(given["offer"])
        by = offer["by"]
        assert not self.traded & {by, name}
        allied = {(by, name), (name, by)} <= self.allies
        for giver, receiver, items in ((by, name, offer["give"]), (name, by, offer["take"])):
            lost = said["lost"][giver]
            assert sum(lost.values()) == (0 if allied else 1)
            self.gain(giver, items, -1)
            self.gain(receiver, items)
            self.gain(receiver, lost, -1)
        self.traded |= {by, name}
        self.checked["losses"] += not allied

    def on_swap_with_merchant(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        assert self.visitor == "Merchant"
        assert name in self.settlers - self.served
        self.gain(name, {given["give"]: 3}, -1)
        self.gain(name, {given["take"]: 1})
        self.served.add(name)

    # Visitors

    def on_arrival(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        if not said:
            return
        assert said["before"] == self.visitor
        if self.visitor == "Thug":
            self._the_thug_collects(entry, said)
        else:
            assert (said["paid"], said["victims"]) == ({}, [])
        rows = {5: "Merchant", 9: "Merchant"}
        if self._thug_from is not None and self._thug_from <= entry.seq:
            rows |= {4: "Thug", 10: "Thug"}
        self._comes(rows.get(sum(said["dice"]), "None"))
        assert said["visitor"] == self.visitor

    on_receive_visitor = on_arrival

    def _the_thug_collects(self, entry: Entry, said: Any) -> None:
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
        assert said["paid"] == {name: items for name, items in slow["paid"].items() if items}
        victim = note.outcome["victim"]
        assert victim in slow["targets"] or (victim is None and not slow["targets"])
        assert said["victims"] == ([victim] if victim else [])
        self.victims |= set(said["victims"])
        for name, items in slow["paid"].items():
            self.gain(name, items, -1)
        self.checked["visits of the Thug"] += 1
        self.checked["victims"] += victim is not None
        self.checked["payments"] += len(said["paid"])

    def _comes(self, visitor: str) -> None:
        if visitor != self.visitor:
            self.served = set()
        self.visitor, self.bribes, self.watchers = visitor, {}, {self.onlooker}

    # Corrections

    def ledger_correct(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        if given["asset"] in RESOURCES:
            items = {given["asset"]: given["amount"]}
            for who, sign in ((given["giver"], -1), (given["receiver"], 1)):
                if who in self.stockpiles:
                    self.gain(who, items, sign)

    def on_correct_domain(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        self.domains[given["settler"]][given["resource"]] = given["number"]

    def on_correct_settlement(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        known = {each.casefold(): each for each in (*_COSTS, "Cone")}
        names = [each.strip().casefold() for each in given["buildings"].split(",")]
        self.settlements[given["settler"]] = [known[each] for each in names if each]
        self._perhaps_won(given["settler"])

    def on_correct_list(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        listed = self.injured if given["which"] == "Injured" else self.victims
        (listed.add if given["listed"] == "on" else listed.discard)(given["settler"])

    def on_correct_visitor(self, entry: Entry, name: str, given: Any, said: Any) -> None:
        self._comes(given["visitor"])


def _change(given: Any) -> list[Any] | None:
    if not given:
        return None
    if "swap" in given:
        return [given["swap"]["a"], given["swap"]["b"]]
    return [given["shift"]["resource"], given["shift"]["number"]]


def _not_endless(bribe: dict[str, int], stockpile: dict[str, int]) -> dict[str, int]:
    """The same bribe to the Thug, without what comes to nothing beyond one item too many."""
    return {item: min(amount, max(3, stockpile[item] + 1)) for item, amount in bribe.items()}
