"""What is private comes to the pages of those whom it concerns by itself, in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from aceofspades.tests.web.test_browser_spades import at_the_contest, game  # noqa: F401 - a fixture
from nomic.engine.take import take
from nomic.games.models import Game
from tests.kit.browser import Sit

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def offer(game: Game, to: str, count: int) -> None:  # noqa: F811
    """An offer of Murphy's, made elsewhere."""
    cards = {"to": [to], "gives": {"Red": count}, "takes": {"Black": 1}}
    take(game.slug, game.players.get(name="Murphy"), "aceofspades.offer", cards)


def test_an_offer_comes_by_itself_each_time(sit: Sit, game: Game) -> None:  # noqa: F811
    page = at_the_contest(sit, "Madrid", width=390)

    for count in (1, 2):
        offer(game, "Madrid", count)
        expect(page.locator("#private")).to_contain_text(
            f"Murphy offers you {count} Red for 1 Black", timeout=20_000
        )


def test_who_joins_hears_from_then_on_and_sees_their_own_vote_at_once(
    sit: Sit,
    game: Game,  # noqa: F811
) -> None:
    page = at_the_contest(sit, "Alexia")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.locator("#hand svg.hand:visible")).to_have_count(1)
    page.get_by_role("button", name="FOR").first.click()
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(page.locator("#ballots")).to_contain_text("You voted FOR", timeout=5_000)

    offer(game, "Alexia", 1)

    expect(page.locator("#private")).to_contain_text("Murphy offers you 1 Red", timeout=20_000)
