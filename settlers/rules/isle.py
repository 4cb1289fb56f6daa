"""The isle: the deck, the harvest, buildings, trade (BlogNomic, January 2023).

What it plays is The Gift of the Isle, and the drawing of The Dice Deck.

Pure values and functions. Every number that a rule's table holds comes in from `charts.py`;
chance comes in as a function that chooses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nomic.games.wording import enumerated
from settlers.rules.charts import Building, Charts
from settlers.rules.items import RESOURCES as RESOURCES
from settlers.rules.items import Items as Items

type Domains = Mapping[str, int | None]
type Choose = Callable[[str, list[int]], int]


@dataclass(frozen=True, slots=True)
class Deck:
    """The Dice Deck: how many cards of each result are left, and how many there are in all.

    It is made whole again when no more than `remade_at` are left (The Dice Deck).
    """

    remaining: Mapping[int, int]
    whole: Mapping[int, int]
    remade_at: int

    @property
    def cards(self) -> list[int]:
        """Every card that is left, in ascending order."""
        return [result for result in sorted(self.remaining) for _ in range(self.remaining[result])]

    @property
    def is_spent(self) -> bool:
        """Whether it has to be made whole: too few are left, or all that are left are equal."""
        counts = [count for count in self.remaining.values() if count > 0]
        return sum(counts) <= self.remade_at or len(counts) < 2

    def without(self, card: int) -> tuple[Deck, bool]:
        """The deck after that card was drawn, and whether it was made whole then."""
        drawn = replace(self, remaining={**self.remaining, card: self.remaining[card] - 1})
        return drawn.made_ready()

    def made_ready(self) -> tuple[Deck, bool]:
        """The deck, made whole if it is spent, and whether it was."""
        if not self.is_spent:
            return self, False
        return replace(self, remaining=dict(self.whole)), True


@dataclass(frozen=True, slots=True)
class Drawn:
    """The two results of a Production, every card drawn for them in order, and the deck after.

    `remade` says whether the deck was made whole on the way.
    """

    first: int
    second: int
    drawn: tuple[int, ...]
    deck: Deck
    remade: bool


def draw(deck: Deck, choose: Choose) -> Drawn:
    """Draw two results, the second one again until it differs (The Dice Deck).

    `choose` takes a label and the cards that are left, in ascending order, and returns one. Every
    card that it returns is out of the deck. A deck that a chart allows always comes to an end.
    """
    # Made whole between two draws as well, so that a second draw never fails.
    deck, remade = deck.made_ready()
    drawn: list[int] = []
    labels = ("first result", "second result", "second result, again")
    while len(drawn) < 2 or drawn[-1] == drawn[0]:
        number = len(drawn)
        again = f"second result, again {number - 1}"
        card = choose(labels[number] if number < len(labels) else again, deck.cards)
        drawn.append(card)
        deck, made_whole = deck.without(card)
        remade = remade or made_whole
    return Drawn(drawn[0], drawn[-1], tuple(drawn), deck, remade)


@dataclass(frozen=True, slots=True)
class Settler:
    """A Settler as the rules see them.

    `harvested` and `traded` are since the most recent Production, `used` the visitors whose leave
    was made use of during their visit. An empty Domain is None.
    """

    name: str
    stockpile: Items = field(default_factory=dict)
    domains: Domains = field(default_factory=dict)
    buildings: tuple[str, ...] = ()
    ready: bool = False
    injured: bool = False
    victim: bool = False
    harvested: bool = False
    traded: bool = False
    used: frozenset[str] = frozenset()
    alliance: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Swap:
    """Two Domains, by their resources, that swap what they hold."""

    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Shift:
    """A Domain, by its resource, and the number that it gets."""

    resource: str
    number: int


type Change = Swap | Shift


@dataclass(frozen=True, slots=True)
class Bonus:
    """A Building whose Harvest Bonus is taken; `choice` is a resource where there are several."""

    building: str
    choice: str = ""


@dataclass(frozen=True, slots=True)
class HarvestGains:
    """The items from a harvest, and the Domains after it. `gained` is both sources together."""

    from_domains: Items
    from_buildings: Items
    gained: Items
    domains: Domains


def harvest(
    settler: Settler,
    results: tuple[int, int],
    charts: Charts,
    change: Change | None = None,
    bonuses: Sequence[Bonus] = (),
) -> HarvestGains:
    """A legal harvest: by the old Domains first, then the change, then the bonuses (The Gift)."""
    # What a harvest gains is what the old numbers bring: the change comes after the gain.
    gained = yielded(settler.domains, results, charts.yields)
    extra: Counter[str] = Counter()
    for bonus in bonuses:
        options = charts.buildings[bonus.building].bonus
        resource = bonus.choice or next(iter(options))
        extra[resource] += options[resource]
    return HarvestGains(gained, dict(extra), plus(gained, extra), changed(settler.domains, change))


def yielded(domains: Domains, results: Sequence[int], yields: Mapping[int, int]) -> dict[str, int]:
    """The items that Domains bring for the results: each once, though both results equal it."""
    return {
        resource: yields[number]
        for resource, number in domains.items()
        if number is not None and number in results and yields.get(number, 0)
    }


def changed(domains: Domains, change: Change | None) -> dict[str, int | None]:
    """The Domains after that change of a harvest."""
    match change:
        case Swap(a, b):
            return {**domains, a: domains[b], b: domains[a]}
        case Shift(resource, number):
            return {**domains, resource: number}
    return dict(domains)


def has_free_change(settler: Settler, charts: Charts) -> bool:
    """Whether a Building of theirs lets a changed Domain take any number."""
    names = set(settler.buildings)
    return any(b.frees_change for name, b in charts.buildings.items() if name in names)


def paid_for(building: Building, chosen: str | None = None) -> dict[str, int]:
    """The Building's price, by resource, with what is chosen; ValueError if that cannot be."""
    if not building.of_one_other:
        return dict(building.costs)
    if chosen not in choices_for(building):
        raise ValueError(f"{building.name} costs some of one other resource, and {chosen} is none")
    return {**building.costs, chosen: building.of_one_other}


def choices_for(building: Building) -> tuple[str, ...]:
    """The resources that can be chosen as the other one of its cost; none where it has no such."""
    return tuple(r for r in RESOURCES if r not in building.costs) if building.of_one_other else ()


def describe_cost(building: Building) -> str:
    """The whole cost in words: “2 wood and 5 of one other”."""
    fixed = describe_items(building.costs) if building.costs else ""
    open_part = f"{building.of_one_other} of one other" if building.of_one_other else ""
    return " and ".join(filter(None, (fixed, open_part))) or "nothing"


def has_won(buildings: Iterable[str], victory: tuple[str, int]) -> bool:
    """Whether a Settlement has as many of the Building as victory asks for."""
    name, count = victory
    return list(buildings).count(name) >= count


def plus(items: Items, extra: Items) -> dict[str, int]:
    """Both together, in the order of the resources, without what is zero."""
    both = {r: items.get(r, 0) + extra.get(r, 0) for r in RESOURCES}
    return {resource: amount for resource, amount in both.items() if amount}


def total(items: Items) -> int:
    """How many items these are in all, of all resources together."""
    return sum(items.values())


def missing(items: Items, wanted: Items) -> dict[str, int]:
    """The wanted items that are not there, how many of each."""
    lacking = {r: amount - items.get(r, 0) for r, amount in wanted.items()}
    return {resource: amount for resource, amount in lacking.items() if amount > 0}


def nonzero(items: Items) -> dict[str, int]:
    """The items without those of which there are none."""
    return {resource: amount for resource, amount in items.items() if amount}


def as_people_sort(name: str) -> tuple[str, str]:
    """The key by which lists of names are sorted for readers: capitals make no difference."""
    return name.casefold(), name


def describe_items(items: Items) -> str:
    """Items in words: “2 wheat and 1 brick”; “nothing” where there are none."""
    return (
        enumerated(
            [f"{items[resource]:,} {resource}" for resource in RESOURCES if items.get(resource)]
        )
        or "nothing"
    )
