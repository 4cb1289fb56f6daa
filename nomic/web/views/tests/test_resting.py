"""A demonstration that rests says so; a game whose time an operator moves says that."""

from __future__ import annotations

import pytest

from nomic.operations.setup import new_game
from nomic.testing import Visitor


@pytest.mark.django_db
def test_a_resting_demonstration_is_not_called_one_that_an_operator_moves(visit: Visitor) -> None:
    new_game("demo", "demo", pace="manual")
    front = visit().get("/").text
    assert "it rests until somebody looks" in front
    assert "operator moves it" not in front
    assert "waking up" in visit().get("/g/demo/").text

    new_game("other", "agora", pace="manual")
    assert "operator moves it" in visit().get("/").text
    assert "manual time" in visit().get("/g/other/").text
