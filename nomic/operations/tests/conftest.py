"""Here, the tiny game is played."""

import pytest

from nomic.engine.tests.scales import late, works
from nomic.engine.tests.sides import acts_with_a_private_side, buried
from nomic.engine.tests.tiny import TINY

__all__ = ["acts_with_a_private_side", "buried", "late", "works"]


@pytest.fixture
def preset() -> str:
    return TINY
