"""The site as a program sees it: its games, what may be done in them, and what happens there."""

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

_NOT_DONE = (429, 503)  # told with the seconds after which one may ask again
_PERHAPS_DONE = (502, 504)  # of a proxy whose site starts anew
_KEY = "Idempotency-Key"
_TRIES = 8  # with the pauses between them two minutes, as long as an upgrade takes
_LONGEST = 60.0  # seconds between two tries where the site does not say
_PATIENCE = 30.0  # seconds for an answer
_SILENT = 60.0  # seconds without a line after which a stream is taken for dead: it has one each 15


class Failed(Exception):
    """What was asked for is not answered: the `status`, and the `content` of the answer."""

    def __init__(self, status: int, content: dict[str, Any]) -> None:
        super().__init__(f"{status}: {content.get('detail') or content.get('sentence') or content}")
        self.status, self.content = status, content


class Refused(Failed):
    """The rules do not allow the act now (409); `content` has the `code`, `sentence` and `rule`."""


@dataclass(frozen=True, slots=True)
class Event:
    """What a stream tells: `begin`, `entry` or `notice`, with its content; `id` goes on behind
    it."""

    name: str
    id: str
    content: dict[str, Any]


class Nomic:
    """A site, and who asks: the user of that token, or anybody without one."""

    def __init__(self, address: str, token: str = "") -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1",
            headers=headers,
            timeout=_PATIENCE,
            follow_redirects=True,
        )

    def games(self) -> list[dict[str, Any]]:
        """The games that one may see."""
        games: list[dict[str, Any]] = self.ask("GET", "/games").json()
        return games

    def game(self, slug: str) -> "Game":
        """The game of that slug, whether there is one or not."""
        return Game(self, slug)

    def ask(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """The answer; raises Refused and Failed, and httpx.TransportError. Where the site is busy,
        or this program has asked too often, it is asked again when it says, and for two minutes
        where it cannot be reached: what may have been done only with a key, by which it counts
        once."""
        counts_once = method != "POST" or _KEY in sent.get("headers", ())
        asked_again = (*_NOT_DONE, *_PERHAPS_DONE) if counts_once else _NOT_DONE
        lost = httpx.TransportError if counts_once else httpx.ConnectError
        for tries_left in reversed(range(_TRIES)):
            pause = min(2.0 ** (_TRIES - 1 - tries_left), _LONGEST)
            try:
                answer = self.http.request(method, path, **sent)
            except lost:
                if not tries_left:
                    raise
            else:
                if answer.status_code not in asked_again or not tries_left:
                    break
                pause = float(answer.headers.get("Retry-After", pause))
            time.sleep(pause)
        if answer.is_error:
            raise failure(answer)
        return answer


class Game:
    """One game of a site."""

    def __init__(self, site: Nomic, slug: str) -> None:
        self.site, self.slug = site, slug
        self._path = f"/games/{slug}"

    def get(self, part: str = "", **query: Any) -> Any:
        """What the game's address of that name tells: "" the game itself, `rules`, `horses` …"""
        return self.site.ask("GET", f"{self._path}/{part}".rstrip("/"), params=query).json()

    def actions(self) -> list[dict[str, Any]]:
        """What there is to do: the `name`, the `schema` of the inputs, and whether it is
        `allowed`."""
        actions: list[dict[str, Any]] = self.get("actions")
        return actions

    def act(self, action: str, /, **inputs: Any) -> dict[str, Any]:
        """Do it, once, however often it has to be sent: the entry that it made. Raises Refused."""
        entry: dict[str, Any] = self.site.ask(
            "POST",
            f"{self._path}/actions/{action}",
            json=inputs,
            headers={_KEY: uuid.uuid4().hex},
        ).json()
        return entry

    def try_out(self, action: str, /, **inputs: Any) -> dict[str, Any]:
        """What it would do; nothing changes. Raises Refused."""
        path = f"{self._path}/actions/{action}"
        outcome: dict[str, Any] = self.site.ask(
            "POST", path, json=inputs, params={"dry_run": True}
        ).json()
        return outcome

    def record(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The entries after that number, up to the newest."""
        last = after + 1
        while after < last:
            page = self.get("record", after=after)
            yield from page["entries"]
            last = page["last"]
            after = page["entries"][-1]["seq"] if page["entries"] else last

    def events(self, last_id: str = "") -> Iterator[Event]:
        """What happens from now on, or after the event of that id, for as long as one asks. A
        connection that ends is made again, and nothing is told twice or left out. Raises Failed
        where the site will not stream: 404, 401, and 409 where the game's past was restored."""
        next_pause = 1.0
        while True:
            pause, next_pause = next_pause, min(2 * next_pause, _LONGEST)
            headers = {"Last-Event-ID": last_id} if last_id else {}
            timeout = httpx.Timeout(_PATIENCE, read=_SILENT)
            try:
                with self.site.http.stream(
                    "GET", f"{self._path}/events", headers=headers, timeout=timeout
                ) as answer:
                    if answer.status_code in (*_NOT_DONE, *_PERHAPS_DONE):
                        pause = float(answer.headers.get("Retry-After", pause))
                    elif answer.is_error:
                        answer.read()
                        raise failure(answer)
                    else:
                        for event in read_events(answer.iter_lines()):
                            last_id, pause, next_pause = event.id or last_id, 1.0, 2.0
                            yield event
            except httpx.TransportError:
                pass
            time.sleep(pause)


def read_events(lines: Iterator[str]) -> Iterator[Event]:
    """The events of a stream (text/event-stream)."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, text = line.partition(":")
            fields[name] = text.removeprefix(" ")
        else:
            if "data" in fields:
                content = json.loads(fields["data"])
                yield Event(fields.get("event", "message"), fields.get("id", ""), content)
            fields = {}


def failure(answer: httpx.Response) -> Failed:
    """What is raised for that answer."""
    try:
        content = answer.json()
    except ValueError:
        content = {"detail": answer.text[:200]}
    is_refusal = answer.status_code == 409 and "code" in content
    return (Refused if is_refusal else Failed)(answer.status_code, content)
