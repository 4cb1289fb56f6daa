"""The contest right before its Moment of Reckoning."""

from __future__ import annotations

import pytest

from aceofspades.tests.reckoned import wait_for_the_eve
from nomic.games.models import Game


@pytest.fixture
def eve(contest: Game) -> Game:
    """The contest a second before its Moment of Reckoning."""
    wait_for_the_eve(contest)
    return contest
