"""A person writes a proposal with the live preview, and votes, in Chromium."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from proposals.models import Draft, Proposal, Vote
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW = "/g/table/proposals/new/"
BY_HAND = "The Assessor will carry this sentence out by hand"
SPOONS = "Enact a new rule titled “Silver Spoons” with the following text:\n{\nSpoons shine.\n}\n"


@pytest.fixture
def game(live_server: Any) -> Game:
    return new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def murphy(game: Game) -> Any:
    user = person("Murphy")
    take(game.slug, user, "games.join", {"name": "Murphy"})
    return user


@pytest.fixture
def madrid(game: Game) -> Any:
    user = person("Madrid")
    take(game.slug, user, "games.join", {"name": "Madrid"})
    return user


def text(page: Page) -> Any:
    return page.get_by_label("Text", exact=True)


def foreseen(page: Page) -> Any:
    return page.locator("#preview")


def write_a_remark_and_a_rule(page: Page) -> Any:
    """Write both, say that the remark is one, and be told; returns the box that says so."""
    page.get_by_label("Title").fill("Cutlery")
    text(page).press_sequentially("The moon is made of cheese. ", delay=2)
    text(page).press_sequentially(SPOONS, delay=2)
    expect(foreseen(page)).to_contain_text(BY_HAND)
    expect(foreseen(page)).not_to_contain_text("is enacted")
    remark = foreseen(page).get_by_role("checkbox", name="The moon is made of cheese.")
    remark.check()
    expect(foreseen(page)).to_contain_text("The rule “Silver Spoons” is enacted.")
    expect(foreseen(page)).not_to_contain_text(BY_HAND)
    expect(remark).to_be_checked()
    return remark


def read_and_vote_twice(page: Page) -> None:
    """Read the text with its remark, vote from what waits, and otherwise on the page."""
    page.goto("/g/table/proposals/1/")
    sheet = page.get_by_role("region", name="The text")
    expect(sheet).to_contain_text("[remark: The moon is made of cheese.]")
    expect(sheet).not_to_contain_text("[remark: Enact")
    page.goto("/g/table/")
    waits = page.get_by_role("region", name="What waits for you")
    expect(waits).to_contain_text("1 remark, which changes nothing")
    waits.get_by_role("button", name="FOR").click()
    expect(page.locator("#receipt")).to_contain_text("Madrid votes FOR on Proposal 1")
    page.goto("/g/table/proposals/1/")
    mine = page.get_by_role("button", name="FOR on Proposal 1", pressed=True)
    expect(mine).to_be_visible()
    page.get_by_role("button", name="AGAINST on Proposal 1").click()
    expect(page.locator("#receipt")).to_contain_text("Madrid votes AGAINST on Proposal 1")


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.thorough), 390])
def test_a_player_writes_sees_what_it_changes_submits_and_another_votes(
    width: int,
    sit: Sit,
    game: Game,
    murphy: Any,
    madrid: Any,
) -> None:
    page = sit(width)
    sign_in(page, "Murphy")
    page.goto("/g/table/")
    page.get_by_role("link", name="Propose a change").click()
    remark = write_a_remark_and_a_rule(page)
    text(page).focus()
    expect(page.locator("#saved")).to_contain_text("Saved as a draft")
    expect(page).to_have_url(re.compile(r"/proposals/drafts/\d+/$"))
    expect(text(page)).to_be_focused()

    page.keyboard.press("Control+End")
    text(page).press_sequentially("Give Murphy 5 dollaries. Repeal the rule “Forks”.", delay=2)
    expect(foreseen(page).get_by_role("row", name="Murphy")).to_contain_text("15")
    expect(foreseen(page)).to_contain_text(BY_HAND)
    assert faults(page) == []

    page.reload()
    expect(text(page)).to_have_value(re.compile("Repeal the rule “Forks”"))
    expect(foreseen(page)).to_contain_text("The rule “Silver Spoons” is enacted.")
    expect(remark).to_be_checked()
    assert not Proposal.objects.exists()

    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy submits Proposal 1 “Cutlery”")
    assert not Draft.objects.exists()
    assert Proposal.objects.get().remarks == ["The moon is made of cheese."]

    other = sit(width)
    sign_in(other, "Madrid")
    read_and_vote_twice(other)
    assert list(Vote.objects.order_by("pk").values_list("word", flat=True)) == ["FOR", "AGAINST"]
    assert faults(other) == []


@pytest.mark.thorough
def test_the_page_helps_to_find_what_is_wrong_and_how_it_is_written(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto(NEW)
    text(page).fill("Two spoons 🥄.\nRepeal { the rule.")
    expect(page.locator("#braces")).to_contain_text("Line 2, column 8")
    page.get_by_role("button", name="Show the place").click()
    assert selected(page) == "{"

    text(page).fill("[Two spoons 🥄.]\nRepeal the rule “Horses”.\n\n[Well.]")
    expect(foreseen(page)).to_contain_text("The rule “Horses” is repealed")
    foreseen(page).get_by_role("button", name="in your text").click()
    assert selected(page) == "Repeal the rule “Horses”."

    page.get_by_label("Title").press("Enter")
    expect(foreseen(page)).to_contain_text("The rule “Horses” is repealed")
    assert not Proposal.objects.exists()

    text(page).fill("")
    page.get_by_text("How changes are written", exact=True).click()
    page.get_by_role("button", name="put it into the text").first.click()
    expect(text(page)).to_have_value(re.compile("Enact a new rule"))
    expect(foreseen(page)).to_contain_text("is enacted")
    assert faults(page) == []


def selected(page: Page) -> str:
    return str(
        text(page).evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    )


@pytest.mark.thorough
def test_while_the_site_is_away_the_page_says_that_nothing_is_saved(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto(NEW)
    away = {"status": 503, "content_type": "text/html", "body": "<!doctype html><h1>Away</h1>"}
    page.route("**/preview/", lambda route: route.fulfill(**away))
    text(page).fill("Nothing.")
    expect(page.get_by_text("The site does not answer just now")).to_be_visible()
    page.unroute("**/preview/")
    text(page).press_sequentially(" And more.", delay=2)
    expect(page.locator("#saved")).to_contain_text("Saved as a draft")
    expect(page.get_by_text("The site does not answer just now")).to_be_hidden()


def test_without_javascript_a_player_looks_saves_submits_and_votes(
    sit: Sit,
    game: Game,
    murphy: Any,
) -> None:
    page = sit(390, script=False)
    sign_in(page, "Murphy")
    page.goto(NEW)
    page.get_by_label("Title").fill("Cutlery")
    text(page).fill(SPOONS)
    page.get_by_role("button", name="Preview").click()
    expect(foreseen(page)).to_contain_text("The rule “Silver Spoons” is enacted.")
    page.get_by_role("button", name="Save the draft").click()
    expect(page.locator("#receipt")).to_contain_text("Saved as a draft")
    page.goto("/g/table/proposals/drafts/")
    page.get_by_role("link", name="Cutlery").click()
    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy submits Proposal 1 “Cutlery”")
    page.goto("/g/table/")
    page.get_by_role("region", name="What waits for you").get_by_role("button", name="FOR").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy votes FOR on Proposal 1")


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1280])
def test_a_person_confirms_what_a_sentence_counts_or_quotes_another(
    width: int, sit: Sit, game: Game, murphy: Any
) -> None:
    cats = "Enact a new rule titled “Cats” with the text: { Dr. Cat sleeps. It purrs. }\n\n"
    page = sit(width)
    sign_in(page, "Murphy")
    page.goto(NEW)
    text(page).fill(f"{cats}In the rule “Cats”, delete the first sentence.")
    passage = foreseen(page).get_by_label("In the rule “Cats”, delete the first sentence.")
    expect(passage).to_have_value("Dr. Cat sleeps.")
    meant = foreseen(page).get_by_role("checkbox", name="This is what I mean")
    expect(meant).not_to_be_checked()
    assert faults(page) == []
    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.get_by_role("alert")).to_contain_text("Confirm it, or quote another passage.")

    passage.fill("It purrs.")
    passage.blur()
    expect(meant).to_be_checked()
    expect(passage).to_have_value("It purrs.")
    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy submits Proposal 1")
    expect(page.locator("#dry-run")).to_contain_text("delete the first sentence.: It purrs.")
    assert [unit["passage"] for unit in Proposal.objects.get().units] == ["It purrs."]
    assert faults(page) == []
