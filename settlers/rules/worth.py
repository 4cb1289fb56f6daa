"""What an act on the isle brings and costs, said before it is done.

Pure: every number is the charts', which raise ChartBroken where one cannot be read.
"""

from collections.abc import Mapping, Sequence

from settlers.rules.charts import Building, Charts
from settlers.rules.isle import Settler, describe_items, total, yielded


def of_a_harvest(settler: Settler | None, results: Sequence[int] | None, charts: Charts) -> str:
    """What the Domains give by the last results, without bonuses and changes."""
    told = "Costs nothing; once after each Production."
    if settler is None or results is None:
        return told
    numbers = " and ".join(map(str, results))
    crop = yielded(settler.domains, results, charts.yields)
    return f"The results {numbers} give your Domains {describe_items(crop)}. {told}"


def of_a_building(
    name: str | None, buildings: Mapping[str, Building], victory: tuple[str, int]
) -> str:
    """A building's cost, its bonus, and whether it wins."""
    building = buildings.get(name or "")
    if building is None:
        return "Costs what the building costs, out of your stockpile."
    other = f" and {building.others} of one other resource" if building.others else ""
    said = [f"Costs {describe_items(building.costs)}{other}."]
    if total(building.bonus):
        bonus = " or ".join(f"{number} {thing}" for thing, number in building.bonus.items())
        said.append(f"Each harvest then gives you {bonus} more.")
    if building.frees_change:
        said.append("A Domain that you change may then take any number.")
    if building.name == victory[0]:
        said.append(f"With {victory[1]} of them you win.")
    return " ".join(said)


def of_a_swap(charts: Charts, give: str | None, take: str | None) -> str:
    """What the Merchant takes and gives."""
    given, taken = charts.merchant
    return f"You give {given} {give or 'of one resource'} and get {taken} {take or 'of another'}."
