"""Making a contract, asking its parties and consenting, in Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game in which Murphy and Madrid have a contract, which Madrid wants to change."""
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "Madrid"):
        take(game.slug, person(name), "games.join", {"name": name})
    murphy, madrid = game.players.order_by("pk")
    pool = {"title": "A pool", "text": "We share what we win."}
    take(game.slug, murphy, "contracts.make", pool)
    take(game.slug, madrid, "contracts.enter", {"contract": 1})
    lake = {"contract": 1, "title": "A lake", "text": "We share *all* that we win."}
    take(game.slug, madrid, "contracts.change", lake)
    return game


def test_a_contract_is_made_and_a_request_consented_to(sit: Sit, game: Game) -> None:
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto("/g/table/contracts/1/")
    page.get_by_role("link", name="Consent").click()
    page.get_by_role("button", name="Consent").click()
    expect(page.get_by_role("heading", name="1 · A lake")).to_be_visible()
    page.get_by_role("link", name="Contracts").first.click()
    page.get_by_role("link", name="Make one").click()
    page.get_by_label("Title").fill("A second pool")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", name="2 · A second pool")).to_be_visible()


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    found: list[str] = []
    for place in ("", "1/", "new/", "1/change/"):
        page.goto(f"/g/table/contracts/{place}")
        found += faults(page)
    assert found == []
