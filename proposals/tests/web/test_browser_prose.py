"""A sentence that a vote changes, in Chromium: from its preview to the end of the duty."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ACTIONS = "Weekly Race Actions"
_BODY = f"""In the rule “{ACTIONS}”, replace “to gain dollaries by announcement” with
“to gain dollaries by announcement, if e has fewer than 5”.

In the rule “{ACTIONS}”, replace “- to get a helmet for a horse of eir choice;” with
“- to borrow a helmet for a horse of eir choice;”.
"""


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game of races and proposals, with its officer and a player."""
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY, offices="open")[0]
    for name in ("snail", "Murphy", "Madrid"):
        take(game.slug, person(name), "games.join", {"name": name})
    take(game.slug, person("snail"), "games.take_office", {"office": "Assessor"})
    return game


@at_both_widths
def test_a_vote_changes_a_sentence(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    take(game.slug, person("Murphy"), "proposals.submit", {"title": "The poor", "body": _BODY})
    page.goto("/g/table/proposals/1/")
    expect(page.get_by_text("Not carried out as it reads").first).to_be_visible()
    assert faults(page) == []
    page.goto("/g/table/rules/")
    page.get_by_role("link", name=ACTIONS).click()
    expect(page.get_by_text("12 of 12 sentences")).to_be_visible()
    page.get_by_text("What the marks mean").click()
    assert faults(page) == []
    for name in ("snail", "Murphy", "Madrid"):
        vote = {"proposal": "1", "choice": "FOR"}
        take(game.slug, person(name), "proposals.vote", vote)
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    page.goto("/g/table/rules/")
    page.get_by_role("link", name=ACTIONS).click()
    expect(page.get_by_text("2 sentences of this rule are not carried out")).to_be_visible()
    assert faults(page) == []
    page = sit(width, scheme=scheme)
    sign_in(page, "snail")
    page.goto("/office/g/table/")
    page.get_by_role("link", name="borrow a helmet").click()
    page.get_by_role("link", name="We keep this by hand").click()
    page.locator("[name=reason]").fill("the Horsened lends them")
    page.get_by_role("button", name="Show what it changes").click()
    page.get_by_role("button", name="We keep this by hand", exact=True).click()
    page.goto("/office/g/table/")
    page.get_by_role("link", name="fewer than 5").click()
    page.locator("[name=reason]").fill("nobody has more")
    page.get_by_role("button", name="Show what it changes").click()
    page.get_by_role("button", name="It changes nothing", exact=True).click()
    page.goto("/g/table/rules/")
    page.get_by_role("link", name=ACTIONS).click()
    expect(page.get_by_text("the Horsened lends them")).to_be_visible()
    assert faults(page) == []
