"""What somebody writes is theirs, whatever becomes of their session, the site or the network."""

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from playwright.sync_api import Page, expect

from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.models import Remark
from nomic.operations.setup import new_game
from proposals.models import Draft
from tests.kit import WEDNESDAY
from tests.kit.browser import PASSWORD, Sit, person, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
_TALK, _COMPOSE = "/g/table/talk/", "/g/table/proposals/new/"


@pytest.fixture
def table(live_server: Any) -> Game:
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    take(game.slug, person("Murphy"), "games.join", {"name": "Murphy"})
    return game


def end_all_sessions() -> None:
    Session.objects.all().delete()
    cache.clear()


def sign_in_again(page: Page) -> None:
    dialog = page.get_by_role("dialog", name="You are signed out")
    expect(dialog).to_contain_text("kept in this browser")
    dialog.get_by_role("link", name="Sign in").click()
    page.get_by_label("Name or e-mail").or_(page.get_by_label("Name", exact=True)).first.fill(
        "Murphy"
    )
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()


def test_what_is_written_outlasts_a_session_the_site_and_the_network(sit: Sit, table: Game) -> None:
    page = sit(390)
    sign_in(page, "Murphy")

    # A session that ends while one writes a proposal.
    page.goto(_COMPOSE)
    page.get_by_label("Title").fill("Oats")
    end_all_sessions()
    text = page.locator("#compose textarea").first
    text.fill('Create a rule "Oats": Horses eat oats.')
    sign_in_again(page)
    expect(text).to_have_value('Create a rule "Oats": Horses eat oats.')
    expect(page.get_by_label("Title")).to_have_value("Oats")
    expect(page.locator("#saved")).to_contain_text("Saved as a draft")
    assert Draft.objects.get().title == "Oats"

    # A network that is lost while one talks, and a page that is loaded anew.
    page.goto(_TALK)
    remark = page.locator("main textarea").first
    remark.fill("Hay is better.")
    page.context.set_offline(True)
    page.locator("form:has(textarea)").first.locator("[type=submit]").first.click()
    page.wait_for_url("chrome-error://**")
    page.context.set_offline(False)
    page.goto(_TALK)
    expect(remark).to_have_value("Hay is better.")
    expect(page.locator(".kept")).to_contain_text("What you had written here is back")

    # A site that is being deployed.
    away = {"status": 503, "content_type": "text/html", "body": "<!doctype html><p>Away."}
    page.route("**/talk/", lambda route: route.fulfill(**away))
    page.locator("form:has(textarea)").first.evaluate("form => form.submit()")
    expect(page.locator("body")).to_contain_text("Away")
    page.unroute("**/talk/")
    page.goto(_TALK)
    expect(remark).to_have_value("Hay is better.")

    # What was sent is kept no more.
    page.locator("form:has(textarea)").first.locator("[type=submit]").first.click()
    expect(page.locator("main")).to_contain_text("Hay is better.")
    page.goto(_TALK)
    expect(remark).to_have_value("")
    assert Remark.objects.get().text == "Hay is better."

    # Whoever signs out takes their words along.
    remark.fill("Straw, perhaps.")
    page.goto("/accounts/logout/")
    assert page.evaluate("Object.keys(localStorage).some((name) => /^kept/.test(name))")
    page.locator("main form [type=submit]").click()
    page.wait_for_url("**/")
    assert page.evaluate("Object.keys(localStorage).filter((name) => /^kept/.test(name))") == []


def test_a_text_for_few_eyes_is_kept_in_its_window_alone(sit: Sit, table: Game) -> None:
    page = sit(390)
    sign_in(page, "Murphy")
    page.goto("/g/table/documents/sealed/new/")
    text = page.locator("#compose textarea").first
    text.fill("I hid the oats.")
    page.reload()
    expect(text).to_have_value("I hid the oats.")
    assert "oats" in page.evaluate("JSON.stringify(sessionStorage)")
    assert "oats" not in page.evaluate("JSON.stringify(localStorage)")
    page.goto("/accounts/logout/")
    page.locator("main form [type=submit]").click()
    page.wait_for_url("**/")
    assert "oats" not in page.evaluate("JSON.stringify([localStorage, sessionStorage])")
