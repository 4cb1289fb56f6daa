"""The Thug: what Bribes are worth, what is paid, and whom he may turn on (Protection Money).

Pure, and linear in the number of Settlers. Who of the Targets becomes the Victim is left to chance.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from settlers.rules.items import Items


@dataclass(frozen=True, slots=True)
class BribeTerms:
    """The number that a Bribe Value begins at, and those that each type of item adds to it.

    `steps` are pairs: of at least how many items, and how much that adds. Every pair whose amount
    is reached adds its own.
    """

    start: int
    steps: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ThugVisit:
    """The outcome of the Thug's steps up to the choice of a Victim.

    `values` are the Bribe Values after payment, `paid` what was really paid, `stockpiles` what is
    left, all by Settler; `targets` are names in alphabetical order, none if all have nothing left.
    """

    values: Mapping[str, int]
    paid: Mapping[str, Items]
    stockpiles: Mapping[str, Items]
    targets: tuple[str, ...]


def bribe_value(bribe: Items, terms: BribeTerms) -> int:
    """The Bribe Value by those terms, as long as the Settler has all of its items."""
    return terms.start + sum(
        added
        for amount in bribe.values()
        for threshold, added in terms.steps
        if amount >= threshold
    )


def collect_bribes(
    stockpiles: Mapping[str, Items], bribes: Mapping[str, Items], terms: BribeTerms
) -> ThugVisit:
    """The Thug's steps in the source's order: values, payment, Targets.

    A Settler who has too little of an item pays what there is and their value becomes 0. Who has
    nothing left after paying is no Target.
    """
    values = {name: bribe_value(bribes.get(name, {}), terms) for name in stockpiles}
    paid: dict[str, Items] = {}
    remaining: dict[str, Items] = {}
    for name, stockpile in stockpiles.items():
        bribe = bribes.get(name, {})
        paid[name], remaining[name] = _pay(stockpile, bribe)
        if any(stockpile.get(resource, 0) < amount for resource, amount in bribe.items()):
            values[name] = 0
    # Asked after the payment, behind which the step of the Targets stands: who pays all they have
    # cannot become a Victim, and who has nothing needs to bribe nobody.
    with_something = [name for name, stockpile in remaining.items() if any(stockpile.values())]
    lowest = min((values[name] for name in with_something), default=0)
    targets = tuple(sorted(name for name in with_something if values[name] == lowest))
    return ThugVisit(values, paid, remaining, targets)


def _pay(stockpile: Items, bribe: Items) -> tuple[Items, Items]:
    """The items of the Bribe that are paid, and the Stockpile after it."""
    paid = {resource: min(amount, stockpile.get(resource, 0)) for resource, amount in bribe.items()}
    remaining = {resource: amount - paid.get(resource, 0) for resource, amount in stockpile.items()}
    return {resource: amount for resource, amount in paid.items() if amount}, remaining
