"""What an act on the isle brings and costs, from the tables in force."""

import pytest

from settlers.rules import worth
from settlers.rules.charts import shipped_charts
from settlers.rules.isle import RESOURCES, Settler

CHARTS = shipped_charts()


def test_a_harvest_says_what_the_domains_give() -> None:
    numbers = dict(zip(RESOURCES, sorted(CHARTS.yields), strict=False))
    settler = Settler("Murphy", domains=numbers)
    first = RESOURCES[0]
    told = worth.of_a_harvest(settler, (numbers[first], numbers[first]), CHARTS)
    assert f"{first}. Costs nothing; once after each Production." in told
    assert "nothing. Costs nothing" in worth.of_a_harvest(settler, (99, 99), CHARTS)
    assert worth.of_a_harvest(None, None, CHARTS).startswith("Costs nothing")


@pytest.mark.parametrize("name", CHARTS.buildings)
def test_a_building_says_its_cost_and_what_it_does(name: str) -> None:
    told = worth.of_a_building(name, CHARTS.buildings, CHARTS.victory)
    assert told.startswith("Costs ")
    assert ("you win" in told) == (name == CHARTS.victory[0])


def test_a_swap_says_both_sides() -> None:
    given, taken = CHARTS.merchant
    told = worth.of_a_swap(CHARTS, "brick", "wheat")
    assert told == f"You give {given} brick and get {taken} wheat."
