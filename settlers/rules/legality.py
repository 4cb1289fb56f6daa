"""Which acts of a Settler are legal, and the sentence why not (BlogNomic, January 2023).

Pure. Every function says whether one act is legal, and takes None for what has not been chosen
yet: then it refuses only where no choice would do.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from nomic.games.refusal import Refusal
from nomic.rulebook.charts import cut
from settlers.rules.charts import Building, Charts
from settlers.rules.isle import (
    RESOURCES,
    Bonus,
    Change,
    Items,
    Settler,
    Shift,
    choices_for,
    describe_cost,
    describe_items,
    has_free_change,
    missing,
    paid_for,
    total,
)
from settlers.rules.titles import DECK, GIFT, MERCHANT

_refused = partial(Refusal, rule=GIFT)


def harvest_refusal(
    settler: Settler,
    results: tuple[int, int] | None,
    charts: Charts,
    change: Change | None = None,
    bonuses: Sequence[Bonus] = (),
) -> Refusal | None:
    """Once since the most recent Production, not for the Injured, with a legal change and bonuses.

    `results` are that Production's, None where there was none yet.
    """
    if results is None:
        sentence = "There is nothing to harvest yet. Wait for the first Production of Resources."
        return _refused("no_production", sentence)
    if settler.injured and charts.injury_bars:
        return _refused(
            "injured",
            "You are on the Injured list and cannot harvest: wait for the next Production of"
            " Resources.",
        )
    if settler.harvested:
        return _refused(
            "already_harvested",
            "You have harvested since the most recent Production of Resources: wait for the next"
            " one.",
        )
    return change_refusal(settler, charts, change) or bonuses_refusal(settler, charts, bonuses)


def change_refusal(settler: Settler, charts: Charts, change: Change | None) -> Refusal | None:
    """A swap of two Domains, or one number changed a little, or freely where a Building says so."""
    if isinstance(change, Shift):
        return _shift_refusal(settler, charts, change.resource, change.number)
    if change is None:
        return None
    a, b = change.a, change.b
    if refusal := _unknown(a) or _unknown(b):
        return refusal
    if a == b:
        return _refused("same_domain", f"A swap is of two Domains: choose another than {a}.")
    if settler.domains.get(a) is None and settler.domains.get(b) is None:
        sentence = f"Your Domains of {a} and {b} are both empty: choose one that holds a number."
        return _refused("empty_domain", sentence)
    return None


def _shift_refusal(settler: Settler, charts: Charts, resource: str, number: int) -> Refusal | None:
    if refusal := _unknown(resource):
        return refusal
    current = settler.domains.get(resource)
    if current is None:
        return _refused(
            "empty_domain", f"Your Domain of {resource} is empty: choose one that holds a number."
        )
    if number not in charts.yields:
        numbers = ", ".join(map(str, sorted(charts.yields)))
        return _refused("no_such_number", f"A Domain cannot hold {number}, only {numbers}.")
    if number == current:
        return _refused(
            "same_number",
            f"Your Domain of {resource} holds {current} already: choose another number or no"
            " change.",
        )
    holder = next((r for r, held in settler.domains.items() if held == number), None)
    if holder is not None:
        return _refused(
            "number_taken",
            f"Your Domain of {holder} holds {number}, and no number is in two of your Domains:"
            " choose another number, or swap the two.",
        )
    if abs(number - current) <= charts.change_by or has_free_change(settler, charts):
        return None
    freeing = [name for name, building in charts.buildings.items() if building.frees_change]
    build = f", or build a {' or a '.join(freeing)} first" if freeing else ""
    sentence = (
        f"From {current} to {number} is further than {charts.change_by}: choose a nearer"
        f" number{build}."
    )
    return _refused("too_far", sentence)


def bonuses_refusal(settler: Settler, charts: Charts, bonuses: Sequence[Bonus]) -> Refusal | None:
    """The Harvest Bonus of each of one's Buildings, each once, with a choice where there is one."""
    owned = Counter(settler.buildings)
    taken: Counter[str] = Counter()
    for bonus in bonuses:
        name, building = bonus.building, charts.buildings.get(bonus.building)
        taken[name] += 1
        if not owned[name]:
            return _refused(
                "not_built",
                f"There is no {name} in your Settlement: build one first, or leave out its bonus.",
            )
        if taken[name] > owned[name]:
            return _refused(
                "bonus_taken_twice",
                f"You take the bonus of {name} {taken[name]} times and have {owned[name]} of it:"
                " each Building gives its bonus once in a harvest.",
            )
        if building is None or not building.bonus:
            return _refused(
                "no_bonus", f"{name} gives no resource in a harvest: leave out its bonus."
            )
        options = " or ".join(f"{amount} {resource}" for resource, amount in building.bonus.items())
        if not bonus.choice and len(building.bonus) > 1:
            return _refused("choice_missing", f"{name} gives {options}: say which you take.")
        if bonus.choice and bonus.choice not in building.bonus:
            sentence = f"{name} does not give {bonus.choice}, but {options}: choose of these."
            return _refused("no_such_choice", sentence)
    return None


def build_refusal(
    settler: Settler, building: str | None, chosen: str | None, buildings: Mapping[str, Building]
) -> Refusal | None:
    """A Building is paid out of the Stockpile, in full.

    `chosen` is the resource taken for the other one of the cost: "" says that none is, None
    that it is not chosen yet.
    """
    if building is not None:
        return _this_building(settler, building, chosen, buildings)
    refusals = [_this_building(settler, name, None, buildings) for name in buildings]
    if not refusals or None in refusals:
        return None
    return _refused(
        "too_little",
        f"Your Stockpile of {describe_items(settler.stockpile)} pays for no Building: harvest or"
        " trade first.",
    )


def _this_building(
    settler: Settler, name: str, chosen: str | None, buildings: Mapping[str, Building]
) -> Refusal | None:
    building = buildings.get(name)
    if building is None:
        sentence = f"There is no building “{name}”. The buildings are {', '.join(buildings)}."
        return _refused("no_such_building", sentence)
    choices = choices_for(building)
    if chosen is None or not (chosen or choices):
        prices = [paid_for(building, resource) for resource in choices] or [paid_for(building)]
        if any(not missing(settler.stockpile, cost) for cost in prices):
            return None
        return _too_little(f"{name} costs {describe_cost(building)}", settler, "harvest")
    if not chosen:
        return _refused(
            "other_missing",
            f"{name} costs {building.of_one_other} of one other resource: choose"
            f" {' or '.join(choices)}.",
        )
    if chosen not in choices:
        advice = f"choose {' or '.join(choices)}" if choices else "leave it out"
        return _refused(
            "no_such_other", f"{chosen} cannot be the other resource of {name}: {advice}."
        )
    if not missing(settler.stockpile, paid_for(building, chosen)):
        return None
    return _too_little(
        f"{name} costs {describe_items(paid_for(building, chosen))}", settler, "harvest"
    )


def merchant_refusal(
    settler: Settler, is_here: bool, give: str | None, take: str | None, charts: Charts
) -> Refusal | None:
    """Once during a visit of the Merchant, some of one resource for some of another one."""
    if not is_here:
        return Refusal(
            "no_merchant", "The Merchant is not here: wait until it is the Visitor.", MERCHANT
        )
    if MERCHANT in settler.used:
        sentence = "You have swapped with the Merchant during this visit: wait for the next one."
        return Refusal("merchant_used", sentence, MERCHANT)
    for resource in (give, take):
        if resource is not None and (refusal := _unknown(resource, MERCHANT)):
            return refusal
    if give is not None and give == take:
        sentence = f"You would take {give} for {give}: choose another resource to take."
        return Refusal("same_resource", sentence, MERCHANT)
    price, _ = charts.merchant
    offered = RESOURCES if give is None else (give,)
    if any(settler.stockpile.get(resource, 0) >= price for resource in offered):
        return None
    kind = "one resource" if give is None else give
    return _too_little(f"The Merchant takes {price} of {kind}", settler, "harvest", MERCHANT)


def offer_refusal(
    by: Settler, to: str | None, give: Items | None, take: Items | None, charts: Charts
) -> Refusal | None:
    """An offer to one other Settler, with two sides that are not empty and nearly as large."""
    if by.traded:
        return _traded("You have")
    if to is not None and to == by.name:
        return _refused("same_settler", "A trade is with another Settler: choose somebody else.")
    if refusal := _sides_refusal(give, take, charts):
        return refusal
    if missing(by.stockpile, give or {}) or not total(by.stockpile):
        need = f"You offer {describe_items(give)}" if give else "An offer has items"
        return _too_little(need, by, "get")
    return None


def _sides_refusal(give: Items | None, take: Items | None, charts: Charts) -> Refusal | None:
    """Each side has an item at least, and they differ by no more than the rule's table says."""
    if refusal := _side_refusal(give, "give") or _side_refusal(take, "take"):
        return refusal
    if give is None or take is None or abs(total(give) - total(take)) <= charts.trade_gap:
        return None
    return _refused(
        "too_uneven",
        f"You give {total(give):,} and take {total(take):,}: the two sides may differ by at most"
        f" {charts.trade_gap} items.",
    )


def accept_refusal(
    by: Settler, to: Settler, give: Items, take: Items, charts: Charts
) -> Refusal | None:
    """`to` accepts what `by` offered: `by` gives `give` and takes `take`.

    Both must have what they give, neither have traded since the most recent Production, and the
    sides be as the rules of this moment want them.
    """
    if to.traded:
        return _traded("You have")
    if by.traded:
        return _traded(f"{by.name} has")
    if refusal := _sides_refusal(take, give, charts):
        return refusal
    if missing(to.stockpile, take):
        return _too_little(f"{by.name} asks for {describe_items(take)}", to, "get")
    if lacking := missing(by.stockpile, give):
        return _refused(
            "too_little",
            f"{by.name} offered {describe_items(give)} and lacks {describe_items(lacking)}: it can"
            " be accepted when they have it again.",
        )
    return None


def ready_refusal(settler: Settler, ready: bool | None) -> Refusal | None:
    """The flag can be set either way; setting it as it stands says nothing."""
    if ready is None or ready != settler.ready:
        return None
    state = "Ready already" if ready else "not Ready anyway"
    return Refusal("as_it_stands", f"You are {state}.", DECK)


def alliance_refusal(settler: Settler, ally: str | None, listed: bool | None) -> Refusal | None:
    """An Alliance list holds other Settlers; `listed` says whether `ally` is to stand on it."""
    if ally is None:
        return None
    if ally == settler.name:
        return _refused(
            "same_settler", "Your Alliance list is for other Settlers: choose somebody else."
        )
    if listed is None or listed != (ally in settler.alliance):
        return None
    state = "stands on your Alliance list already" if listed else "is not on your Alliance list"
    return _refused("as_it_stands", f"{ally} {state}. Choose somebody else.")


def _unknown(resource: str, rule: str = GIFT) -> Refusal | None:
    if resource in RESOURCES:
        return None
    sentence = (
        f"{cut(resource)} is no resource of the isle. The resources are {', '.join(RESOURCES)}."
    )
    return Refusal("no_such_resource", sentence, rule)


def _side_refusal(items: Items | None, verb: str) -> Refusal | None:
    if items is None or total(items):
        return None
    return _refused(
        "empty_side", f"You {verb} nothing: each side of a trade has at least one item."
    )


def _traded(subject: str) -> Refusal:
    sentence = (
        f"{subject} traded since the most recent Production of Resources: wait for the next one."
    )
    return _refused("already_traded", sentence)


def _too_little(need: str, settler: Settler, how: str, rule: str = GIFT) -> Refusal:
    ways = {"harvest": "harvest or trade first", "get": "get what is missing first"}
    sentence = f"{need}, and your Stockpile has {describe_items(settler.stockpile)}: {ways[how]}."
    return Refusal("too_little", sentence, rule)
