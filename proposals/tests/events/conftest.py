"""The room in which rules are broken and mended."""

import pytest

from proposals.tests.events.room import Room


@pytest.fixture
def room(db: None, preset: str) -> Room:
    return Room(preset)
