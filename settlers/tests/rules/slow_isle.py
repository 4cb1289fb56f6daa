"""The isle a second time, slowly: written from the rule texts alone, and from nothing else.

Everything is a plain list or dict, every table is typed out anew, and nothing is clever.
"""

RESOURCES = ["wheat", "sheep", "stone", "wood", "brick"]
NUMBERS = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
YIELDS = {2: 5, 3: 4, 4: 3, 5: 2, 6: 1, 8: 1, 9: 2, 10: 3, 11: 4, 12: 5}
TWO_DICE = [first + second for first in [1, 2, 3, 4, 5, 6] for second in [1, 2, 3, 4, 5, 6]]


class SlowDeck:
    """A pile of cards."""

    def __init__(self, pile: list[int]) -> None:
        self.pile = list(pile)
        self.was_made_whole = False

    def take_out(self, card: int) -> None:
        """A card that was drawn is out of the Deck."""
        self.pile.remove(card)
        self.perhaps_make_whole()

    def perhaps_make_whole(self) -> None:
        six_or_fewer = len(self.pile) <= 6
        all_equal = len(set(self.pile)) <= 1
        if six_or_fewer or all_equal:
            self.pile = list(TWO_DICE)
            self.was_made_whole = True

    def production(self, chance) -> tuple[int, int, list[int]]:
        """Draw two results, the second one again until it differs from the first.

        `chance` gives a number from 0 up to, not including, the number of cards in the pile.
        """
        drawn = []
        first = sorted(self.pile)[chance(len(self.pile))]
        drawn.append(first)
        self.take_out(first)
        while True:
            second = sorted(self.pile)[chance(len(self.pile))]
            drawn.append(second)
            self.take_out(second)
            if second != first:
                return first, second, drawn


def slow_may_change(domains: dict, settlement: list[str], change: list | None) -> bool:
    """Whether a harvest may make that change: None, [a, b] to swap, [resource, number] to set."""
    if change is None:
        return True
    after = slow_change(domains, change)
    if after is None:
        return False
    # No number is in two Domains, and each is one that a Domain can hold.
    held = [number for number in after.values() if number is not None]
    for number in held:
        if held.count(number) > 1:
            return False
        if number not in NUMBERS:
            return False
    if isinstance(change[1], str):
        return True
    before = domains[change[0]]
    if before is None:
        return False
    if "Church" in settlement:
        return True
    return change[1] in [before - 2, before - 1, before + 1, before + 2]


def slow_change(domains: dict, change: list) -> dict | None:
    """The Domains after the change; None where it names what is none, or changes nothing."""
    if change[0] not in RESOURCES:
        return None
    after = dict(domains)
    if isinstance(change[1], str):
        if change[1] not in RESOURCES:
            return None
        after[change[0]] = domains[change[1]]
        after[change[1]] = domains[change[0]]
    else:
        after[change[0]] = change[1]
    if after == domains:
        return None
    return after


def slow_may_take(settlement: list[str], bonuses: list[list[str]]) -> bool:
    """Whether these bonuses, [building, what is taken], may be taken: each Building's once."""
    still_there = list(settlement)
    for building, taken in bonuses:
        if building not in still_there:
            return False
        still_there.remove(building)
        if building == "Farm" and taken not in ["sheep", "wheat"]:
            return False
        if building == "Quarry" and taken not in ["", "stone"]:
            return False
        if building in ["Church", "Cone"]:
            return False
    return True


def slow_harvest(
    domains: dict, results: list[int], change: list | None, bonuses: list[list[str]]
) -> tuple[dict, dict]:
    """What is gained of every resource, and the Domains afterwards."""
    gained = {"wheat": 0, "sheep": 0, "stone": 0, "wood": 0, "brick": 0}
    for resource in RESOURCES:
        number = domains[resource]
        if number == results[0] or number == results[1]:
            gained[resource] = gained[resource] + YIELDS.get(number, 0)
    after = domains if change is None else slow_change(domains, change)
    for building, taken in bonuses:
        if building == "Farm":
            gained[taken] = gained[taken] + 1
        if building == "Quarry":
            gained["stone"] = gained["stone"] + 1
    return gained, after


def slow_thug(case: dict) -> dict:
    """The Thug's steps for {"settlers": {name: {"stockpile": ..., "bribe": ...}}}, one by one."""
    settlers = case["settlers"]
    values, paid, stockpiles = {}, {}, {}
    # Calculate the Bribe Value of each Settler.
    for name in settlers:
        value = 0
        for item in RESOURCES:
            if settlers[name]["bribe"].get(item, 0) >= 1:
                value = value + 1
        for item in RESOURCES:
            if settlers[name]["bribe"].get(item, 0) >= 3:
                value = value + 2
        values[name] = value
    # Each pays, item by item; what is not there cannot be paid, and then the value is 0.
    for name in settlers:
        stockpiles[name] = dict(settlers[name]["stockpile"])
        paid[name] = {}
        for item in RESOURCES:
            for _ in range(settlers[name]["bribe"].get(item, 0)):
                if stockpiles[name].get(item, 0) > 0:
                    stockpiles[name][item] = stockpiles[name][item] - 1
                    paid[name][item] = paid[name].get(item, 0) + 1
                else:
                    values[name] = 0
    # The Targets: the lowest of those who do not have an empty Stockpile.
    targets = []
    for name in settlers:
        if all(amount == 0 for amount in stockpiles[name].values()):
            continue
        is_lowest = True
        for rival in settlers:
            other_is_empty = all(amount == 0 for amount in stockpiles[rival].values())
            if not other_is_empty and values[rival] < values[name]:
                is_lowest = False
        if is_lowest:
            targets.append(name)
    targets.sort()
    return {"values": values, "paid": paid, "stockpiles": stockpiles, "targets": targets}
