"""What an announced correction will change is there for everybody to see while it waits."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from tests.kit import WEDNESDAY, Take, at_the_table, seat, tight

MOVE = {"amount": 10, "asset": "dollary", "giver": "Mint", "receiver": "Murphy", "reason": "a slip"}


@pytest.fixture
def game(db: None) -> Game:
    return new_game("table", "agora-races", pace="manual", start=WEDNESDAY, offices="support")[0]


@pytest.fixture
def officer(game: Game, act: Take) -> Player:
    murphy, madrid, snail = (seat(game, name) for name in ("Murphy", "Madrid", "snail"))
    act(snail, "games.stand", office="Horsened")
    for each in (murphy, madrid):
        act(each, "games.support", motion=1)
    return snail


def page(number: int) -> str:
    answer = Client().get(f"/g/table/motions/{number}/")
    assert answer.status_code == 200
    return answer.text


def test_everybody_sees_what_a_correction_will_change(
    game: Game, officer: Player, act: Take
) -> None:
    act(officer, "ledger.correct", **MOVE)
    before = glance(game).ledger.balance(game.players.get(name="Murphy"), "dollary")
    last = game.entries.count()
    text = page(2)
    assert "“snail moves 10 dollaries from Mint to Murphy: a slip”" in text
    assert f'<td class="num">{before}</td><td class="num">{before + 10}</td>' in tight(text)
    assert game.entries.count() == last
    assert glance(game).ledger.balance(game.players.get(name="Murphy"), "dollary") == before
    advance("table", WEDNESDAY + timedelta(hours=24))
    assert "What it will change" not in page(2)


def test_a_correction_says_that_support_hastens_it_until_somebody_objects(
    game: Game, officer: Player, act: Take
) -> None:
    murphy = game.players.get(name="Murphy")
    act(officer, "ledger.correct", **MOVE)
    assert "unless a player objects. With 2 supporters it is done at once: it has none yet." in (
        tight(page(2))
    )
    act(game.players.get(name="Madrid"), "games.support", motion=2)
    assert "it is done at once: it has Madrid." in tight(page(2))
    act(murphy, "games.object", motion=2)
    assert "It has 1 of the 2 supporters that it needs: Madrid." in tight(page(2))
    act(murphy, "games.support", motion=2)
    assert "Done in" in tight(page(2))


def test_who_looks_again_does_not_keep_the_game_from_others(officer: Player, act: Take) -> None:
    act(officer, "ledger.correct", **MOVE)
    assert "“snail moves 10 dollaries from Mint" in page(2)
    with CaptureQueriesContext(connection) as asked:
        assert "“snail moves 10 dollaries from Mint" in page(2)
    assert not [each for each in asked.captured_queries if "FOR NO KEY UPDATE" in each["sql"]]


def test_a_correction_of_a_text_shows_the_differences(
    game: Game, officer: Player, act: Take
) -> None:
    original = glance(game).rules.text("Horse Victory")
    with at_the_table(game) as table:
        table.rules.amend("Horse Victory", f"{original}\nHorses may wear hats.\n")
    act(officer, "rulebook.amend", rule="Horse Victory", text=original, reason="as adopted")
    assert "<del>Horses may wear hats.</del>" in page(2)


def test_what_cannot_be_done_as_things_are_is_told_with_its_reason(
    game: Game, officer: Player, act: Take
) -> None:
    act(officer, "horses.correct_position", horse="Fargo", position=9, reason="a slip")
    act(officer, "games.resign_office", office="Horsened")
    assert "As things are now it cannot be done: snail is not the Horsened any more." in page(2)
    assert "What it will change" not in page(1)
    assert Client().get("/g/table/motions/9/").status_code == 404


def test_a_fault_of_the_program_is_a_sentence_on_the_page(
    game: Game, officer: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    act(officer, "ledger.correct", **MOVE)
    last = game.entries.count()

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("horses.subgame.Races.corrected", fail)
    assert "The program fails at it as things are now, and it will not be done." in page(2)
    assert game.entries.count() == last
