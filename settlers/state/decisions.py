"""The decisions of programs on the isle: the yield of Domains, and the cost of Buildings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nomic.engine.programs.hooks import decided, publish, unfit_amount
from nomic.engine.table import Table
from settlers.rules import isle as rules
from settlers.rules.charts import Building
from settlers.rules.isle import RESOURCES, Bonus, Change, HarvestGains, Settler
from settlers.state.reading import State


def _unfit_items(table: Table, items: Mapping[str, int]) -> str:
    if odd := sorted(items.keys() - {*RESOURCES}):
        return f"“{odd[0][:40]}” is none of {', '.join(RESOURCES)}"
    return next(filter(None, (unfit_amount(table, amount) for amount in items.values())), "")


YIELD = publish(
    "settlers.yield",
    "dict[str, int]",
    "What a Settler's Domains bring at a harvest, by resource; Buildings bring more.",
    {"player": "Player", "crop": "dict[str, int]"},
    _unfit_items,
)
COST = publish(
    "settlers.cost",
    "dict[str, int]",
    "What a Building costs a Settler, by resource; what they may choose comes to it.",
    {"player": "Player", "building": "str", "cost": "dict[str, int]"},
    _unfit_items,
)


def harvest(
    state: State,
    settler: Settler,
    results: tuple[int, int],
    change: Change | None,
    bonuses: Sequence[Bonus],
) -> HarvestGains:
    """A legal harvest of that Settler. Raises TableBroken."""
    crop = rules.harvest(settler, results, state.charts, change, bonuses)
    own_crop = dict(crop.from_domains)
    brought: Any = decided(state.table, YIELD, own_crop, player=settler.name, crop=own_crop)
    gained = rules.plus(brought, crop.from_buildings)
    return replace(crop, from_domains=brought, gained=gained)


def buildings_for(state: State, settler: Settler) -> dict[str, Building]:
    """The Buildings of the rules, with what each costs that Settler. Raises TableBroken."""
    return {
        name: _with_cost(state, settler, building)
        for name, building in state.charts.buildings.items()
    }


def _with_cost(state: State, settler: Settler, building: Building) -> Building:
    def leaves_no_choice(cost: Mapping[str, int]) -> str:
        if building.of_one_other and len(cost) >= len(RESOURCES):
            return "it leaves no other resource to choose"
        return ""

    costs = dict(building.costs)
    cost = decided(
        state.table,
        COST,
        costs,
        unfit=leaves_no_choice,
        player=settler.name,
        building=building.name,
        cost=costs,
    )
    return replace(building, costs=cost)
