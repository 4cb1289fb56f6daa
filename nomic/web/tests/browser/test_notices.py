"""Choosing what reaches one, and reading it, in Chromium: with JavaScript and without."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.notices.fan_out import spread
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game with two players, the second of whom holds an office."""
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "snail"):
        take(game.slug, person(name), "games.join", {"name": name})
    take(game.slug, person("snail"), "games.take_office", {"office": "Horsened"})
    return game


def propose(game: Game, title: str) -> None:
    inputs = {"title": title, "body": f'Create a rule "{title}": {title}.'}
    take(game.slug, person("Murphy"), "proposals.submit", inputs)
    spread(wall_now())


def counted(page: Page, name: str) -> Any:
    return page.get_by_role("banner").get_by_role("link", name=name)


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without"])
def test_somebody_is_told_chooses_and_is_told_no_more(script: bool, sit: Sit, game: Game) -> None:
    page = sit(390, script=script)
    sign_in(page, "snail")
    propose(game, "Oats")
    page.goto("/")
    counted(page, "Notices 1 new").click()
    page.get_by_role("link", name="Proposal 1 “Oats” is open to votes.").click()
    page.wait_for_url("/g/table/proposals/1/")
    expect(counted(page, "Notices")).to_be_visible()
    page.goto("/settings/notices/")
    page.get_by_label("A vote has opened: On the site").uncheck()
    page.get_by_label("Discord webhook").fill("https://example.org/hook")
    page.get_by_role("button", name="Keep these choices").click()
    expect(page.get_by_role("status")).to_have_text("Your choices are kept.")
    expect(page.get_by_label("A vote has opened: On the site")).not_to_be_checked()
    propose(game, "Hay")
    page.goto("/notices/")
    expect(page.get_by_text("“Hay”")).to_have_count(0)


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "snail")
    propose(game, "Oats")
    found: list[str] = []
    for place in ("/notices/", "/settings/notices/"):
        page.goto(place)
        found += faults(page)
    assert found == []
