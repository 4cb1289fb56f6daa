"""A demonstration that rests says so; a game whose time an operator moves says that."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from nomic.games.clock import wall_now
from nomic.operations.setup import new_game
from nomic.simulation.practice import is_awake
from nomic.web.tokens import make_token
from tests.kit import Visitor, seat


@pytest.mark.django_db
def test_a_resting_demonstration_is_not_called_one_that_an_operator_moves(visit: Visitor) -> None:
    new_game("demo", "demo", pace="manual")
    front = visit().get("/").text
    assert "paused until somebody visits it" in front
    assert "operator moves it" not in front
    home = visit().get("/g/demo/").text
    assert "waking up" in home
    assert "as soon as the game has woken up" in home
    assert "moves the clock" not in home

    assert Client().get("/api/v1/games/demo").json()["rests"] is True

    new_game("other", "agora", pace="manual")
    assert "operator moves it" in visit().get("/").text
    home = visit().get("/g/other/").text
    assert "manual time" in home
    assert "when somebody moves the clock" in home
    assert Client().get("/api/v1/games/other").json()["rests"] is False


@pytest.mark.django_db
def test_a_program_that_asks_for_anything_of_a_game_wakes_it_as_a_page_does() -> None:
    game, _ = new_game("demo", "demo", pace="manual")
    player = seat(game, "Murphy")
    assert player.user is not None
    token = make_token(player.user, "a bot")[1]
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        cache.clear()
        Client().get("/api/v1/games")
        assert not is_awake(game, wall_now())
        assert Client().get("/api/v1/games/demo/actions", headers=headers).status_code == 200
        assert is_awake(game, wall_now())
