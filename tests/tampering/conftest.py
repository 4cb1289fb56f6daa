"""The game that is tampered with: its test names it by `which`."""

import pytest

from nomic.games.models import Game
from tests.tampering.games import played


@pytest.fixture
def game(db: None, which: str) -> Game:
    return played(which)
