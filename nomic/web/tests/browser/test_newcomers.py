"""The first minutes of somebody new, at a telephone and at a desk, with JavaScript and without."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.web.demonstration import report_filling
from tests.kit import WEDNESDAY
from tests.kit.browser import PASSWORD, Sit, faults

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE, DESK = 390, 1280


@pytest.fixture
def demo(live_server: Any) -> Game:
    game = new_game("demo", "demo", pace="manual", start=WEDNESDAY)[0]
    host = User.objects.create_user("Host")
    take("demo", host, "games.join", {"name": "Host"})
    for number in range(6):
        sent = {"title": f"Title {number}", "body": "Nothing."}
        take("demo", host, "proposals.submit", sent)
    return game


def try_it(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Try it now").click()
    page.wait_for_url("**/g/demo/")


@pytest.mark.parametrize(
    ("width", "script", "scheme"),
    [
        (PHONE, True, "dark"),
        pytest.param(PHONE, False, "light", marks=pytest.mark.thorough),
        pytest.param(DESK, True, "light", marks=pytest.mark.slow),
        pytest.param(DESK, False, "dark", marks=pytest.mark.slow),
    ],
)
def test_a_guest_comes_votes_bets_and_stays(
    sit: Sit, demo: Game, width: int, script: bool, scheme: str
) -> None:
    page = sit(width, script=script, scheme=scheme)
    page.goto("/")
    expect(page.get_by_role("img", name="A vote that changes a rule")).to_be_visible()
    try_it(page)
    expect(page.locator("#receipt")).to_contain_text("You have a seat")
    page.locator("#waiting").get_by_role("button", name="FOR (Vote on Proposal 2").click()
    expect(page.locator("#receipt")).to_contain_text("votes FOR on Proposal 2")
    expect(page.locator("#receipt")).to_be_in_viewport()
    expect(page.locator("#waiting")).to_be_in_viewport()
    tour = page.get_by_label("First tour")
    expect(tour).to_contain_text("1 of 5")
    tour.get_by_role("link", name="Bet on a horse").first.click()
    expect(page.locator("#picture")).to_be_in_viewport()
    page.get_by_role("link", name=re.compile("^Fargo, .*what you can do")).click()
    page.get_by_role("button", name=re.compile("^Bet 1 on Fargo")).click()
    expect(page.locator("#receipt")).to_contain_text("bets 1 dollary on Fargo")
    expect(tour).to_contain_text("2 of 5")

    page.get_by_role("link", name="Keep this seat").first.click()
    page.get_by_label("Name", exact=True).fill("newcomer")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Keep this seat").click()
    page.wait_for_url("**/g/demo/")
    expect(page.get_by_role("navigation", name="Site")).to_contain_text("newcomer")
    expect(tour).to_contain_text("2 of 5")


@pytest.mark.thorough
def test_a_vote_on_a_phone_leaves_the_page_where_it_was(sit: Sit, demo: Game) -> None:
    page = sit(PHONE)
    try_it(page)
    page.goto("/g/demo/proposals/")
    button = page.get_by_role("button", name="FOR on Proposal 4")
    button.scroll_into_view_if_needed()
    before = page.evaluate("window.scrollY")
    button.click()
    expect(page.locator("#receipt")).to_contain_text("votes FOR on Proposal 4")
    expect(page.locator("#receipt")).to_be_in_viewport()
    assert abs(page.evaluate("window.scrollY") - before) < 250
    assert before > 500


OF_THE_PAGE = """() => {
  const place = (part) => part && part.getBoundingClientRect();
  const seen = [...document.querySelectorAll("main svg")].map(place);
  return {
    tall: document.documentElement.scrollHeight,
    sideways: document.documentElement.scrollWidth > innerWidth,
    board: Math.min(...seen.filter(({ width }) => width > 200).map(({ top }) => top)),
    waits: place(document.querySelector("#waiting"))?.bottom ?? 0,
    bar: [...document.querySelectorAll(".tabs a")].map(place).filter(({ height }) => height)
      .map(({ height, bottom }) => height >= 44 && bottom <= innerHeight),
  };
}"""
"""How far down the page things are, at its top, in CSS pixels."""

FOUR_SCREENS = 4 * 844
PLACES = ("", "horses/", "proposals/", "settlers/", "aceofspades/")


@pytest.mark.thorough
@pytest.mark.parametrize("seated", [True, False])
def test_on_a_phone_each_page_begins_with_its_board(sit: Sit, demo: Game, seated: bool) -> None:
    page = sit(PHONE)
    if seated:
        try_it(page)
    for place in PLACES:
        page.goto(f"/g/demo/{place}")
        told = page.evaluate(OF_THE_PAGE)
        assert told["board"] <= 700
        assert told["waits"] <= 2 * 844
        assert told["bar"] == [True] * 5
        assert not told["sideways"]
        if place != "proposals/":  # which has so many open at once
            assert told["tall"] <= FOUR_SCREENS
    page.goto("/g/demo/dice/")
    assert page.evaluate(OF_THE_PAGE)["tall"] <= FOUR_SCREENS


@pytest.mark.thorough
def test_a_horse_that_is_tapped_has_its_bet_below_the_track(sit: Sit, demo: Game) -> None:
    for script in (True, False):
        page = sit(PHONE, script=script)
        try_it(page)
        page.goto("/g/demo/horses/")
        page.get_by_role("link", name="what you can do with Fargo").click()
        bet = page.get_by_role("button", name=re.compile("^Bet 2 on Fargo"))
        expect(bet).to_be_in_viewport()
        bet.click()
        expect(page.locator("#receipt")).to_contain_text("bets 2 dollaries on Fargo")


def test_at_a_desk_six_tabs_stand_beside_more(sit: Sit, demo: Game) -> None:
    page = sit(DESK, script=False)
    page.goto("/g/demo/")
    assert page.locator(".tabs a:visible").count() == 6
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Dice", exact=True).click()
    expect(page).to_have_url(re.compile("/g/demo/dice/"))


@pytest.mark.thorough
def test_what_a_newcomer_sees_is_clean(sit: Sit, demo: Game) -> None:
    found: list[str] = []
    for width, scheme in ((PHONE, "dark"), (DESK, "light")):
        page = sit(width, scheme=scheme)
        page.goto("/")
        found += faults(page)
        try_it(page)
        for path in ("/g/demo/", "/", "/keep/", "/settings/", "/g/demo/horses/"):
            page.goto(path)
            if path == "/g/demo/":
                page.get_by_text("All 5 steps").click()
            found += faults(page)
    report_filling("demo", "Week 3 is played.", 3, 10)
    for path in ("/", "/g/demo/"):
        page = sit(PHONE)
        page.goto(path)
        found += faults(page)
    assert not found
