"""The answer to an act brings what it changed of the page, in Chromium: no later look does it."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from aceofspades.tests.web.test_browser_spades import at_the_contest
from aceofspades.tests.web.test_browser_spades import game as contest
from horses.models import Runner
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY, seat
from tests.kit.browser import Sit, person, sign_in

__all__ = ["contest"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

_LOOKS = "**/?v=*"


@pytest.fixture
def races(live_server: Any) -> Game:
    game = new_game("table", "agora-races", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    return game


def looks_no_more(page: Page) -> None:
    """From now on the page is told nothing but what its own acts are answered."""
    page.route(_LOOKS, lambda route: route.fulfill(status=204))


def test_the_form_is_gone_as_the_receipt_comes(sit: Sit, races: Game) -> None:
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto("/g/table/horses/")
    looks_no_more(page)
    page.get_by_text("What you may do at the races").click()
    page.locator("#form-horses-motivate").get_by_role("button").click()
    expect(page.locator("#receipt")).to_contain_text("Murphy motivates the horses")
    assert page.locator("#form-horses-motivate").count() == 0
    assert "Murphy motivates the horses" in str(page.locator("#story").text_content())
    page.unroute(_LOOKS)
    take(races.slug, seat(races, "Madrid"), "horses.gain_dollaries")
    expect(page.locator("#story")).to_contain_text("Madrid gains 4 dollaries")


_WATCH = """() => {
  window.went = new Set();
  const look = () => {
    went.add(getComputedStyle(document.querySelector("svg.only-narrow .moves")).transform);
    requestAnimationFrame(look);
  };
  look();
}"""
_IS_THERE = """() => {
  const horse = document.querySelector("svg.only-narrow .moves");
  const drawn = new DOMMatrix(getComputedStyle(horse).transform).e;
  const meant = horse.transform.baseVal.consolidate().matrix.e;
  return meant > 100 && Math.abs(meant - drawn) < 0.1;
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_horse_is_seen_to_run_but_not_by_who_wants_nothing_to_move(
    sit: Sit, races: Game, motion: Any
) -> None:
    page = sit(390)
    page.emulate_media(reduced_motion=motion)
    page.goto("/g/table/horses/")
    page.evaluate(_WATCH)
    Runner.objects.filter(race__game=races, name="Alexia").update(position=8)
    take(races.slug, seat(races, "Madrid"), "horses.gain_dollaries")
    page.wait_for_function(_IS_THERE)
    ways = page.evaluate("went.size")
    assert ways == 2 if motion == "reduce" else ways > 3


@pytest.mark.thorough
def test_a_ballot_tells_what_it_would_change_and_what_its_words_mean(
    sit: Sit, live_server: Any
) -> None:
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    author = seat(game, "Madrid")
    take(
        game.slug, author, "proposals.submit", {"title": "A gift", "body": "Give Madrid 5 points."}
    )
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto("/g/table/proposals/")
    ballot = page.locator("#proposal-1")
    ballot.get_by_text("What it would change").click()
    expect(ballot.locator(".would")).to_contain_text("Madrid")
    expect(ballot.locator(".would table")).to_be_visible()
    ballot.get_by_text("What these words mean").click()
    expect(ballot).to_contain_text("You take part without taking a side")
    take(game.slug, author, "proposals.vote", {"proposal": 1, "choice": "FOR"})
    expect(ballot).to_contain_text("1 FOR")
    expect(ballot.locator(".would table")).to_be_visible()


@pytest.mark.thorough
def test_no_other_button_comes_under_the_pointer(sit: Sit, live_server: Any) -> None:
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    author = seat(game, "Madrid")
    for title in ("Spoons", "Forks"):
        take(game.slug, author, "proposals.submit", {"title": title, "body": "[Nothing.]"})
    voter = game.players.get(name="Murphy")
    page = sit()
    sign_in(page, "Murphy")
    page.goto("/g/table/")
    first = page.locator("#waiting").get_by_role("button", name="FOR (Vote on Proposal 1")
    first.hover()
    take(game.slug, voter, "proposals.vote", {"proposal": 1, "choice": "AGAINST"})
    expect(page.locator("#story")).to_contain_text("Murphy votes AGAINST on Proposal 1")
    expect(first).to_be_visible()
    page.mouse.move(5, 5)
    expect(first).to_have_count(0)


@pytest.mark.thorough
def test_other_forms_of_a_part_that_it_changed_stay_as_they_are_filled(
    sit: Sit, contest: Game
) -> None:
    page = at_the_contest(sit, "Murphy")
    looks_no_more(page)
    page.get_by_text("Offer cards for cards").click()
    offer = page.locator("#do-offer")
    offer.get_by_role("group", name="You give").get_by_label("Red").fill("2")
    page.locator("#do-ally > summary").click()
    ally = page.locator("#do-ally")
    ally.get_by_label("Madrid").check()
    ally.get_by_role("button").click()
    expect(page.locator("#receipt")).to_contain_text("alliance")
    assert "Madrid" in page.locator("#private").inner_text()
    assert not ally.get_by_label("Madrid").is_checked()
    red = offer.get_by_role("group", name="You give").get_by_label("Red")
    assert red.input_value() == "2"
