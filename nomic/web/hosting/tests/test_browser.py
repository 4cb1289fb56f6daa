"""A game is made in a browser, with two friends by an invitation link, and played there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from playwright.sync_api import Page, expect

from nomic.engine.catch_up import catch_up
from nomic.games.models import Game
from tests.kit.browser import PASSWORD, Sit, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SPOONS = "Enact a new rule titled “Silver Spoons” with the following text:\n{\nSpoons shine.\n}\n"
FIVE_MINUTES = timedelta(minutes=5)  # a week of the game


def pass_a_week() -> None:
    """Let the wall's time be five minutes later for the game, and the sweep come by."""
    Game.objects.update(anchor_wall=F("anchor_wall") - FIVE_MINUTES)
    catch_up(Game.objects.get().pk)


def start_a_game(page: Page) -> str:
    """Start one for those with the link; returns the link."""
    page.goto("/start/")
    page.get_by_role("radio", name=re.compile("^Agora, August")).check()
    page.get_by_label("Name of the game").fill("Friday evening")
    page.get_by_label("Pace").select_option("minutes")
    page.get_by_text("More: offices").click()
    page.get_by_label("First day").fill("2026-03-04")
    page.get_by_label("Who sees it").select_option("link")
    page.get_by_label("Who may join").select_option("invitation")
    page.get_by_label("How many will play").fill("3")
    expect(page.get_by_text("All 3 players have to vote")).to_be_visible()
    page.get_by_label("Quorum at Agora").fill("2")
    expect(page.get_by_text("2 of 3 players have to vote: 1 may be absent.")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("heading", name="The host")).to_be_visible()
    assert faults(page) == []
    return page.locator("[data-link]").inner_text()


def come(page: Page, link: str, name: str) -> None:
    """Come by the link as somebody who has no account yet: one form, and one sits."""
    page.goto(link)
    expect(page.get_by_role("heading")).to_have_text("Murphy invites you to Friday evening")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_text(f"You have a seat: you are {name}.")).to_be_visible()


def vote(page: Page, home: str) -> None:
    page.goto(f"{home}proposals/1/")
    page.get_by_role("button", name=re.compile("^FOR")).first.click()
    expect(page.locator("#receipt")).to_contain_text("FOR")


def test_two_friends_come_by_a_link_and_play_from_the_first_vote_to_the_first_race(
    sit: Sit, live_server: Any
) -> None:
    person("Murphy")
    page = sit(390)
    sign_in(page, "Murphy")
    link = start_a_game(page)
    home = f"/g/{Game.objects.get().slug}/"
    friends = [sit(1280, script=False), sit(390, scheme="dark")]
    for friend, name in zip(friends, ("Madrid", "juan"), strict=True):
        come(friend, link, name)

    page.goto(f"{home}proposals/new/")
    page.get_by_label("Title").fill("Cutlery")
    page.get_by_label("Text", exact=True).fill(SPOONS)
    page.get_by_role("button", name="Submit the proposal").click()
    for each in (page, *friends):
        vote(each, home)
    page.goto(f"{home}talk/")
    page.get_by_label("Say something to the table").fill("Thank you, @juan and @Madrid.")
    page.get_by_role("button", name="Say it").click()
    expect(page.get_by_role("link", name="@juan")).to_be_visible()

    bettor = friends[1]
    bettor.goto(f"{home}horses/?horse=Fargo")
    bettor.get_by_role("button", name=re.compile("^Bet 2 on Fargo")).click()
    expect(bettor.locator("#receipt")).to_contain_text("juan bets")
    for _ in range(2):
        pass_a_week()
    bettor.goto(f"{home}record/")
    expect(bettor.get_by_role("main")).to_contain_text("The horses run")
    bettor.goto(f"{home}search/?q=spoons")
    expect(bettor.get_by_role("link", name="Silver Spoons", exact=True)).to_be_visible()
    found = faults(bettor)
    bettor.goto(link)
    found += faults(bettor)
    for path in ("talk/", "host/", "players/Murphy/", "complain/?player=Murphy"):
        bettor.goto(f"{home}{path}")
        found += faults(bettor)
    assert found == []
