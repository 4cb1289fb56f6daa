"""People of a site as attackers and bystanders are: each with a browser's session and a token."""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Lock
from typing import Any
from urllib.parse import urlencode

LONGEST = 60.0  # seconds that anybody waits for an answer
_CSRF = "a" * 32
_TAGS = re.compile(r"<(?:script|style|head).*?</(?:script|style|head)>|<[^>]*>", re.DOTALL)
_COME_BACK = 12  # times that who is told to come back later does


class Refused(Exception):
    """The site does not let it be done; the text is its sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: status (0 where nothing did), seconds, body."""

    status: int
    seconds: float
    body: bytes = b""
    later: float = 0.0  # seconds after which to come back, as a 503 says it

    @property
    def told(self) -> Any:
        """The body as JSON; {} where it is none."""
        try:
            return json.loads(self.text)
        except ValueError:
            return {}

    @property
    def text(self) -> str:
        """The body as text, unpacked where it came packed."""
        packed = self.body.startswith(b"\x1f\x8b")
        return (gzip.decompress(self.body) if packed else self.body).decode(errors="replace")

    @property
    def sentence(self) -> str:
        """Why it was refused, in a line."""
        told = self.told
        if isinstance(told, dict) and told:
            said = told.get("sentence") or told.get("detail") or told
            if isinstance(said, list):
                said = " ".join(str(each.get("msg", each)) for each in said)
            return str(said)[:300]
        text = " ".join(_TAGS.sub(" ", self.text).split())
        return f"{self.status} {text}"[:300] if self.status else "no answer"


@dataclass
class Asked:
    """All answers of one kind of request: what `answers` hears is kept as it comes."""

    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    _lock: Lock = field(default_factory=Lock)

    def add(self, what: str, answer: Answer) -> None:
        """Keep how long it took and what was said where it was refused."""
        with self._lock:
            self.seconds.append(answer.seconds)
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            self.slowest = max(self.slowest, (answer.seconds, what))
            if answer.status >= 400 and len(self.refusals) < 50:
                self.refusals.append(answer.sentence)


Hearing = Callable[[str, Answer], None]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account. What they ask is told to `hears`."""

    name: str
    token: str
    session: str
    port: int
    hears: Hearing

    def get(self, path: str, longest: float = LONGEST) -> Answer:
        """A page, as a browser asks for it that understands gzip."""
        head = {"Cookie": f"sessionid={self.session}", "Accept-Encoding": "gzip"}
        return self._ask("GET", path, None, head, longest)

    def post(self, path: str, form: Mapping[str, str], *, htmx: bool = False) -> Answer:
        """A form, as a browser sends it."""
        body = urlencode({**form, "csrfmiddlewaretoken": _CSRF}).encode()
        head = {
            "Cookie": f"sessionid={self.session}; csrftoken={_CSRF}",
            "Content-Type": "application/x-www-form-urlencoded",
            **({"HX-Request": "true"} if htmx else {}),
        }
        return self._ask("POST", path, body, head, LONGEST)

    def upload(self, path: str, name: str, content: bytes) -> Answer:
        """A form with a file in it, and nothing else."""
        end = "----------------of-a-part"
        head = f'--{end}\r\nContent-Disposition: form-data; name="'
        body = f'{head}csrfmiddlewaretoken"\r\n\r\n{_CSRF}\r\n'.encode()
        body += f'{head}file"; filename="{name}"\r\n\r\n'.encode() + content
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={_CSRF}",
            "Content-Type": f"multipart/form-data; boundary={end}",
        }
        whole = body + f"\r\n--{end}--\r\n".encode()
        return self._ask("POST", path, whole, headers, LONGEST)

    def act(self, slug: str, name: str, /, longest: float = LONGEST, **inputs: Any) -> Answer:
        """An act by the API."""
        head = {"Authorization": f"Bearer {self.token}"}
        body = json.dumps(inputs).encode()
        return self._ask("POST", f"/api/v1/games/{slug}/actions/{name}", body, head, longest)

    def must(self, slug: str, name: str, /, **inputs: Any) -> dict[str, Any]:
        """The same, come back to where one is told to; its entry. Raises Refused."""
        for _ in range(_COME_BACK):
            answer = self.act(slug, name, **inputs)
            if answer.status in (200, 201):
                return dict(answer.told)
            if answer.status != 503:
                break
            time.sleep(min(answer.later or 2.0, 5.0))
        raise Refused(answer.sentence)

    def start(self, title: str, **more: str) -> str:
        """A new game, at whose table they sit alone; its slug. Raises Refused."""
        form = {
            "preset": "multa",
            "title": title,
            "pace": "minutes",
            "seen_by": "everybody",
            "joined_by": "everybody",
            "offices": "open",
            "bots": "0",
            "name": self.name,
            **more,
        }
        answer = self.post("/start/", form)
        if answer.status != 302:
            raise Refused(answer.sentence)
        return answer.body.decode()

    def propose(self, slug: str, body: str, title: str = "A proposal") -> str:
        """Submit it; the proposal's id. Raises Refused."""
        entry = self.must(slug, "proposals.submit", title=title, body=body)
        return str(entry["outcome"]["id"])

    def adopt(self, slug: str, body: str) -> None:
        """Submit it and vote for it, which is enough at one's own table, and wait until a worker
        has carried it out. Raises Refused."""
        handle = self.propose(slug, body)
        self.must(slug, "proposals.vote", proposal=handle, choice="FOR")
        for _ in range(_COME_BACK):
            told = self.get(f"/api/v1/games/{slug}/proposals/{handle}").told
            if told.get("outcome"):
                return
            time.sleep(1.0)
        raise Refused("It is not carried out.")

    def _ask(
        self, method: str, path: str, body: bytes | None, head: dict[str, str], longest: float
    ) -> Answer:
        answer = ask(self.port, method, path, body, head, longest)
        self.hears(f"{method} {path}", answer)
        return answer


def ask(
    port: int, method: str, path: str, body: bytes | None, head: Mapping[str, str], longest: float
) -> Answer:
    """One request on a connection of its own. Of a redirect the body is the slug it leads to."""
    connection = HTTPConnection("127.0.0.1", port, timeout=longest)
    since = time.monotonic()
    try:
        connection.request(method, path, body, {"Host": "localhost", **head})
        got = connection.getresponse()
        whole = _body(got, since + longest)
        if 300 <= got.status < 400:
            whole = (got.headers["Location"].split("/g/")[-1].split("/")[0]).encode()
        later = float(got.headers.get("Retry-After") or 0)
        return Answer(got.status, time.monotonic() - since, whole, later)
    except (OSError, HTTPException):
        return Answer(0, time.monotonic() - since)
    finally:
        connection.close()


def _body(got: Any, until: float) -> bytes:
    """All of it; TimeoutError where it drips for longer than anybody waits."""
    parts = []
    while part := got.read(1 << 20):
        parts.append(part)
        if time.monotonic() > until:
            raise TimeoutError
    return b"".join(parts)
