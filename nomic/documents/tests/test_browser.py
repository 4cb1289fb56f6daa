"""Writing a document and reading it, in Chromium."""

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

TEXT = "Ponies *run*.\n\n# Why\n\n- far\n\n| HORSE | COST |\n| --- | --- |\n| Alexia | 3 |\n"


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game in which Murphy has published two documents, and changed the first."""
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    author = game.players.get()
    for kind, title in (("Essay", "On horses"), ("Pledge", "I vote FOR ponies")):
        document = {"kind": kind, "title": title, "text": "Horses *run*."}
        take(game.slug, author, "documents.publish", document)
    changed = {"document": 1, "title": "On ponies", "text": TEXT}
    take(game.slug, author, "documents.revise", changed)
    return game


def test_what_is_written_is_shown_as_it_will_read_and_then_published(sit: Sit, game: Game) -> None:
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto("/g/table/documents/")
    page.get_by_role("link", name="Write one").click()
    page.get_by_label("Title").fill("On carts")
    page.get_by_label("Text").fill("Carts *roll*.")
    expect(page.locator("#preview em")).to_have_text("roll")
    page.get_by_text("Link a rule, a proposal").click()
    page.get_by_role("searchbox").fill("ponies")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("button", name="Put it in").first.click()
    expect(page.locator("#preview a").first).to_have_attribute("href", "/g/table/documents/1/")
    page.get_by_role("button", name="Publish it").click()
    expect(page.get_by_role("heading", name="3 · On carts")).to_be_visible()


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    found: list[str] = []
    for place in ("", "1/", "1/?version=1", "new/", "sealed/new/", "1/revise/"):
        page.goto(f"/g/table/documents/{place}")
        found += faults(page)
    assert found == []
