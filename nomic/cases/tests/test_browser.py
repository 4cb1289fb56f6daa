"""Calling, judging and reading a case, in Chromium."""

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


@at_both_widths
def test_axe_finds_nothing(width: int, scheme: str, sit: Sit, game: Game) -> None:
    page = sit(width, scheme=scheme)
    sign_in(page, "Madrid")
    found: list[str] = []
    for place in ("", "1/", "2/", "new/", "2/judge/", "2/argue/", "1/texts/2/"):
        page.goto(f"/g/table/cases/{place}")
        found += faults(page)
    assert found == []
