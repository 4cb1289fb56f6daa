"""Acting twice on one page of the isle, in Chromium: what is sent anew counts, no double click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from nomic.games.models import Game
from settlers.models import Bribe
from settlers.tests.stage import bring_the_thug, hours, results_are, visitor_is
from settlers.tests.web.test_browser_isle import at_home, game, receipt, row_of  # noqa: F401
from tests.kit import at_the_table
from tests.kit.browser import Sit, faults

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def the_thug_comes(game: Game) -> None:  # noqa: F811
    with at_the_table(game) as table:
        bring_the_thug(table)
    visitor_is(game, "Thug")


def told_by(game: Game) -> int:  # noqa: F811
    return game.sealed_entries.filter(name="settlers.bribe").count()


@pytest.mark.thorough
def test_a_second_bribe_counts_without_a_reload(sit: Sit, game: Game) -> None:  # noqa: F811
    the_thug_comes(game)
    page = at_home(sit(), "Murphy")
    bribe, own = page.locator("#form-settlers-bribe"), page.locator("#private")
    for amount in ("1", "2"):
        bribe.get_by_label("wheat").fill(amount)
        bribe.get_by_role("button", name="Tell").click()
        expect(own).to_contain_text(f"Your bribe: {amount} wheat")
        expect(receipt(page)).not_to_contain_text("done already")
    assert Bribe.objects.get().items == {"wheat": 2}
    assert told_by(game) == 2


def test_a_double_click_counts_once(sit: Sit, game: Game) -> None:  # noqa: F811
    the_thug_comes(game)
    page = at_home(sit(), "Murphy")
    bribe = page.locator("#form-settlers-bribe")
    bribe.get_by_label("wheat").fill("2")
    tell = bribe.get_by_role("button", name="Tell")
    tell.click()
    expect(receipt(page)).to_contain_text("2 wheat")
    where = tell.bounding_box()
    assert where is not None
    page.mouse.move(where["x"] + 5, where["y"] + 5)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    expect(page.locator("#private")).to_contain_text("Your bribe: 2 wheat")
    bribe.get_by_label("wheat").fill("3")
    tell.click()
    expect(page.locator("#private")).to_contain_text("Your bribe: 3 wheat")
    assert told_by(game) == 2


@pytest.mark.thorough
def test_after_a_harvest_that_changed_a_domain_the_next_one_is_to_be_had(
    sit: Sit,
    game: Game,  # noqa: F811
) -> None:
    page = at_home(sit(), "Murphy")
    for production, number in ((1, "8"), (2, "9")):
        expect(page.locator("#harvest")).to_be_visible()
        page.get_by_label("Domain to change").select_option("brick")
        page.get_by_label("New number").select_option(number)
        page.get_by_role("button", name="Harvest", exact=True).click()
        expect(receipt(page)).to_contain_text(f"sets brick to {number}")
        expect(receipt(page)).not_to_contain_text("done already")
        expect(page.locator("#harvest")).to_have_count(0)
        expect(page.locator(".moved-on")).to_be_hidden()
        assert row_of("Murphy").harvested_in == production
        hours(game, 48)
        results_are(game, 2, 6)
        expect(page.locator("#picture")).to_contain_text("They bring you")
    assert row_of("Murphy").brick_domain == 9


@pytest.mark.thorough
def test_a_form_in_use_waits_and_can_be_brought_up_to_date(
    sit: Sit,
    game: Game,  # noqa: F811
) -> None:
    page = at_home(sit(390), "Murphy")
    page.get_by_label("New number").select_option("12")
    hours(game, 48)
    expect(page.locator("#page_forms")).to_contain_text("The isle has moved on")
    expect(page.get_by_label("New number")).to_have_value("12")
    assert faults(page) == []
    page.get_by_role("link", name="Bring it up to date").click()
    expect(page.locator(".moved-on")).to_be_hidden()
    expect(page.get_by_label("New number")).not_to_have_value("12")
