"""A site's processes and a person's browser, as tests need them."""

import fcntl
import http.cookiejar
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from threading import Event
from typing import Any

from django.db import connection
from psycopg.conninfo import make_conninfo

from nomic.embedded.commands import COMMANDS
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT, Home, home

# Seconds that anything may take on a machine which does much else.
PATIENCE = 240.0
PASSWORD = "a long walk to Fargo"


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


def readiness(address: str, page: str = "/readyz") -> dict[str, Any]:
    """What that page says of the site's health; empty where nobody answers."""
    try:
        return dict(json.loads(Browser(address).get(page).text))
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


def environment(home: Home, folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "NOMIC_VAR": str(folder),
        "NOMIC_SECRET_KEY": "the same on every machine of a site",
        "DATABASE_URL": home.database_url,
        "REDIS_URL": home.redis_url,
        "PORT": str(free_port()),
        "NOMIC_WEB_WORKERS": "1",
        "NOMIC_WORKER_PROCESSES": "1",
    }


def sign_up(browser: Browser, name: str) -> None:
    page = browser.post("/accounts/signup/", username=name, password1=PASSWORD, password2=PASSWORD)
    assert page.status == 200
    assert name in page.text


@contextmanager
def running(machines: Iterable[Mapping[str, str]], log: Path) -> Iterator[None]:
    """Web, worker and beat of each machine, that is, of each environment."""
    with open(log, "ab") as out:
        parts = [
            subprocess.Popen(COMMANDS[name](env), env=env, cwd=ROOT, stdout=out, stderr=out)
            for env in machines
            for name in ("web", "worker", "beat")
        ]
    try:
        yield
    finally:
        for part in parts:
            part.terminate()
        for part in parts:
            part.wait(PATIENCE)


def on_the_tests_database(**more: str) -> dict[str, str]:
    """The environment of a process on the tests' database."""
    known = connection.get_connection_params()
    wanted = ("dbname", "user", "password", "host", "port")
    address = make_conninfo(**{name: known[name] for name in wanted if name in known})
    return {**os.environ, "DATABASE_URL": address, **more}


@contextmanager
def serving(**more: str) -> Iterator[str]:
    """The address of a web server on the tests' database, beside which a process streams."""
    ports = {"PORT": str(free_port()), "NOMIC_STREAM_PORT": str(free_port())}
    env = on_the_tests_database(NOMIC_WEB_WORKERS="1", **ports, **more)
    log = home().folder / f"test-web-{env['PORT']}.log"
    with open(log, "wb") as out:
        processes = [
            subprocess.Popen(COMMANDS[name](env), env=env, cwd=ROOT, stdout=out, stderr=out)
            for name in ("web", "stream")
        ]
    try:
        address, streams = (
            f"http://127.0.0.1:{env[port]}" for port in ("PORT", "NOMIC_STREAM_PORT")
        )
        wait_for(lambda: readiness(address).get("database"), PATIENCE, log)
        wait_for(lambda: readiness(streams, "/healthz").get("stream"), PATIENCE, log)
        yield address
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(PATIENCE)
        log.unlink()


# A game in which people speak


_SPEAKERS = [f"n{number}" for number in range(1, 5)]
_MOST_SAID = 90
_PLAY = f"""
from nomic.engine.take import take
from nomic.operations.setup import new_game
from tests.kit import user_of
from nomic.web.tokens import make_token
new_game("table", "agora")
for name in {_SPEAKERS}:
    take("table", user_of(name), "games.join", {{"name": name}})
take("table", user_of("n1"), "proposals.submit", {{"title": "A subject", "body": "Let us talk."}})
print(" ".join(make_token(user_of(name), "tests")[1] for name in {_SPEAKERS}))
"""


@dataclass
class Speaker:
    """A player's program, which comments on the first proposal of the game `table`."""

    address: str
    token: str

    def say(self, text: str) -> int | None:
        """The number of the entry; None where it is not said now, or nobody knows."""
        inputs = json.dumps({"proposal": "p1", "text": text}).encode()
        shown = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": text}
        place = f"{self.address}/api/v1/games/table/actions/proposals.comment"
        request = urllib.request.Request(place, inputs, shown)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return int(json.load(answer)["seq"])
        except OSError:
            return None

    def go_on(self, enough: Event) -> dict[int, str]:
        """Speak until it is enough, each remark until it is answered; all that was, by entry."""
        found = {}
        for number in range(_MOST_SAID):
            text = f"Remark {number} of {self.token[-6:]}"
            while (seq := self.say(text)) is None:
                enough.wait(0.2)
            found[seq] = text
            if enough.is_set():
                break
        return found


def begin_a_game(env: Mapping[str, str]) -> list[Speaker]:
    """Gather files, make tables, begin the game `table`; its players."""
    for name in ("static", "migrate"):
        subprocess.run(COMMANDS[name](env), env=env, cwd=ROOT, check=True)
    shell = [sys.executable, "manage.py", "shell", "-v0", "-c", _PLAY]
    made = subprocess.run(shell, env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    address = f"http://127.0.0.1:{env['PORT']}"
    return [Speaker(address, token) for token in made.stdout.split()]


@contextmanager
def all_speaking(speakers: list[Speaker]) -> Iterator[dict[int, str]]:
    """All speak in the block; after it, what was answered, by entry."""
    enough, answered = Event(), dict[int, str]()
    with ThreadPoolExecutor(len(speakers)) as threads:
        speaking = [threads.submit(each.go_on, enough) for each in speakers]
        try:
            yield answered
        finally:
            enough.set()
        for found in speaking:
            answered |= found.result()


def last(address: str) -> int:
    """The number of the game's last entry, as whoever is not signed in reads it."""
    return int(json.loads(Browser(address).get("/api/v1/games/table/record").text)["last"])


def remarks(address: str) -> dict[int, str]:
    """What the game's record has of them, by entry."""
    page = Browser(address).get("/api/v1/games/table/record?limit=1000").text
    return {each["seq"]: each["inputs"].get("text") for each in json.loads(page)["entries"]}
