"""A pair of servers of its own, which a test may stop and break."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomic.embedded import servers
from nomic.infrastructure.paths import Home


@pytest.fixture
def private_home() -> Iterator[Home]:
    """An empty home; what runs there at the end is stopped and the folder goes."""
    folder = Path(tempfile.mkdtemp(prefix="nomic-test-")).resolve()
    home = Home(folder / "var")
    yield home
    servers.down(home)
    shutil.rmtree(home.sockets, ignore_errors=True)
    shutil.rmtree(folder)
