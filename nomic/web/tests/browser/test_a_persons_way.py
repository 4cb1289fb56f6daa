"""A person's way through the pages in Chromium, with JavaScript and without."""

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from horses.models import Runner
from nomic.engine.take import take
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, seat, stamped
from tests.kit.browser import PASSWORD, Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(live_server: Any) -> Game:
    return new_game("table", "agora-races", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def murphy(game: Game) -> Any:
    user = person("Murphy")
    take(game.slug, user, "games.join", {"name": "Murphy"})
    return user


def pass_a_week(game: Game) -> None:
    game.refresh_from_db()
    advance(game.slug, next_week(game.now(wall_now())) + timedelta(hours=1))


def bring_all_to_the_line(game: Game) -> None:
    """One step from the finish, each pulling all: the next run ends the race."""
    runners = Runner.objects.filter(race__game=game)
    runners.update(position=15, pulls=list(runners.values_list("name", flat=True)))


def receipt(page: Page) -> Any:
    return page.locator("#receipt")


def test_a_newcomer_signs_up_joins_and_plays_a_race_to_its_end(sit: Sit, game: Game) -> None:
    page = sit()
    page.goto("/g/table/")
    page.get_by_role("link", name="Join the game").click()
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    page.get_by_label("Name", exact=True).fill("newcomer")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()

    expect(page).to_have_url(re.compile("/g/table/join/"))
    page.get_by_role("button", name="Join", exact=True).click()
    expect(receipt(page)).to_contain_text("newcomer joins the game. Recorded as entry 2")

    page.get_by_role("navigation", name="Agora's horse races").get_by_text("The races").click()
    page_form = page.locator("#form-horses-buy")
    page_form.get_by_label("Horse").select_option("Fargo")
    page_form.get_by_role("button").click()
    expect(receipt(page)).to_contain_text("newcomer buys Fargo for 6 dollaries")
    expect(receipt(page).locator("[data-focus]")).to_be_focused()
    expect(page.locator("#standing")).to_contain_text("Fargo")
    expect(page.locator("#page_forms")).to_contain_text("What you cannot do now, and why")

    page.locator("#form-horses-motivate").get_by_role("button").click()
    expect(receipt(page)).to_contain_text("newcomer motivates the horses")
    bring_all_to_the_line(game)
    pass_a_week(game)
    expect(page.get_by_role("heading", name="Race 2")).to_be_visible()

    page.goto("/g/table/ledger/newcomer/?asset=dollary")
    expect(page.get_by_role("main")).to_contain_text("race 2 starts")
    page.goto("/g/table/")
    expect(page.locator("#standings")).to_contain_text("15")
    assert not faults(page)


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without"])
def test_who_has_an_account_signs_in(sit: Sit, murphy: Any, script: bool) -> None:
    page = sit(390, script=script)
    page.goto("/accounts/login/")
    page.get_by_label("Name or e-mail").fill("Murphy")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("/")
    expect(page.get_by_role("banner")).to_contain_text("Murphy")


def test_the_page_follows_the_game_by_itself(sit: Sit, game: Game, murphy: Any) -> None:
    page = sit()
    page.goto("/g/table/horses/")
    take(game.slug, murphy, "horses.gain_dollaries", {})
    expect(page.locator("#story")).to_contain_text("Murphy gains 4 dollaries")


def test_a_form_that_somebody_is_filling_in_is_left_alone(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto("/g/table/horses/")
    choice = page.locator("#form-horses-bet").get_by_label("Horse")
    choice.select_option("Nacho")
    expect(page.locator("#form-horses-bet .brings")).to_contain_text("if Nacho is first")
    take(game.slug, murphy, "horses.motivate", {})
    expect(page.locator("#story")).to_contain_text("Murphy motivates the horses")
    expect(choice).to_have_value("Nacho")
    expect(page.locator("#page_forms")).to_contain_text("The race has moved on")
    page.locator("#form-horses-bet").get_by_label("Dollaries").select_option("2")
    page.locator("#form-horses-bet").get_by_role("button").click()
    expect(receipt(page)).to_contain_text("Murphy bets 2 dollaries on Nacho")
    expect(page.locator("#form-horses-bet")).to_have_count(0)


def test_a_form_that_waits_for_its_answer_is_left_in_the_page(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto("/g/table/horses/")
    sent: list[Route] = []
    page.route("**/act/**", lambda route: sent.append(route))
    with page.expect_request("**/act/**"):
        page.locator("#form-horses-motivate").get_by_role("button").click()
    take(game.slug, seat(game, "Madrid"), "horses.gain_dollaries")
    expect(page.locator("#story")).to_contain_text("Madrid gains 4 dollaries")
    expect(receipt(page)).to_be_empty()
    sent[0].continue_()
    expect(receipt(page)).to_contain_text("Murphy motivates the horses")
    expect(page.locator("#form-horses-motivate")).to_have_count(0)


def test_a_button_that_is_being_pressed_is_left_in_the_page(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto("/g/table/horses/")
    page.locator("#form-horses-motivate").get_by_role("button").hover()
    page.mouse.down()
    page.evaluate("document.activeElement.blur()")  # some browsers focus no button by a click
    take(game.slug, seat(game, "Madrid"), "horses.gain_dollaries")
    expect(page.locator("#story")).to_contain_text("Madrid gains 4 dollaries")
    page.mouse.up()
    expect(receipt(page)).to_contain_text("Murphy motivates the horses")
    expect(page.locator("#form-horses-motivate")).to_have_count(0)


def test_a_refusal_stands_in_the_filled_form_and_takes_the_focus(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto("/g/table/act/horses.bet/")
    page.get_by_label("Horse", exact=True).select_option("Sugar")
    page.get_by_label("Dollaries").select_option("1")
    take(game.slug, murphy, "horses.gain_dollaries", {})
    page.get_by_role("button", name="Bet").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("You have taken your race action")
    expect(alert).to_be_focused()
    expect(page.get_by_label("Horse", exact=True)).to_have_value("Sugar")


def test_a_site_that_is_away_leaves_the_page_and_the_form_as_they_are(
    sit: Sit, game: Game, murphy: Any
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto("/g/table/horses/")
    away = {"status": 503, "content_type": "text/html", "body": "<!doctype html><h1>Away</h1>"}
    page.route("**/horses/?v=*", lambda route: route.fulfill(**away))
    page.route("**/act/**", lambda route: route.fulfill(**away))
    with page.expect_response("**/horses/?v=*"):
        pass
    page_form = page.locator("#form-horses-bet")
    page_form.get_by_label("Horse").select_option("Fargo")
    page_form.get_by_label("Dollaries").select_option("3")
    page_form.get_by_role("button").click()
    expect(receipt(page)).to_contain_text("That did not get through")
    expect(page_form.get_by_label("Horse")).to_have_value("Fargo")
    expect(page.get_by_text("Away", exact=True)).to_have_count(0)
    page.unroute("**/act/**")
    page.unroute("**/horses/?v=*")
    page_form.get_by_role("button").click()
    expect(receipt(page)).to_contain_text("Murphy bets 3 dollaries on Fargo")


def test_without_javascript_everything_can_be_done(sit: Sit, game: Game, murphy: Any) -> None:
    page = sit(script=False)
    sign_in(page, "Murphy")
    page.goto("/g/table/horses/")
    page_form = page.locator("#form-horses-bet")
    page_form.get_by_label("Horse").select_option("Fargo")
    page_form.get_by_label("Dollaries").select_option("3")
    page_form.get_by_role("button").click()
    expect(receipt(page)).to_contain_text("Murphy bets 3 dollaries on Fargo")
    page.locator("#form-horses-motivate").get_by_role("button").click()
    expect(receipt(page)).to_contain_text("Murphy motivates the horses")
    bring_all_to_the_line(game)
    pass_a_week(game)
    page.goto("/g/table/horses/")
    expect(page.get_by_role("heading", name="Race 2")).to_be_visible()
    page.goto("/g/table/seat/")
    page.get_by_role("link", name="Leave…").click()
    page.get_by_role("button", name="Leave…").click()
    expect(page.get_by_text("You give up your offices")).to_be_visible()
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(receipt(page)).to_contain_text("Murphy leaves the game")


def test_an_announcement_becomes_a_form_to_confirm(sit: Sit, game: Game, murphy: Any) -> None:
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto("/g/table/")
    page.get_by_label("Say what you do").fill("I bet 3 dollaries on Fargo")
    page.get_by_role("button", name="Say").click()
    page.wait_for_url("**/act/horses.bet/**")
    expect(page.get_by_label("Horse", exact=True)).to_have_value("Fargo")
    page.get_by_role("button", name="Bet").click()
    expect(receipt(page)).to_contain_text("Murphy bets 3 dollaries on Fargo")


PAGES = [
    "/",
    "/g/table/",
    "/g/table/horses/",
    "/g/table/seat/",
    "/g/table/act/horses.bet/",
    "/g/table/say/?words=hello",
    "/g/table/rules/",
    "/g/table/record/",
    "/g/table/record/3/",
    "/g/table/ledger/",
    "/g/table/ledger/Murphy/?asset=dollary",
    "/g/table/dice/",
    "/g/table/witness/",
    "/g/table/receipts/",
    "/keys/",
    "/g/table/reports/",
    "/settings/",
    "/settings/tokens/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/accounts/logout/",
    "/nowhere/",
]
STRANGERS_PAGES = [
    "/api/docs",
    "/",
    "/g/table/",
    "/g/table/join/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]


@pytest.mark.thorough
@at_both_widths
def test_axe_finds_nothing_on_any_page_and_none_is_too_wide(
    sit: Sit,
    game: Game,
    murphy: Any,
    width: int,
    scheme: str,
) -> None:
    take(game.slug, murphy, "horses.bet", {"horse": "Fargo", "dollaries": 2})
    take(game.slug, murphy, "horses.motivate", {})
    pass_a_week(game)
    stamped(game)
    page = sit(width, scheme=scheme)
    found: list[str] = []
    for path in STRANGERS_PAGES:
        page.goto(path)
        found += faults(page)
    sign_in(page, "Murphy")
    for path in PAGES:
        page.goto(path)
        found += faults(page)
    page.goto("/g/table/rules/")
    page.get_by_role("link", name="Horse Powers").click()
    page.wait_for_url("**/rules/horse-powers*/")
    found += faults(page)
    page.goto("/g/table/reports/")
    page.get_by_role("main").get_by_role("link").first.click()
    page.wait_for_url("**/reports/*/")
    found += faults(page)
    assert not found
