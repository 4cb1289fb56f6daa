"""Waiting for a recalculation, and reading its report, in Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.revision import note_progress
from nomic.operations.setup import new_game
from nomic.operations.tasks import make_report
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with an act that may be doubted; no worker makes the report by itself."""
    monkeypatch.setattr("nomic.governance.recalculation.revision._CALCULATORS", [])
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    take(game.slug, game.players.get(), "horses.gain_dollaries")
    return game


def asked(page: Page, game: Game) -> Recalculation:
    gained = game.entries.get(name="horses.gain_dollaries")
    sign_in(page, "Murphy")
    page.goto(f"/g/table/recalculations/?entry={gained.seq}#ask")
    page.get_by_role("button", name="Play it as if this had never happened").click()
    page.wait_for_url("**/recalculations/*/#report")
    return Recalculation.objects.get()


def test_who_waits_sees_how_far_it_is_and_then_the_report(sit: Sit, game: Game) -> None:
    page = sit(390)
    row = asked(page, game)
    expect(page.get_by_role("status")).to_contain_text("about to begin")
    note_progress(row.pk, 5, 9)
    expect(page.get_by_role("status")).to_contain_text("5 of 9 acts are played")
    make_report(row.pk)
    expect(page.get_by_role("heading", name="What would differ now")).to_be_visible()


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    make_report(asked(page, game).pk)
    found: list[str] = []
    ask = "/g/table/recalculations/?entry=2&action=horses.bet"
    for place in (page.url, "/g/table/recalculations/", ask):
        page.goto(place)
        found += faults(page)
    assert found == []
