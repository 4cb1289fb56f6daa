"""An election: somebody stands, others vote, and the page tells who was elected, in Chromium."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, at_the_table
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Murphy", "Madrid", "snail")
ROW = """
The Horsened is elected.

| Election of | Called by | How | Candidates | Voting | Count | On a tie | Without candidates |
| --- | --- | --- | --- | --- | --- | --- | --- |
| Horsened | players | at once | 2 | 3 | plurality | nobody | nobody |
"""


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game in which Murphy has called an election of the Horsened, for whom Madrid stands."""
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in NAMES:
        take(game.slug, person(name), "games.join", {"name": name})
    with at_the_table(game) as table:
        table.rules.enact(title="The Horsened", text=ROW)
        table.follow_the_rules()
    players = {player.name: player for player in game.players.all()}
    take(game.slug, players["Murphy"], "games.call_election", {"office": "Horsened"})
    take(game.slug, players["Madrid"], "games.be_candidate", {"election": 1})
    return game


def later(game: Game, days: int) -> None:
    game.refresh_from_db()
    assert game.last_at is not None
    advance(game.slug, game.last_at + timedelta(days=days, hours=1))


def test_somebody_stands_is_voted_for_and_holds_the_office(sit: Sit, game: Game) -> None:
    page = sit(390)
    sign_in(page, "snail")
    page.goto("/g/table/elections/")
    page.get_by_role("link", name="Stand").click()
    page.get_by_role("button", name="Stand").first.click()
    expect(page.get_by_text("Candidates: Madrid, snail.")).to_be_visible()
    later(game, 2)
    page.goto("/g/table/elections/")
    page.locator("#election-1").get_by_role("link", name="Vote", exact=True).click()
    page.get_by_label("Whom you like best").select_option("snail")
    page.get_by_role("button", name="Vote").first.click()
    expect(page.get_by_text("1 ballot")).to_be_visible()
    later(game, 3)
    page.goto("/g/table/elections/")
    expect(page.get_by_role("heading", name="Ended")).to_be_visible()
    assert game.offices.get(name="Horsened").holder.name == "snail"


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Murphy")
    page.goto("/g/table/elections/")
    assert faults(page) == []
