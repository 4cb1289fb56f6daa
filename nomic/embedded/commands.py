"""The processes of the site, each as a command line.

`make play` runs these on one machine, docker-compose.yml and any other host run the same ones as
`python -m nomic.embedded NAME`; so there is one place that says how the site is run.
"""

import os
import sys
from collections.abc import Callable, Mapping

from nomic.infrastructure.paths import ROOT

STREAM_PORT = "8001"
THREADS = "8"  # of each web process, where NOMIC_WEB_THREADS says nothing else


def _python(*words: str) -> list[str]:
    return [sys.executable, *words]


def _manage(*words: str) -> list[str]:
    return _python(str(ROOT / "manage.py"), *words)


def web(env: Mapping[str, str]) -> list[str]:
    """The web server, on HOST (127.0.0.1) and PORT (8000)."""
    cores = os.cpu_count() or 1
    return _python(
        *("-m", "granian", "nomic.wsgi:application", "--interface", "wsgi"),
        *("--host", env.get("HOST", "127.0.0.1"), "--port", env.get("PORT", "8000")),
        *("--workers", env.get("NOMIC_WEB_WORKERS", str(min(cores, 4)))),
        # A thread keeps a database connection, so an idle one is worth its while.
        *("--blocking-threads", env.get("NOMIC_WEB_THREADS", THREADS)),
        *("--blocking-threads-idle-timeout", "600"),
        *("--http", "1", "--no-ws", "--respawn-failed-workers", "--workers-kill-timeout", "10"),
        *("--log-level", "error"),
    )


def stream(env: Mapping[str, str]) -> list[str]:
    """Streams what happens to programs that follow it, on HOST and NOMIC_STREAM_PORT (8001)."""
    port = env.get("NOMIC_STREAM_PORT") or STREAM_PORT
    return _python(
        *("-m", "granian", "nomic.asgi:application", "--interface", "asgi"),
        *("--host", env.get("HOST", "127.0.0.1"), "--port", port),
        # What happens is read once for all streams, which are tasks of one loop.
        *("--workers", "1", "--backlog", "8192", "--backpressure", "8192"),
        *("--http", "1", "--no-ws", "--respawn-failed-workers", "--workers-kill-timeout", "5"),
        *("--log-level", "error"),
    )


def worker(env: Mapping[str, str]) -> list[str]:
    """Runs what is due, in NOMIC_WORKER_PROCESSES processes (4). Letters, a recalculation and what
    a page left to be worked out hold one each at most, so that one is always free for games."""
    return _python(
        *("-m", "celery", "--quiet", "-A", "nomic.celery", "worker"),
        *("--concurrency", env.get("NOMIC_WORKER_PROCESSES", "4")),
        # A task goes to a process that is free (`fair`), never behind a long one of another.
        *("--without-gossip", "--without-mingle", "--without-heartbeat", "-O", "fair"),
    )


def beat(env: Mapping[str, str]) -> list[str]:
    """Says every second that it is time to look. A second beat does no harm."""
    return _python(*("-m", "celery", "--quiet", "-A", "nomic.celery", "beat", "--pidfile="))


def migrate(env: Mapping[str, str]) -> list[str]:
    """Brings the database's tables up to date."""
    return _manage("migrate", "--no-input")


def static(env: Mapping[str, str]) -> list[str]:
    """Gathers style sheets, scripts and pictures under hashed names."""
    return _manage("collectstatic", "--no-input", "--verbosity", "0")


def static_is_gathered() -> bool:
    """Whether nothing changed since the last gathering: no file of ours, no package."""
    try:
        gathered = (ROOT / "staticfiles" / "staticfiles.json").stat().st_mtime
    except FileNotFoundError:
        return False
    ours = [ROOT / "requirements.txt"]
    for folder in (ROOT / "static", *ROOT.glob("*/static"), *ROOT.glob("nomic/*/static")):
        ours += [folder, *folder.rglob("*")]
    return all(path.stat().st_mtime < gathered for path in ours)


def can_start(name: str) -> list[str]:
    """Says what the process of that name lacks to start, if it lacks anything."""
    return _manage("can-start", name)


STARTED = ("web", "stream", "worker", "beat")  # which go on until they are told to end
CHECKED = (*STARTED, "migrate")  # which look first whether they have what they need


def demo(env: Mapping[str, str]) -> list[str]:
    """Fills an empty database with a demonstration; leaves any other alone."""
    return _manage("demo")


COMMANDS: dict[str, Callable[[Mapping[str, str]], list[str]]] = {
    command.__name__: command for command in (web, stream, worker, beat, migrate, static, demo)
}
