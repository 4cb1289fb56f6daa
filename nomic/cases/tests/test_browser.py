"""Calling, judging and reading a case, in Chromium."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY
from tests.kit.browser import Sit, at_both_widths, faults, person, sign_in

pytestmark = [pytest.mark.thorough, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SENTENCE = "A judgement changes no rule."


@pytest.fixture
def game(live_server: Any) -> Game:
    """A game in which Madrid has judged a case that Murphy called, and has another to judge."""
    game = new_game("table", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "Madrid"):
        take(game.slug, person(name), "games.join", {"name": name})
    caller, judge = (game.players.get(name=name) for name in ("Murphy", "Madrid"))
    read = [{"rule": "Cases", "passage": SENTENCE}]
    for statement in ("A judgement is a rule.", "What a judge says in passing binds nobody."):
        called = {"statement": statement, "arguments": "It *stands* there.", "evidence": read}
        take(game.slug, caller, "cases.call", called)
    judgement = {"case": 1, "verdict": "FALSE", "reasons": "See *the last sentence*."}
    take(game.slug, judge, "cases.judge", {**judgement, "passages": read})
    return game


def test_a_judge_finds_the_sentence_by_its_words_ticks_it_and_judges(sit: Sit, game: Game) -> None:
    page = sit(390)
    sign_in(page, "Madrid")
    page.goto("/g/table/cases/2/")
    page.get_by_role("link", name="Judge it").click()
    page.get_by_label("Verdict").select_option("TRUE")
    page.get_by_label("Reasons").fill("A judgement is no rule, so nothing in it is.")
    page.get_by_label("Words or a number").press_sequentially("changes no rule")
    page.get_by_role("checkbox", name=SENTENCE).check()
    page.get_by_role("button", name="Judge", exact=True).click()
    expect(page.get_by_text("This sentence was read in Case 2 (TRUE).")).to_be_visible()


@pytest.fixture
def raced(live_server: Any) -> Game:
    """A game of three in which the horses have run, and have paid everybody."""
    game = new_game("race", "agora", pace="manual", start=WEDNESDAY)[0]
    for name in ("Murphy", "Madrid", "Gaelan"):
        take(game.slug, person(name), "games.join", {"name": name})
    advance(game.slug, WEDNESDAY + timedelta(days=4, hours=13))
    return game


def test_a_dispute_about_a_race_from_the_call_to_the_corrected_balance_in_a_day(
    sit: Sit, raced: Game
) -> None:
    """Each does what the page before offers them, and nobody types a number of anything."""
    ran = raced.entries.filter(name="horses.run").latest("seq")
    hooves = glance(raced).ledger.balance(raced.players.get(name="Murphy"), "hoof")
    caller, judge, third = (sit(390) for _ in range(3))
    sign_in(caller, "Murphy")
    caller.goto(f"/g/race/record/{ran.seq}/")
    caller.get_by_role("link", name="Ask a judge").click()
    expect(caller.get_by_role("checkbox", name=f"Entry {ran.seq}")).to_be_checked()
    caller.get_by_label("Statement").fill("Murphy is to be paid two hooves more, for the helmet.")
    caller.get_by_label("Arguments").fill("The rule says so, and I was paid *one*.")
    caller.get_by_role("button", name="Call it").click()
    expect(caller.get_by_text("Madrid judges it")).to_be_visible()

    sign_in(judge, "Madrid")
    judge.goto("/g/race/")
    judge.get_by_role("link", name="Judge Case 1").click()
    judge.get_by_label("Verdict").select_option("TRUE")
    judge.get_by_label("Reasons").fill("They had the helmet before the horses ran.")
    judge.get_by_role("button", name="Judge", exact=True).click()
    judge.get_by_role("link", name="Move assets as judged").click()
    form = judge.get_by_role("main").locator("form").filter(has=judge.get_by_label("Amount"))
    form.get_by_label("Amount").fill("2")
    for label, choice in (("Asset", "hoof"), ("From", "Mint"), ("To", "Murphy")):
        form.get_by_label(label, exact=True).select_option(choice)
    form.get_by_role("button", name="Move").click()
    expect(judge.get_by_text("Madrid announces Motion 1")).to_be_visible()

    sign_in(third, "Gaelan")
    for supporter in (third, caller):
        supporter.goto("/g/race/cases/1/")
        supporter.get_by_role("link", name="Motion 1").click()
        supporter.get_by_role("button", name="Support").click()
    caller.goto("/g/race/cases/1/")
    expect(caller.get_by_role("link", name="As judged in Case 1: Madrid moves 2")).to_be_visible()
    raced.refresh_from_db()
    assert glance(raced).ledger.balance(raced.players.get(name="Murphy"), "hoof") == hooves + 2
    assert raced.entries.latest("seq").at - ran.at < timedelta(days=1)
    caller.goto(f"/g/race/record/{ran.seq}/")
    expect(caller.get_by_role("link", name="Case 1")).to_be_visible()


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Madrid")
    found: list[str] = []
    for place in ("", "1/", "2/", "new/", "2/judge/", "2/argue/", "1/texts/2/", "1/play/1/"):
        page.goto(f"/g/table/cases/{place}")
        found += faults(page)
    assert found == []
