"""A site's processes and a person's browser, as tests need them."""

import fcntl
import http.cookiejar
import json
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import Any

# Seconds that anything may take on a machine which does much else.
PATIENCE = 240.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    text: str


@dataclass
class Browser:
    """Cookies, forms with their CSRF token, and no scripts."""

    address: str
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def get(self, path: str) -> Answer:
        return self._open(urllib.request.Request(self.address + path))

    def post(self, path: str, **inputs: str) -> Answer:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(path).text)
        assert token, f"{path} has no form"
        inputs["csrfmiddlewaretoken"] = token[1]
        body = urllib.parse.urlencode(inputs).encode()
        return self._open(urllib.request.Request(self.address + path, body))

    def _open(self, request: urllib.request.Request) -> Answer:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        try:
            with opener.open(request, timeout=15) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read().decode())


def readiness(address: str) -> dict[str, Any]:
    """What /readyz says; empty where nobody answers."""
    try:
        return dict(json.loads(Browser(address).get("/readyz").text))
    except OSError:
        return {}


def is_ready(address: str) -> bool:
    found = readiness(address)
    return bool(found) and all(value is not False for value in found.values())


def wait_for(what: Callable[[], object], seconds: float, log: Path) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, log.read_text()[-4000:]
        time.sleep(0.1)


def is_locked(file: Path) -> bool:
    """Whether somebody holds that lock."""
    with open(file, "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
