"""Voting on a long proposal, and withdrawing another, in Chromium."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Amend the rule “Voting” to read: {" + "\n\nA spoon is round." * 80 + "\n}"
PAGE = "/g/table/proposals/1/"


@pytest.fixture
def game(live_server: Any) -> Game:
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "Madrid"):
        take(game.slug, person(name), "games.join", {"name": name})
    long = {"title": "Spoons", "body": LONG}
    take(game.slug, person("Murphy"), "proposals.submit", long)
    return game


@pytest.mark.thorough
def test_the_vote_stays_in_sight_beside_a_long_text(game: Game, sit: Sit) -> None:
    page = sit(1280)
    sign_in(page, "Madrid")
    page.goto(PAGE)
    page.mouse.wheel(0, 1500)
    expect(page.locator("#vote")).to_be_in_viewport()
    expect(page.locator(".jump")).to_be_hidden()
    assert faults(page) == []


def test_on_a_phone_a_link_leads_to_the_vote(game: Game, sit: Sit) -> None:
    page = sit(390)
    sign_in(page, "Madrid")
    page.goto(PAGE)
    page.get_by_role("link", name="Vote", exact=True).click()
    expect(page.locator("#vote")).to_be_in_viewport()
    assert faults(page) == []
    page.goto(f"{PAGE}?endorse=1")
    expect(page.get_by_label("Whom to endorse")).to_be_focused()


def test_a_vote_on_a_page_of_its_own_leads_back(game: Game, sit: Sit) -> None:
    page = sit(1280)
    sign_in(page, "Madrid")
    page.goto(f"/g/table/act/proposals.vote/?proposal=1&choice=FOR&back={PAGE}")
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(page).to_have_url(re.compile(f"{PAGE}$"))
    expect(page.locator("#receipt")).to_contain_text("Madrid votes FOR")
