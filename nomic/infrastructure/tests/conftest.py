"""Here, the tiny game is played."""

import pytest

from nomic.engine.tests.tiny import TINY


@pytest.fixture
def preset() -> str:
    return TINY
