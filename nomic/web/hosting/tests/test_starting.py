"""A game is made in a browser, and who makes it is its host."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from nomic.games.models import Game
from nomic.operations.replay import replay
from nomic.testing import Visitor, user_of

ASKED = {
    "preset": "agora-races",
    "title": "Friday evening",
    "pace": "minutes",
    "seen_by": "everybody",
    "joined_by": "everybody",
    "offices": "support",
    "name": "Murphy",
}


@pytest.fixture
def murphy(db: None) -> User:
    return user_of("murphy")


def start(visit: Visitor, user: User, **asked: Any) -> Any:
    return visit(user).post("/start/", {**ASKED, **asked})


def test_who_starts_a_game_is_its_host_and_has_a_seat_and_a_link(
    murphy: User, visit: Visitor
) -> None:
    answer = start(visit, murphy, bots=1)
    game = Game.objects.get(slug="friday-evening")
    assert answer.url == "/g/friday-evening/host/"
    assert (game.host, game.title, game.pace, game.rate) == (murphy, ASKED["title"], "fast", 2016)
    names = list(game.players.values_list("name", flat=True))
    assert "Murphy" in names
    assert len(names) == 2
    assert game.invitations.count() == 1
    assert replay(game)[1] is None


def test_names_that_are_alike_get_addresses_of_their_own(murphy: User, visit: Visitor) -> None:
    start(visit, murphy)
    start(visit, murphy)
    start(visit, murphy, title="!!!")
    assert set(Game.objects.values_list("slug", flat=True)) == {
        "friday-evening",
        "friday-evening-2",
        "game",
    }


def test_nobody_guesses_the_address_of_a_game_for_those_with_the_link(
    murphy: User, visit: Visitor
) -> None:
    start(visit, murphy, seen_by="link")
    slug = Game.objects.get().slug
    assert slug.startswith("friday-evening-")
    assert len(slug) == len("friday-evening-") + 10


def test_a_sixth_open_game_is_refused_until_one_is_closed(murphy: User, visit: Visitor) -> None:
    for _ in range(5):
        assert start(visit, murphy, name="").status_code == 302
    refused = start(visit, murphy, name="")
    assert refused.status_code == 422
    assert "You host 5 open games" in refused.content.decode()
    client = visit(murphy)
    sent = {"reason": "It is late.", "confirmed": "yes"}
    assert client.post("/g/friday-evening/act/games.close/", sent).status_code == 302
    assert start(visit, murphy, name="").status_code == 302


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"preset": "demo"}, "Select a valid choice"),
        ({"pace": "real", "offices": "open"}, "At the real pace offices are filled"),
        ({"pace": "real", "first_day": "2301-01-01"}, "Choose a day from"),
        ({"pace": "real", "first_day": "2101-01-01"}, "At the real pace the game begins today"),
        ({"title": ""}, "Fill this in."),
        ({"title": "a\x00b"}, "haracter"),
        ({"name": "a\u202eb"}, "haracter"),
        ({"bots": "99"}, "A game has at most 12 practice players"),
    ],
)
def test_what_cannot_be_is_told_beside_its_field(
    murphy: User, visit: Visitor, asked: dict[str, str], sentence: str
) -> None:
    answer = start(visit, murphy, **asked)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Game.objects.exists()


def test_one_signs_in_to_start_a_game(db: None, visit: Visitor) -> None:
    assert visit().get("/start/").url == "/accounts/login/?next=/start/"
