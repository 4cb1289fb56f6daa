"""The Chairman's afternoon in Chromium: a duty, the correction that does it, the week's report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from proposals.models import Errand, Proposal
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BY_HAND = "Set the mood of the isle to merry."
NAMES = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game in which a proposal has passed that left a sentence to the Administrator."""
    game = new_game("table", "b-nomic-2006", pace="manual", start=WEDNESDAY)[0]
    users = {name: person(name) for name in NAMES}
    for name, user in users.items():
        take(game.slug, user, "games.join", {"name": name})
    take(game.slug, users["snail"], "games.take_office", {"office": "Administrator"})
    texts = {
        "Moods": f"[Songs are nice.]\n\n{BY_HAND}",
        "Spoons": "Enact a new rule titled “Spoons” and the following text: { They shine. }",
        "Forks": "Enact a new rule titled “Forks” and the following text: { They prick. }",
    }
    for number, (title, body) in enumerate(texts.items(), 1):
        links = {"conflicts": [2]} if title == "Forks" else {}
        content = {"title": title, "body": body, **links}
        take(game.slug, users[NAMES[number]], "proposals.submit", content)
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    words = {1: "FFFFA", 2: "FFAF-", 3: "FFFF"}
    for number, letters in words.items():
        for name, letter in zip(NAMES, letters, strict=False):
            choice = {"F": "FOR", "A": "AGAINST", "-": "ABSTAIN"}[letter]
            vote = {"proposal": number, "choice": choice}
            take(game.slug, users[name], "proposals.vote", vote)
    advance(game.slug, WEDNESDAY + timedelta(days=12, hours=1))
    return game


def results_of(game: Game) -> str:
    return f"/g/table/proposals/results/{Proposal.objects.filter(game=game).first().closed_in}/"


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without"])
def test_the_chairmans_afternoon(script: bool, sit: Sit, game: Game) -> None:
    page = sit(script=script)
    sign_in(page, "snail")
    page.goto("/office/")
    duty = page.get_by_role("link", name=f"Carry out “{BY_HAND}” of Proposal 1 “Moods”")
    duty.click()
    expect(page.locator("blockquote")).to_have_text(BY_HAND)
    _amend_a_rule(page)
    expect(page.get_by_role("status")).to_contain_text("Proposal 1, change 1: “Set the mood")
    cited = page.get_by_role("link", name="cites it, so state that it is done")
    expect(cited).to_be_visible()
    cited.click()
    page.locator("[name=note]").fill("All are merry.")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("Nothing has changed yet.")).to_be_visible()
    page.get_by_role("button", name="State it").click()
    expect(page.get_by_role("status")).to_contain_text("snail states that entry")
    expect(page.get_by_text("Carry out “")).to_have_count(0)
    assert Errand.objects.get().cited
    page.get_by_role("link", name="The weekly report on proposals").click()
    page.get_by_role("link", name="Publish it now…").click()
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("ADMINISTRATOR'S WEEKLY REPORT")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("is published, by snail")
    page.goto("/g/table/reports/proposals/")
    expect(page.get_by_role("heading", name="Administrator’s weekly report")).to_be_visible()


def _amend_a_rule(page: Page) -> None:
    """From the duty's page to the correction of a rule, whose reason is there already."""
    page.get_by_role("link", name="Change a rule: correct its text").click()
    page.get_by_role("link", name="The Clock").click()
    text = page.locator("[name=text]")
    text.fill(f"The isle is merry.\n\n{text.input_value()}")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_role("heading", name="The text of “The Clock”")).to_be_visible()
    page.get_by_role("button", name="Correct", exact=True).click()


@at_both_widths
def test_axe_finds_nothing_and_nothing_is_too_wide(
    width: int,
    scheme: str,
    sit: Sit,
    game: Game,
) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "snail")
    found = []
    for place in (
        "/office/g/table/",
        "/office/g/table/act/proposals.carry_out/?proposal=1&place=1",
        "/office/g/table/act/proposals.take_up/?proposal=1",
        "/office/g/table/act/proposals.strike_vote/",
        "/office/g/table/act/proposals.keep_by_hand/",
        "/office/g/table/reports/proposals/",
        "/office/proposals/vote/",
        "/office/proposals/errand/",
        results_of(game),
    ):
        page.goto(place)
        found += faults(page)
    assert not found, found
