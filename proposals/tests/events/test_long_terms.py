"""The longest terms that the rules' tables may have, in a game whose time is almost over."""

from datetime import timedelta

import pytest
from django.test import Client

from nomic.engine.catch_up import catch_up
from nomic.engine.take import take
from nomic.games.clock import END_OF_TIME
from nomic.games.models import Game
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from tests.kit import seat

PATHS = ("/g/end/", "/g/end/proposals/", "/g/end/proposals/p1/")
API = ("", "/proposals", "/proposals/p1")


@pytest.mark.thorough
@pytest.mark.parametrize("pace", ["manual", "fast"])
@pytest.mark.parametrize(
    ("preset", "title", "numbers"),
    [
        ("agora-proposals", "Voting", {"distribution | 7 |": "distribution | 1000 |"}),
        ("blognomic", "Proposals", {"after | 48 |": "after | 10000 |"}),
        ("b-nomic-2006", "The Clock", {"| 12 |": "| 1000 |", "| 1 | 24 |": "| 1 | 1000 |"}),
    ],
)
def test_the_longest_terms_are_played_until_time_ends(
    db: None, preset: str, title: str, numbers: dict[str, str], pace: str
) -> None:
    game = new_game("end", preset, pace=pace, start=END_OF_TIME - timedelta(days=2))[0]
    murphy = seat(game, "Murphy")
    text = game.rules.get(title=title).text
    for old, new in numbers.items():
        assert old in text
        text = text.replace(old, new)
    take("end", None, "rulebook.amend", {"rule": title, "text": text, "reason": "patience"})
    take("end", murphy, "proposals.submit", {"body": "Spoons are nice."})
    client = Client()
    for path in (*PATHS, *(f"/api/v1/games/end{rest}" for rest in API)):
        assert client.get(path).status_code == 200
    catch_up(game.pk)
    assert Game.objects.get(pk=game.pk).state == "running"
    assert replay(Game.objects.get(pk=game.pk))[1] is None
