"""Two web servers on one port would share it in silence."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from nomic.embedded.play import CannotPlay, need_port
from nomic.places import ROOT


@pytest.fixture
def taken() -> Iterator[str]:
    """A port on which something listens, as a web server does that would share it."""
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield str(server.getsockname()[1])


def test_a_port_that_is_taken_is_refused_with_a_sentence(taken: str) -> None:
    with pytest.raises(CannotPlay, match=f"Port {taken} cannot be had .* a web server runs there"):
        need_port({"PORT": taken})


def test_the_second_web_server_does_not_start(taken: str) -> None:
    command = [sys.executable, "-m", "nomic.embedded", "web"]
    env = {**os.environ, "PORT": taken}
    ended = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "cannot be had" in ended.stderr
