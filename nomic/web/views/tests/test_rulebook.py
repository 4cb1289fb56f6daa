"""The rulebook's pages: numbers, subrules under their parents, versions side by side."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from nomic.games.models import Game
from tests.kit import Visitor, at_the_table, tight

RULES = "/g/table/rules/"


@pytest.fixture
def visitors(game: Game) -> Game:
    """A rule with two subrules, one of which has one itself, and a rule between them."""
    with at_the_table(game) as table:
        visitors = table.rules.enact("Visitors", "Who comes.\n", number="4")
        table.rules.enact("Seals", "Seals are kept.\n", number="5")
        thug = table.rules.enact("Thug", "A thug.\n", parent=visitors)
        table.rules.enact("Trader", "A trader.\n", parent=visitors)
        table.rules.enact("Henchman", "A henchman.\n", parent=thug)
    return game


def address(game: Game, title: str) -> str:
    return f"{RULES}x-{game.rules.get(title=title).pk}/"


def test_subrules_stand_under_their_parents(visitors: Game, visit: Visitor):
    page = tight(visit().get(RULES).content.decode())
    listed = re.findall(r'<li\s*(?:class="(under-\d)")?\s*>\s*<a href="[^"]*">([^<]*)</a>', page)
    assert listed[-5:] == [
        ("", "4 · Visitors"),
        ("under-1", "Thug"),
        ("under-2", "Henchman"),
        ("under-1", "Trader"),
        ("", "5 · Seals"),
    ]
    assert "subrule of Visitors" in page


def test_a_rule_names_its_parent_and_its_subrules(visitors: Game, visit: Visitor):
    page = visit().get(address(visitors, "Thug")).content.decode()
    assert re.search(r'subrule of <a href="[^"]*visitors-\d+/">Visitors</a>', page)
    assert re.search(r'<h2>Subrules</h2>.*<a href="[^"]*henchman-\d+/">Henchman</a>', page, re.S)
    assert "Trader" not in page


@pytest.mark.parametrize("power", ["3.1", "100", "0"])
def test_a_rules_power_stands_on_its_page_and_in_the_list(game: Game, visit: Visitor, power: str):
    with at_the_table(game) as table:
        table.rules.enact("Seals", "Seals are kept.\n", power=power)
    for path in (RULES, address(game, "Seals")):
        assert re.findall(">power ([^<]*)<", visit().get(path).content.decode()) == [power]


def test_a_private_rule_is_named_on_no_page_of_its_relatives(game: Game, visit: Visitor):
    with at_the_table(game) as table:
        hidden = table.rules.enact("Canary", "A canary.\n", visibility="private")
        child = table.rules.enact("Seals", "Seals are kept.\n", parent=hidden)
        table.rules.enact("Canary egg", "An egg.\n", parent=child, visibility="private")
    for path in (RULES, address(game, "Seals"), "/api/v1/games/table/rules"):
        page = visit().get(path).content.decode()
        assert "Seals" in page
        assert "anary" not in page


def test_subrules_that_went_with_their_parent_are_still_on_its_page(visitors: Game, visit: Visitor):
    with at_the_table(visitors) as table:
        table.rules.repeal("Trader")
    with at_the_table(visitors) as table:
        table.rules.repeal("Visitors")
    page = visit().get(address(visitors, "Visitors")).content.decode()
    assert "repealed in" in page
    assert "Thug" in page
    assert "Trader" not in page


@pytest.mark.thorough
def test_rules_under_rules_without_end_are_still_a_page(game: Game, visit: Visitor):
    with at_the_table(game) as table:
        parent = None
        for depth in range(300):
            parent = table.rules.enact(f"Depth {depth}", "Text.\n", parent=parent)
    pages = [visit().get(f"{RULES}?page={number}").content.decode() for number in (1, 2)]
    assert sum(page.count('class="under-4"') for page in pages) == 296
    assert "The next page" in pages[0]
    assert "The next page" not in pages[1]


def test_a_new_title_is_told_beside_the_same_text(visitors: Game, visit: Visitor):
    with at_the_table(visitors) as table:
        table.rules.retitle("Seals", "Walruses")
    page = visit().get(f"{address(visitors, 'Walruses')}?from=1&to=2").content.decode()
    assert "The title was “Seals” and is “Walruses”." in page
    assert "The text is the same in both." in page


def test_more_rules_cost_no_more_queries(game: Game, visit: Visitor, django_assert_max_num_queries):
    with at_the_table(game) as table:
        parent = table.rules.enact("Visitors", "Who comes.\n")
        for number in range(60):
            table.rules.enact(f"Rule {number}", "Text.\n", parent=parent)
    for path in (RULES, address(game, "Visitors"), address(game, "Rule 7")):
        with django_assert_max_num_queries(12):
            visit().get(path)


@pytest.mark.thorough
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("script", [True, False])
def test_two_versions_are_compared_by_two_lists_and_a_button(visitors: Game, sit, script: bool):
    with at_the_table(visitors) as table:
        table.rules.amend("Seals", "Seals are kept well.\n")
    with at_the_table(visitors) as table:
        table.rules.amend("Seals", "Seals and walruses are kept well.\n")
    page: Page = sit(390, script=script)
    page.goto(address(visitors, "Seals"))
    page.get_by_label("Compare version").select_option("1")
    page.get_by_label("with version").select_option("3")
    page.get_by_role("button", name="Show the differences").click()
    expect(page.get_by_role("heading", name="From version 1 to version 3")).to_be_visible()
    expect(page.locator(".differences ins mark").first).to_have_text("and walruses")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") if script else True
