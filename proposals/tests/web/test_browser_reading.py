"""Reading proposals in Chromium: the pages hold together, on a phone and without JavaScript."""

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from proposals.state.reading import MAIN
from tests.kit import WEDNESDAY, at_the_table
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = "/g/table/proposals/"
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
BODY = """[The races need spoons.]

Enact a new rule titled “Silver Spoons” and the following text: {
| SPOON | PRICE |
| --- | --- |
| Tea | 2 |
}

Repeal rule 999.
"""
_LONG = "unbreakably" * 9


@pytest.fixture
def game(live_server: Any) -> Game:
    return new_game("table", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]


@pytest.fixture
def murphy(game: Game) -> Any:
    user = person("Murphy")
    take(game.slug, user, "games.join", {"name": "Murphy"})
    return user


def fill(game: Game, murphy: Any) -> None:
    """Three Pending proposals with links and a remark."""
    for title, body, more in (
        ("Silver Spoons", BODY, {}),
        (_LONG, _LONG * 3, {"conflicts": [1]}),
        ("", "Be nice.", {"dependencies": [1], "conflicts": [2]}),
    ):
        take(game.slug, murphy, "proposals.submit", {"title": title, "body": body, **more})
    take(game.slug, murphy, "proposals.comment", {"proposal": 1, "text": f"Well. {_LONG}"})


@pytest.fixture
def bills(game: Game, murphy: Any) -> None:
    fill(game, murphy)


def pages_of(number: int) -> list[str]:
    return [LIST, f"{LIST}{number}/", f"{LIST}{number}/?from=1&to=1", f"{LIST}{number}/what-if/"]


@pytest.mark.thorough
@at_both_widths
def test_axe_finds_nothing_and_no_page_is_too_wide_in_any_state(
    sit: Sit, game: Game, murphy: Any, width: int, scheme: str
) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    page.goto(LIST)
    found = faults(page)
    fill(game, murphy)
    for state in ("pending", "open", "decided"):
        if state == "open":
            advance(game.slug, NDAY_9)
            take(game.slug, murphy, "proposals.vote", {"proposal": 1, "choice": "FOR"})
        if state == "decided":
            advance(game.slug, THE_END)
        for path in (*pages_of(1), *pages_of(2)[:2]):
            page.goto(path)
            expect(page.locator("#dry-run.htmx-request, #dry-run [hx-trigger]")).to_have_count(0)
            found += faults(page)
    assert not found


def test_a_vote_in_one_click_moves_the_bar(sit: Sit, game: Game, murphy: Any, bills: None) -> None:
    advance(game.slug, NDAY_9)
    page = sit()
    sign_in(page, "Murphy")
    page.goto(LIST)
    first = page.locator("#proposal-1")
    first.get_by_role("button", name="FOR on").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy votes FOR on Proposal 1")
    expect(first.locator(".tally")).to_contain_text("1 FOR")
    expect(first.get_by_role("button", name="FOR on")).to_have_attribute("aria-pressed", "true")
    first.get_by_role("link", name="Silver Spoons").click()
    expect(page.get_by_text("If the vote ended now")).to_be_visible()
    page.get_by_role("button", name="AGAINST on").click()
    expect(page.locator("#story")).to_contain_text("Every vote as it was cast, 2 in all")


@pytest.mark.thorough
def test_the_page_follows_the_vote_by_itself(
    sit: Sit, game: Game, murphy: Any, bills: None
) -> None:
    advance(game.slug, NDAY_9)
    page = sit()
    page.goto(f"{LIST}1/")
    expect(page.locator("#story")).to_contain_text("Nobody has voted on it yet")
    take(game.slug, murphy, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    expect(page.locator("#picture .tally")).to_contain_text("1 FOR")
    advance(game.slug, THE_END)
    expect(page.locator("#effects")).to_contain_text("The rule “Silver Spoons” is enacted.")
    expect(page.get_by_role("heading", name="What it would change")).to_have_count(0)


def test_a_new_text_comes_by_itself_with_what_it_would_change(
    sit: Sit, game: Game, murphy: Any, bills: None
) -> None:
    page = sit()
    page.goto(f"{LIST}3/")
    expect(page.locator("#asked")).not_to_contain_text("Golden Spoons")
    text = BODY.replace("Silver", "Golden")
    take(game.slug, murphy, "proposals.revise", {"proposal": 3, "title": "Gold", "body": text})
    expect(page.locator("#picture")).to_contain_text("Gold")
    expect(page.locator("#asked")).to_contain_text("The rule “Golden Spoons” is enacted")
    expect(page.locator("#story")).to_contain_text("Version 2")


def test_a_comment_is_added_where_one_reads(sit: Sit, game: Game, murphy: Any, bills: None) -> None:
    page = sit()
    sign_in(page, "Murphy")
    page.goto(f"{LIST}3/")
    expect(
        page.get_by_text("The Administrator will carry this sentence out by hand")
    ).to_be_visible()
    page.get_by_label("Say something about it").fill("So it is.")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy comments on Proposal 3")
    expect(page.locator("#talk")).to_contain_text("So it is.")
    expect(page.get_by_label("Say something about it")).to_have_value("")


def test_a_link_leads_from_the_picture_to_the_proposal(
    sit: Sit, game: Game, murphy: Any, bills: None
) -> None:
    page = sit()
    page.goto(f"{LIST}1/")
    page.locator("svg.ties.only-wide").get_by_role("link", name="Proposal 3").click()
    expect(page).to_have_url(re.compile(r"/proposals/3/$"))


@pytest.mark.thorough
def test_without_javascript_one_reads_votes_comments_and_withdraws(
    sit: Sit, game: Game, murphy: Any, bills: None
) -> None:
    with at_the_table(game) as table:
        text = f"{table.rules.text(MAIN)} Its Author may withdraw a Pending Proposal."
        table.rules.amend(MAIN, text)
    page = sit(390, script=False)
    sign_in(page, "Murphy")
    page.goto(f"{LIST}1/")
    page.get_by_role("link", name="The rules and books as they would be after it").click()
    expect(page.get_by_role("main")).to_contain_text("Silver Spoons")
    page.goto(f"{LIST}3/")
    page.get_by_label("Say something about it").fill("So it is.")
    page.get_by_role("button", name="Say it").click()
    expect(page.locator("#talk")).to_contain_text("So it is.")
    page.get_by_role("button", name="Withdraw…").click()
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.locator("#receipt")).to_contain_text("Murphy withdraws Proposal 3")
    advance(game.slug, NDAY_9)
    page.goto(LIST)
    page.locator("#proposal-1").get_by_role("button", name="FOR on").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy votes FOR on Proposal 1")
    page.goto(f"{LIST}1/what-if/")
    expect(page.get_by_text("it would pass under")).to_be_visible()
