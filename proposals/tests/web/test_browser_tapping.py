"""Somebody taps a figure of a rule on a phone, types another one and proposes it, in Chromium."""

from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.rulebook.models import Rule
from proposals.models import Proposal
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, faults, person, sign_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.thorough,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def game(live_server: Any) -> Game:
    return new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]


def test_a_law_of_ones_own_takes_three_taps_from_the_rule(sit: Sit, game: Game) -> None:
    """What is typed is there again after a reload, once the figure is tapped again."""
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    rule = Rule.objects.get(title="Horse Multiplier")
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto(f"/g/table/rules/rule-{rule.pk}/")
    fargo = page.get_by_role("row", name="Fargo").get_by_role("link", name="7")
    fargo.click()
    new = page.get_by_label("New", exact=True)
    expect(new).to_be_focused()
    new.fill("9")
    would = page.locator("#would")
    expect(would).to_contain_text("A bet on Fargo would pay 9 times its stake")

    page.reload()
    fargo.click()
    expect(new).to_have_value("9")
    page.get_by_role("button", name="Propose this").click()
    page.get_by_role("button", name="Submit the proposal").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy submits Proposal 1")
    assert "| Fargo | 9 |" in Proposal.objects.get().body
    assert faults(page) == []
