"""Contestants in Chromium: joining, voting, an offer between two seats, a regulation tried."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from aceofspades.models import Offer, Proposal, Vote
from aceofspades.rules.marks import mark
from aceofspades.tests.stage import PRESET, give_cards, open_the_contest, propose
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGE = "/g/table/aceofspades/"
PROPOSE = f"{PAGE}propose/"


@pytest.fixture
def game(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Murphy and Madrid are contestants, Alexia has a seat; what is asked is counted at once."""
    for room in ("web.trial", "secrecy.scoring"):
        monkeypatch.setattr(f"aceofspades.{room}.ask", mark)
    game = new_game("table", PRESET, pace="manual", start=WEDNESDAY)[0]
    open_the_contest(game)
    users = {name: person(name) for name in ("Murphy", "Madrid", "Alexia")}
    for name, user in users.items():
        take(game.slug, user, "games.join", {"name": name})
    for name in ("Murphy", "Madrid"):
        take(game.slug, users[name], "aceofspades.join", {})
        give_cards(game, game.players.select_related("holder").get(name=name), Red=3, Black=2)
    propose(game, game.players.get(name="Murphy"), 500, "Everybody smiles.")
    return game


def at_the_contest(sit: Sit, name: str, **window: Any) -> Page:
    page = sit(**window)
    sign_in(page, name)
    page.goto(PAGE)
    return page


@pytest.mark.thorough
def test_somebody_joins_and_is_dealt_a_hand(sit: Sit, game: Game) -> None:
    page = at_the_contest(sit, "Alexia", width=390)

    page.get_by_role("button", name="Join", exact=True).click()

    expect(page.locator("#receipt")).to_contain_text("becomes a contestant")
    expect(page.locator("#hand svg.hand:visible")).to_have_count(1)
    own = page.locator("tr.here").filter(has_text="Alexia")
    expect(own).to_have_css("display", "table-row")  # marked, and a row like all others
    assert not faults(page)


def test_a_vote_is_asked_once_and_stands(sit: Sit, game: Game) -> None:
    page = at_the_contest(sit, "Murphy", width=390)

    page.get_by_role("button", name="AGAINST").click()
    expect(page.locator("#ballots")).to_contain_text("Vote AGAINST on Proposal 1?")
    page.get_by_role("button", name="Vote", exact=True).click()

    expect(page.locator("#ballots")).to_contain_text("You voted AGAINST")
    assert Vote.objects.get().way == "AGAINST"
    assert not faults(page)


@pytest.mark.thorough
def test_an_offer_is_made_on_one_seat_and_accepted_on_another(
    sit: Sit,
    game: Game,
) -> None:
    murphy, madrid = at_the_contest(sit, "Murphy"), at_the_contest(sit, "Madrid", width=390)
    murphy.get_by_text("Offer cards for cards").click()
    form = murphy.locator("#do-offer")
    form.get_by_label("Madrid").check()
    form.get_by_role("group", name="You give").get_by_label("Red").fill("1")
    form.get_by_role("group", name="You get").get_by_label("Black").fill("2")
    form.get_by_role("button", name="Offer", exact=True).click()
    expect(murphy.locator("#private")).to_contain_text("You offer Madrid 1 Red for 2 Black")

    madrid.goto(PAGE)
    expect(madrid.locator("#private")).to_contain_text("Murphy offers you 1 Red for 2 Black")
    assert not faults(madrid)
    madrid.get_by_role("button", name="Accept").click()

    expect(madrid.locator("#receipt")).to_contain_text("change hands")
    expect(madrid.locator("#hand .suits")).to_contain_text("Red 4")
    expect(madrid.locator("#hand .suits")).to_contain_text("Black 0")
    assert Offer.objects.get().end == "accepted"


@pytest.mark.thorough
def test_a_regulation_is_tried_and_proposed(sit: Sit, game: Game) -> None:
    page = at_the_contest(sit, "Murphy", width=390)
    page.get_by_role("link", name="Propose a regulation").click()
    page.get_by_label("Its number").fill("450")
    page.get_by_text("How a Marking Regulation is written").click()
    page.get_by_role("button", name="put it into the text").click()
    page.get_by_role("button", name="Try it").click()

    expect(page.locator("#trial")).to_contain_text("It gives")
    assert not faults(page)
    page.get_by_role("button", name="Propose it").click()

    page.wait_for_url(PAGE)
    expect(page.locator("#ballots")).to_contain_text("Regulation 450")
    assert Proposal.objects.count() == 2


@pytest.mark.thorough
def test_it_all_works_without_javascript(sit: Sit, game: Game) -> None:
    page = at_the_contest(sit, "Madrid", width=390, script=False)

    page.get_by_role("button", name="FOR").first.click()
    page.get_by_role("button", name="Vote", exact=True).click()
    page.wait_for_url(PAGE)
    expect(page.locator("#ballots")).to_contain_text("You voted FOR")
    page.goto(PROPOSE)
    page.get_by_label("Its number").fill("450")
    page.get_by_label("Its text").fill(
        "```python\ndef mark(hands, worth, alliances):\n    return {n: 5 for n in hands}\n```"
    )
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#trial")).to_contain_text("In the end")
    page.get_by_role("button", name="Propose it").click()
    page.wait_for_url(PAGE)
    assert Proposal.objects.count() == 2


@pytest.mark.thorough
def test_what_is_unfolded_stays_so_while_others_act(sit: Sit, game: Game) -> None:
    page = at_the_contest(sit, "Murphy")
    page.locator("#book-2 > summary").click()

    take(game.slug, game.players.get(name="Alexia"), "aceofspades.join", {})

    expect(page.locator("#story")).to_contain_text("Alexia becomes a contestant")
    expect(page.locator("#book-2")).to_have_attribute("open", "")


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path", ["/g/table/", PAGE, PROPOSE, f"{PAGE}regulations/340/", f"{PAGE}proposals/1/"]
)
def test_axe_finds_nothing(path: str, scheme: str, sit: Sit, game: Game) -> None:
    page = at_the_contest(sit, "Murphy", scheme=scheme)
    page.goto(path)

    assert not faults(page)


@pytest.mark.thorough
def test_what_was_refused_is_told_no_more_once_it_is_done(
    sit: Sit,
    game: Game,
) -> None:
    page = at_the_contest(sit, "Murphy", width=390)
    page.get_by_text("Offer cards for cards").click()
    form = page.locator("#form-aceofspades-offer")

    form.get_by_role("button", name="Offer").click()
    expect(form.locator(".refused")).to_have_text("To: Name one contestant at least.")
    form.get_by_label("Madrid").check()
    form.get_by_role("group", name="You give").get_by_label("Red").fill("1")
    form.get_by_role("button", name="Offer").click()
    expect(form.locator(".refused")).to_contain_text("Say which cards you want")
    form.get_by_role("group", name="You get").get_by_label("Black").fill("1")
    form.get_by_role("button", name="Offer").click()

    expect(page.get_by_text("You offer Madrid 1 Red for 1 Black")).to_be_visible()
    expect(form.locator(".refused")).to_have_count(0)
    expect(form.get_by_label("Madrid")).not_to_be_checked()
