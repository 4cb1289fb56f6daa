"""Bringing rules, and being offered a game, in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.operations.setup import new_game
from nomic.web.hosting.bringing import read_sent
from nomic.web.models import Bringing
from tests.kit import WEDNESDAY, seat
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RULES = "# Tea\n\nTea is at four.\n\n# Milk\n\nFirst.\n"


@at_both_widths
def test_who_brings_rules_waits_and_then_sees_what_was_understood(
    width: int, scheme: str, sit: Sit
) -> None:
    person("Murphy")
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    page.goto("/start/rules/")
    page.get_by_label("Or the rules themselves").fill(RULES)
    page.get_by_role("button", name="Show what is understood").click()
    expect(page.get_by_role("status")).to_contain_text("It is being read")
    found = faults(page)
    read_sent(Bringing.objects.get().pk, 20.0)
    expect(page.get_by_role("heading", name="2 rules in what you typed")).to_be_visible()
    found += faults(page)
    page.get_by_label("Or the rules themselves").fill("No heading.")
    page.get_by_role("button", name="Show what is understood").click()
    expect(page.get_by_role("status")).to_contain_text("It is being read")
    read_sent(Bringing.objects.latest("pk").pk, 20.0)
    expect(page.get_by_text("which you brought before, are kept")).to_be_visible()
    assert found + faults(page) == []


@at_both_widths
def test_who_is_offered_a_game_declines_or_takes_it_over(width: int, scheme: str, sit: Sit) -> None:
    host, murphy = person("landlord"), person("Murphy")
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY, host=host)[0]
    seat(game, "Murphy")
    take("table", host, "games.hand_over", {"player": "Murphy"})
    page = sit(width, scheme=scheme)
    sign_in(page, murphy.username)
    page.goto("/g/table/")
    page.get_by_role("link", name="You are asked to host this game").first.click()
    expect(page.get_by_role("heading", name="This game is offered to you")).to_be_visible()
    found = faults(page)
    page.get_by_role("button", name="Decline").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy does not take the game over")
    expect(page.get_by_role("heading", name="This game is offered to you")).to_have_count(0)
    take("table", host, "games.hand_over", {"player": "Murphy"})
    page.goto("/g/table/host/")
    page.get_by_role("button", name="Take it over").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy takes the game over")
    expect(page.get_by_text("Murphy hosts this game.")).to_be_visible()
    game.refresh_from_db()
    assert game.host == murphy
    page.goto("/g/table/host/")
    assert found + faults(page) == []
