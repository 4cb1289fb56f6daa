"""People on the isle in Chromium: a harvest, a trade between two, a bribe that nobody sees."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from settlers.models import Settler as Row
from settlers.tests.crowd import settle_many
from settlers.tests.stage import bring_the_thug, give, hours, place, results_are, visitor_is
from tests.kit import WEDNESDAY, at_the_table
from tests.kit.browser import Sit, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE = "/g/table/settlers/"
NUMBERS = {"wheat": 2, "sheep": 3, "stone": 4, "wood": 5, "brick": 6}


@pytest.fixture
def game(live_server: Any) -> Game:
    """Murphy and Madrid after a Production of 2 and 6, snail the Onlooker."""
    game = new_game("table", "multa", pace="manual", start=WEDNESDAY)[0]
    users = {name: person(name) for name in ("snail", "Murphy", "Madrid")}
    for name, user in users.items():
        take(game.slug, user, "games.join", {"name": name})
    take(game.slug, users["snail"], "games.take_office", {"office": "Onlooker"})
    for name in ("Murphy", "Madrid"):
        take(game.slug, users[name], "settlers.join", {})
    hours(game, 48)
    for name in ("Murphy", "Madrid"):
        seat = game.players.select_related("holder").get(name=name)
        place(seat, domains=NUMBERS, buildings=["Farm"])
        with at_the_table(game) as table:
            give(table, seat, wheat=2, wood=2)
    results_are(game, 2, 6)
    return game


def row_of(name: str) -> Row:
    return Row.objects.get(player__name=name)


def receipt(page: Page) -> Any:
    return page.locator("#receipt")


def at_home(page: Page, name: str) -> Page:
    """That person at the isle's page."""
    sign_in(page, name)
    page.goto(PAGE)
    return page


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", marks=pytest.mark.thorough), (390, "dark")]
)
def test_a_settler_sees_what_a_harvest_brings_and_harvests(
    width: int,
    scheme: str,
    sit: Sit,
    game: Game,
) -> None:
    page = at_home(sit(width, scheme=scheme), "Murphy")
    foreseen = page.locator("#harvest-preview")
    expect(foreseen).to_contain_text("5 wheat, 1 sheep and 1 brick")
    assert faults(page) == []

    page.get_by_role("radio", name="swap").check()
    expect(foreseen.locator("del").first).to_have_text("2")
    page.get_by_label("Second Domain").select_option("wheat")
    expect(foreseen).to_contain_text("A swap is of two Domains")
    page.get_by_label("Second Domain").select_option("brick")
    page.get_by_label("Farm gives").select_option("wheat")
    expect(foreseen).to_contain_text("6 wheat and 1 brick")
    expect(foreseen.locator("ins")).to_have_text(["6", "2"])
    assert row_of("Murphy").domains == NUMBERS

    page.get_by_role("button", name="Harvest", exact=True).click()
    expect(receipt(page)).to_contain_text("Murphy harvests 5 wheat and 1 brick")
    expect(page.locator("#standing")).to_contain_text(re.compile(r"8\s*wheat|wheat\s*8"))
    expect(page.locator("#harvest")).to_have_count(0)
    expect(page.locator("#picture")).to_contain_text("You have harvested")
    assert row_of("Murphy").domains == {**NUMBERS, "wheat": 6, "brick": 2}
    assert faults(page) == []


def test_a_refused_harvest_stays_filled_and_keeps_its_preview(
    sit: Sit,
    game: Game,
) -> None:
    page = at_home(sit(), "Murphy")
    page.get_by_label("New number").select_option("12")
    expect(page.get_by_role("radio", name="change", exact=True)).to_be_checked()
    foreseen = page.locator("#harvest-preview")
    expect(foreseen).to_contain_text("From 2 to 12 is further than 2")
    page.get_by_role("button", name="Harvest", exact=True).click()
    expect(page.locator("#form-settlers-harvest .refused")).to_contain_text("From 2 to 12")
    expect(page.get_by_role("radio", name="change", exact=True)).to_be_checked()
    expect(page.get_by_label("New number")).to_have_value("12")
    expect(page.locator("#harvest .refused:visible")).to_have_count(1)
    page.get_by_label("Domain to change").select_option("brick")
    page.get_by_label("New number").select_option("8")
    expect(foreseen.locator("ins")).to_have_text("8")
    expect(page.locator("#harvest .refused")).to_have_count(0)
    page.get_by_role("button", name="Harvest", exact=True).click()
    expect(receipt(page)).to_contain_text("sets brick to 8")


def test_without_javascript_the_preview_is_a_page_of_its_own(
    sit: Sit,
    game: Game,
) -> None:
    page = at_home(sit(390, script=False), "Murphy")
    expect(page.locator("#harvest-preview")).to_contain_text("5 wheat, 1 sheep and 1 brick")
    page.get_by_role("radio", name="change", exact=True).check()
    page.get_by_label("Domain to change").select_option("brick")
    page.get_by_label("New number").select_option("8")
    page.get_by_role("button", name="Show what it brings").click()
    expect(page.locator("#harvest-preview ins")).to_have_text("8")
    expect(page.get_by_role("radio", name="change", exact=True)).to_be_checked()
    assert "csrf" not in page.url
    assert row_of("Murphy").domains == NUMBERS
    page.get_by_role("button", name="Harvest", exact=True).click()
    expect(receipt(page)).to_contain_text("sets brick to 8")
    assert row_of("Murphy").brick_domain == 8


@pytest.mark.thorough
def test_two_settlers_trade(sit: Sit, game: Game) -> None:
    murphy, madrid = at_home(sit(), "Murphy"), at_home(sit(390), "Madrid")
    trade = murphy.locator("#form-settlers-offer_trade")
    trade.get_by_role("group", name="What you give").get_by_label("wheat").fill("1")
    trade.get_by_role("group", name="What you get").get_by_label("wood").fill("2")
    trade.get_by_role("button", name="Offer").click()
    expect(receipt(murphy)).to_contain_text("Murphy offers Madrid 1 wheat for 2 wood")
    offer = madrid.get_by_role("list", name="Open offers")
    expect(offer).to_contain_text("Murphy offers you 1 wheat for 2 wood")
    assert faults(madrid) == []
    madrid.get_by_role("button", name="Accept offer 1").click()
    expect(receipt(madrid)).to_contain_text("Madrid accepts offer 1")
    expect(murphy.get_by_role("list", name="Open offers")).to_have_count(0)
    assert row_of("Murphy").traded_in == row_of("Madrid").traded_in == 1


def shown(page: Page) -> str:
    """What the page shows, whether or not it is asking for something new just now, or its words
    have been read out for a while."""
    passing = r' ?htmx-(request|swapping|settling|added)|(?<=id="polite") class="read"'
    return re.sub(passing, "", page.locator("main").inner_html()).replace(' class=""', "")


@pytest.mark.thorough
def test_a_bribe_shows_at_once_to_its_settler_and_changes_no_rivals_page(
    sit: Sit,
    game: Game,
) -> None:
    with at_the_table(game) as table:
        bring_the_thug(table)
    visitor_is(game, "Thug")
    murphy, madrid, snail = (at_home(sit(), name) for name in ("Murphy", "Madrid", "snail"))
    rivals_page = shown(madrid)
    assert faults(snail) == []
    bribe = murphy.locator("#form-settlers-bribe")
    bribe.get_by_label("stone").fill("3")
    bribe.get_by_label("wheat").fill("1")
    expect(murphy.locator("#bribe-preview")).to_contain_text(
        "worth 0, since you have too little stone"
    )
    bribe.get_by_label("stone").fill("0")
    bribe.get_by_label("wheat").fill("2")
    expect(murphy.locator("#bribe-preview")).to_contain_text("2 wheat: worth 1")
    bribe.get_by_label("stone").fill("3")
    bribe.get_by_label("wheat").fill("1")
    bribe.get_by_role("button", name="Tell").click()
    expect(receipt(murphy)).to_contain_text("Sealed under the hash")
    told = "1 wheat and 3 stone"
    expect(murphy.locator("#private")).to_contain_text(f"Your bribe: {told}, worth 4")
    expect(murphy.locator("#bribe-preview")).to_have_text("")
    assert faults(murphy) == []
    snail.reload()
    expect(snail.locator("#private")).to_contain_text(told)
    assert shown(madrid) == rivals_page
    madrid.reload()
    expect(madrid.locator("#private")).to_contain_text("You have not offered a bribe")
    expect(madrid.locator("main")).not_to_contain_text(told)


def test_a_settler_builds_with_one_click(sit: Sit, game: Game) -> None:
    seat = game.players.select_related("holder").get(name="Murphy")
    with at_the_table(game) as table:
        give(table, seat, stone=7, brick=5)
    page = at_home(sit(390), "Murphy")
    page.get_by_role("link", name="Build", exact=True).click()
    page.get_by_label("The one other resource for Cone").select_option("brick")
    page.get_by_role("button", name="Build a Cone").click()
    expect(receipt(page)).to_contain_text("Murphy builds a Cone for 5 stone and 5 brick")
    page.get_by_role("button", name="Build a Church").click()
    expect(receipt(page)).to_contain_text("Murphy builds a Church for 2 stone")
    assert row_of("Murphy").buildings == ["Farm", "Cone", "Church"]
    assert faults(page) == []


def test_a_newcomer_settles(sit: Sit, game: Game) -> None:
    user = person("juan")
    take(game.slug, user, "games.join", {"name": "juan"})
    page = sit()
    sign_in(page, "juan")
    page.goto("/g/table/")
    page.get_by_role("link", name="Become a Settler").click()
    page.get_by_role("button", name="Settle", exact=True).click()
    expect(receipt(page)).to_contain_text("juan becomes a Settler")
    expect(page.locator("#standing")).to_contain_text("You have built nothing yet")
    expect(page.locator("#settlers-title")).to_be_visible()
    assert faults(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (390, "light")])
def test_whoever_looks_on_finds_the_isle_without_a_fault(
    width: int,
    scheme: str,
    sit: Sit,
    game: Game,
) -> None:
    settle_many(game, 60)
    visitor_is(game, "Merchant")
    page = sit(width, scheme=scheme)
    for path in ("/g/table/", PAGE, f"{PAGE}?page=2"):
        page.goto(path)
        expect(page.get_by_role("img", name="The isle")).to_be_visible()
        for folded in reversed(page.locator("details.fold:not([open]) > summary").all()):
            folded.click()
        for summary in page.get_by_text("The same as a table").all():
            summary.click()
        assert faults(page) == []
    sign_in(page, "snail")
    page.goto(PAGE)
    expect(page.get_by_role("heading", name="You are the Onlooker")).to_be_visible()
    assert faults(page) == []


@pytest.mark.thorough
def test_after_a_victory_and_with_many_offers_the_isle_takes_four_screens_of_a_phone(
    sit: Sit, game: Game
) -> None:
    murphy, madrid = (game.players.get(name=name) for name in ("Murphy", "Madrid"))
    place(madrid, buildings=["Cone"] * 3)
    settle_many(game, 5)
    crowd = game.players.filter(settler__isnull=False).exclude(pk=murphy.pk)
    with at_the_table(game) as table:
        give(table, madrid, stone=5, brick=5)
    visitor_is(game, "Merchant")
    take(game.slug, madrid, "settlers.build", {"building": "Cone", "other": "brick"})
    for player in crowd:
        offer = {"to": murphy.name, "give": {"wheat": 1}, "take": {"wheat": 1, "wood": 1}}
        take(game.slug, player, "settlers.offer_trade", offer)
    page = at_home(sit(390), "Murphy")
    expect(page.locator("main")).to_contain_text("Madrid has won: 4 Cones on the isle")
    expect(page.locator("#offers .bargains:visible > li")).to_have_count(3)
    page.get_by_text("And 3 more").click()
    expect(page.locator("#offers .bargains:visible > li")).to_have_count(6)
    page.get_by_text("And 3 more").click()
    assert page.evaluate("document.documentElement.scrollHeight") <= 4 * 844


@pytest.mark.thorough
def test_what_a_newcomer_gets_by_settling_is_folded_on_a_phone(sit: Sit, game: Game) -> None:
    take(game.slug, person("newcomer"), "games.join", {"name": "newcomer"})
    page = at_home(sit(390), "newcomer")
    page.get_by_role("button", name="Settle").click()
    expect(page.locator("#fold-build")).to_be_visible()
    assert page.locator("details.fold[open]").count() == 0
