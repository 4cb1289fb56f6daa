"""A person takes the lottery from the gallery, and plays it when it is adopted, in Chromium."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW = "/g/table/proposals/new/"
WEEK = timedelta(days=7)


@pytest.fixture
def game(live_server: Any) -> Game:
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "Madrid"):
        take(game.slug, person(name), "games.join", {"name": name})
    return game


def adopt(game: Game) -> None:
    """Let everybody vote for the newest proposal, and the vote end."""
    number = game.entries.filter(name="proposals.submit").latest("seq").outcome["proposal"]
    for player in game.players.all():
        take(game.slug, player, "proposals.vote", {"proposal": number, "choice": "FOR"})
    game.refresh_from_db()
    assert game.last_at is not None
    advance(game.slug, game.last_at + WEEK)


def propose(page: Page, text: str) -> None:
    page.goto(NEW)
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy submits")


def picture(page: Page, name: str) -> None:
    """Keep a picture for who wants to look at it."""
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=Path(folder, f"{name}.png"), full_page=True)


def take_the_lottery_at_two_dollaries(page: Page, width: int) -> None:
    """Take it from the gallery, change its price, look at what it adds, and submit it."""
    page.goto(NEW)
    page.get_by_text("Rules that carry a program").click()
    piece = page.get_by_role("region", name="Rules that carry a program").locator("div")
    piece.filter(has_text="The Lottery").first.get_by_role("button").click()
    text = page.get_by_label("Text", exact=True)
    written = text.input_value()
    assert "PRICE = 1" in written
    text.fill(written.replace("PRICE = 1", "PRICE = 2").replace("1 dollary", "2 dollaries"))
    expect(page.locator("#preview")).to_contain_text("The action “Buy a ticket”")
    expect(page.locator("#preview")).to_contain_text("“The lottery is drawn” each week")
    picture(page, f"composer-{width}")
    assert faults(page) == []
    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy submits")


@at_both_widths
def test_a_lottery_from_the_gallery_is_adopted_played_amended_and_repealed(
    width: int, scheme: str, sit: Sit, game: Game
) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    take_the_lottery_at_two_dollaries(page, width)
    adopt(game)

    page.goto("/g/table/")
    page.get_by_text("What you may do here").click()
    form = page.locator("form", has_text="Buy a ticket of the lottery")
    form.get_by_role("button").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy buys a ticket of the lottery.")
    expect(page.get_by_role("region", name="Tickets of the lottery")).to_contain_text("Murphy")
    picture(page, f"home-{width}")
    assert faults(page) == []
    game.refresh_from_db()
    assert game.last_at is not None
    advance(game.slug, game.last_at + WEEK)
    page.goto("/g/table/record/")
    expect(page.locator("main")).to_contain_text("Murphy wins 2 in the lottery.")

    rule = game.rules.get(title="The Lottery")
    page.goto(f"/g/table/rules/the-lottery-{rule.pk}/")
    expect(page.locator("main")).to_contain_text("What its program adds")
    picture(page, f"rule-{width}")
    assert faults(page) == []
    propose(page, 'In the rule “The Lottery”, replace “state.pop("pot")” with “7”.')
    adopt(game)
    take(game.slug, game.players.get(name="Madrid"), "rule.the-lottery.ticket")
    game.refresh_from_db()
    advance(game.slug, game.last_at + WEEK)
    page.goto("/g/table/record/")
    expect(page.locator("main")).to_contain_text("Madrid wins 7 in the lottery.")

    propose(page, "Repeal the rule “The Lottery”.")
    adopt(game)
    page.goto("/g/table/")
    expect(page.locator("form", has_text="Buy a ticket")).to_have_count(0)
    page.goto("/g/table/seat/")
    expect(page.locator("main")).not_to_contain_text("Buy a ticket")
    game.refresh_from_db()
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None
