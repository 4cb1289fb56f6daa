"""What both bundled servers have in common: how they are launched, waited for, found and ended."""

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil


class ServerWouldNotStart(Exception):
    """A bundled server did not come up; the message says why and where its log is."""


def launch(command: list[str], folder: Path, log: Path, **as_owner: Any) -> subprocess.Popen[bytes]:
    """Run a server in the folder of its data; Ctrl-C is for the one who watches the servers."""
    log.parent.mkdir(exist_ok=True)
    log.parent.chmod(0o700)  # a statement that fails is written down with what was in it
    with open(log, "ab") as written:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
            **as_owner,
        )


def wait(
    name: str, answers: Callable[[], bool], lives: Callable[[], bool], log: Path, patience: float
) -> None:
    """Until it answers, for `patience` seconds. Raises ServerWouldNotStart, also once it no longer
    lives."""
    until = time.monotonic() + patience
    while not answers():
        if not lives() or time.monotonic() > until:
            last = log.read_text(errors="replace").splitlines()[-5:]
            raise ServerWouldNotStart(f"{name} did not start:\n" + "\n".join(last))
        time.sleep(0.05)


def running(folder: Path, pid_file: str) -> psutil.Process | None:
    """The server of that folder, however slow it is to answer; its pid may be another's by now."""
    try:
        server = psutil.Process(int((folder / pid_file).read_text().split("\n", 1)[0]))
        return server if Path(server.cwd()) == folder.resolve() else None
    except (OSError, ValueError, psutil.Error):
        return None


def end(server: psutil.Process | None, *ways: tuple[int, float]) -> None:
    """Send it these signals until it is gone, waiting so many seconds after each."""
    if server is None:
        return
    with suppress(psutil.NoSuchProcess):
        for number, seconds in ways:
            server.send_signal(number)
            with suppress(psutil.TimeoutExpired):
                server.wait(seconds)
                return
