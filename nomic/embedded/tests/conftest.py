"""A pair of servers of its own, which a test may stop and break."""

import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomic.embedded import servers
from nomic.embedded.places import Home


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def private_home() -> Iterator[Home]:
    """An empty home; what runs there at the end is stopped and the folder goes."""
    folder = Path(tempfile.mkdtemp(prefix="nomic-test-")).resolve()
    home = Home(folder / "var")
    yield home
    servers.down(home)
    shutil.rmtree(home.sockets, ignore_errors=True)
    shutil.rmtree(folder)
