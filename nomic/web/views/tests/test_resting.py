"""A demonstration that rests says so; a game whose time an operator moves says that."""

from __future__ import annotations

import pytest

from nomic.operations.setup import new_game
from tests.kit import Visitor


@pytest.mark.django_db
def test_a_resting_demonstration_is_not_called_one_that_an_operator_moves(visit: Visitor) -> None:
    new_game("demo", "demo", pace="manual")
    front = visit().get("/").text
    assert "it rests until somebody looks" in front
    assert "operator moves it" not in front
    home = visit().get("/g/demo/").text
    assert "waking up" in home
    assert "as soon as the game has woken up" in home
    assert "moves the clock" not in home

    new_game("other", "agora", pace="manual")
    assert "operator moves it" in visit().get("/").text
    home = visit().get("/g/other/").text
    assert "manual time" in home
    assert "when somebody moves the clock" in home
