"""Two web servers on one port would share it in silence."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nomic.embedded.play import CannotPlay, need_port
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT, Home


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


@pytest.mark.parametrize("host", ["::", "::1", "0.0.0.0", "localhost"])  # noqa: S104
def test_every_way_to_say_where_to_listen_is_understood(host: str) -> None:
    port = str(free_port())
    need_port({"HOST": host, "PORT": port})
    with pytest.raises(CannotPlay, match="a web server runs there"):
        need_port({"HOST": host, "PORT": port})


def test_a_command_beside_the_web_server_names_the_port_at_which_that_listens(
    tmp_path: Path,
) -> None:
    around = {name: os.environ[name] for name in os.environ if name not in ("PORT", "NOMIC_ORIGIN")}
    around["NOMIC_VAR"] = str(tmp_path)
    ask = [sys.executable, "-c", "from nomic.settings import ADDRESS; print(ADDRESS)"]
    printed = [subprocess.check_output(ask, env=around, cwd=ROOT, text=True)]
    Home(tmp_path).keep_port("8123")
    printed.append(subprocess.check_output(ask, env=around, cwd=ROOT, text=True))
    assert printed == ["http://localhost:8000\n", "http://localhost:8123\n"]


def test_who_listens_to_all_addresses_has_the_port_of_each() -> None:
    with socket.socket(socket.AF_INET6) as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        server.bind(("::", 0))
        server.listen()
        port = str(server.getsockname()[1])
        for host in ("::", "127.0.0.1", "0.0.0.0"):  # noqa: S104
            with pytest.raises(CannotPlay, match="a web server runs there"):
                need_port({"HOST": host, "PORT": port})


@pytest.mark.parametrize(("host", "port"), [("no such host", "8000"), ("", "eight"), ("", "70000")])
def test_what_is_no_address_is_told(host: str, port: str) -> None:
    with pytest.raises(CannotPlay, match=f"Port {port} cannot be had"):
        need_port({"HOST": host, "PORT": port})


_HOLDS_IT = """
import os, sys
from nomic.embedded.play import CannotPlay, need_port
try:
    need_port(os.environ)
    print("has it", flush=True)
    sys.stdin.read()
except CannotPlay as reason:
    print(reason)
"""


def test_of_two_that_start_at_once_one_does_not() -> None:
    env = {**os.environ, "PORT": str(free_port())}
    command = [sys.executable, "-c", _HOLDS_IT]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen(command, env=env, cwd=ROOT, **pipes) for _ in range(2)]
    # Each has said what it found before either is told to end.
    first, second = sorted((each.stdout.readline() for each in both if each.stdout), key=len)
    for each in both:
        each.communicate("")
    assert first == "has it\n"
    assert "cannot be had" in second


def test_the_second_web_server_does_not_start(taken: str) -> None:
    command = [sys.executable, "-m", "nomic.embedded", "web"]
    env = {**os.environ, "PORT": taken}
    ended = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "cannot be had" in ended.stderr
