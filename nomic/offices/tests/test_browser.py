"""An officer's way through their pages in Chromium, with JavaScript and without."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.quotas import holds, usage
from nomic.quotas.models import UsageKind, What
from nomic.quotas.usage import Whose
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game with its officer and a player."""
    game = new_game("table", "agora-races", pace="manual", start=WEDNESDAY)[0]
    for name in ("snail", "Murphy"):
        take(game.slug, person(name), "games.join", {"name": name})
    take(game.slug, person("snail"), "games.take_office", {"office": "Horsened"})
    return game


def correct(page: Page, amount: str) -> None:
    page.goto("/office/g/table/act/ledger.correct/")
    page.locator("[name=amount]").fill(amount)
    for name, option in (("asset", "dollary"), ("giver", "Murphy"), ("receiver", "Agora")):
        page.locator(f"[name={name}]").select_option(option)
    page.locator("[name=reason]").fill("a horse was sold twice")
    page.get_by_role("button", name="Show what it changes").click()


@pytest.mark.parametrize(
    "script",
    [pytest.param(True, marks=pytest.mark.thorough), False],
    ids=["with scripts", "without"],
)
def test_an_officer_corrects_the_ledger(script: bool, sit: Sit, game: Game) -> None:
    page = sit(script=script)
    sign_in(page, "snail")
    page.goto("/office/")
    expect(page.get_by_text("The horses have not been motivated this week")).to_be_visible()
    correct(page, "900")
    expect(page.get_by_role("alert")).to_contain_text("This costs 900 dollaries")
    correct(page, "3")
    expect(page.get_by_text("Nothing has changed yet.")).to_be_visible()
    expect(page.locator("table").first).to_contain_text("Murphy")
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("snail moves 3 dollaries")


@pytest.mark.thorough
def test_on_a_phone_the_list_at_the_side_opens_without_a_script(sit: Sit, game: Game) -> None:
    page = sit(390, script=False)
    sign_in(page, "snail")
    page.goto("/office/")
    books = page.get_by_role("navigation", name="Office")
    expect(books).to_be_hidden()
    page.get_by_role("link", name="Menu").click()
    expect(books).to_be_visible()
    books.get_by_role("link", name="Record").click()
    expect(page.get_by_text("snail takes the office of Horsened.")).to_be_visible()
    expect(books).to_be_hidden()


@pytest.mark.thorough
@at_both_widths
def test_axe_finds_nothing_and_the_policy_is_kept(
    width: int, scheme: str, sit: Sit, game: Game
) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "snail")
    found = []
    for place in (
        "",
        "g/table/",
        "g/table/reports/horsened/",
        "g/table/act/rulebook.amend/?rule=Horses",
        "record/entry/",
        "record/entry/?of=table&kind__exact=system",
        "ledger/balance/?q=nobody",
        f"games/game/{game.pk}/change/",
    ):
        page.goto(f"/office/{place}")
        found += faults(page)
    correct(page, "1")
    found += faults(page)
    assert not found, found
    dark = page.evaluate("document.documentElement.classList.contains('dark')")
    assert dark == (scheme == "dark")


@pytest.mark.thorough
@at_both_widths
def test_axe_finds_nothing_where_the_operator_sees_what_everything_costs(
    width: int, scheme: str, sit: Sit, game: Game
) -> None:
    root = User.objects.create_superuser("root")
    holds.hold(
        What.OUT, UsageKind.GAME, game.pk, "The game table", "It costs more than all others."
    )
    usage.note(game.pk, rule="A rule with a title that says a good deal", seconds=12, entries=3)
    usage.end_request(usage.Noted(), [Whose(UsageKind.USER, root.pk)], 0.5)
    new_game("another-one", "agora-races", pace="manual", start=WEDNESDAY)
    page = sit(width, scheme=scheme)
    sign_in(page, "root")
    found = []
    for place in ("shares/", "shares/?kind=game&name=table", ""):
        page.goto(f"/office/{place}")
        found += faults(page)
    page.goto("/office/shares/")
    page.get_by_role("button", name="Let in").click()
    expect(page.get_by_text("The game table is let in.")).to_be_visible()
    page.get_by_role("link", name="table", exact=True).click()
    page.get_by_label("Reason").fill("It has begun anew.")
    page.get_by_role("button", name="Lock out").click()
    expect(page.get_by_text("The game table is locked out.")).to_be_visible()
    assert not found, found
