"""The page of a rule that cannot be read says as of which version it is played."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from nomic.games.models import Game
from nomic.operations.setup import new_game
from nomic.web.game_context import rule_url
from tests.kit import WEDNESDAY, at_the_table, seat

pytestmark = pytest.mark.django_db(transaction=True)


def page_of(game: Game, title: str) -> str:
    rule = game.rules.get(title=title)
    return unescape(Client().get(rule_url(game, rule.title, rule.pk)).text)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("preset", "title", "old", "new", "another"),
    [
        ("agora", "Motivating Horses", "| Each pull of the galloper | 1 |", "| ? |", "Horses"),
        ("agora", "Voting", "| At least | 3 |", "| At least | banana |", "Horses"),
        ("agora", "Voting", "| QUORUM | BALLOTS |\n", "", "Horses"),
        ("blognomic", "The Dice Deck", "| 1 |", "| one |", "Visitors"),
        ("ace-of-spades", "Dealing to newcomers", "| 7 |", "| some |", "The suits"),
    ],
)
def test_its_own_page_says_so_and_no_others(
    preset: str, title: str, old: str, new: str, another: str
) -> None:
    game = new_game("room", preset, pace="manual", start=WEDNESDAY)[0]
    seat(game, "Murphy")
    said = f"“{title}” is played as of version 1: "
    assert said not in page_of(game, title)
    with at_the_table(game) as table:
        text = table.rules.text(title)
        assert old in text
        table.rules.amend(title, text.replace(old, new, 1))
    assert said in page_of(game, title)
    assert 'class="who unfitted"' in page_of(game, title)
    told = Client().get(f"/api/v1/games/{game.slug}/rules").json()
    (own,) = [rule for rule in told if rule["unread"]]
    assert own["unread"].startswith(said)
    assert not all(passage["fits"] for passage in own["passages"])
    listed = unescape(Client().get(f"/g/{game.slug}/rules/").text)
    assert listed.count("cannot be read: played as before") == 1
    assert "is played as of version" not in page_of(game, another)
    with at_the_table(game) as table:
        table.rules.amend(title, text)
    assert said not in page_of(game, title)


def test_a_rule_with_another_title_is_told_of_by_that() -> None:
    game = new_game("room", "ace-of-spades", pace="manual", start=WEDNESDAY)[0]
    with at_the_table(game) as table:
        text = table.rules.text("Regulation 215")
        table.rules.amend("Regulation 215", text.replace("| 7 |", "| some |"))
        table.rules.retitle("Regulation 215", "Dealing")
    assert "“Dealing” is played as of version 1: " in page_of(game, "Dealing")
