"""The ASGI application that streams: `text/event-stream` (WHATWG HTML, 9.2) at
`…/games/SLUG/events`.

One task for each stream, no thread: what happened is read once for all by the feeds. A stream that
is behind, because it resumes or its reader is slow, reads what it lacks by itself.
"""

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from random import uniform
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja.errors import Throttled

from nomic.games.bounds import STREAMS, STREAMS_OF_ONE
from nomic.web.api.cors import PREFLIGHT, READABLE
from nomic.web.api.messages import HEAD
from nomic.web.api.rooms import limits_told
from nomic.web.api.site import api
from nomic.web.api.stream.feeds import Feed, Feeds, Runner, entries_after, in_threads, notices_after
from nomic.web.api.stream.gate import Admitted, admit, as_request, is_still_admitted
from nomic.web.problems import error_response

log = logging.getLogger(__name__)

SILENT = 15.0  # seconds after which a stream says that it is there
ASKED_AGAIN = 30.0  # seconds after which it is asked again who follows
_FULL_FOR = 10  # seconds after which one may try again where all places are taken
_PATH = re.compile(r"/api/v1/games/([^/]+)/events/?")
_RETRY = b"retry: 2000\n\n"
_ALIVE = b": nothing new\n\n"
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would keep events back until there are many
]

type Scope = dict[str, Any]
type Receive = Callable[[], Awaitable[dict[str, Any]]]
type Send = Callable[[dict[str, Any]], Awaitable[None]]


class Streams:
    """All streams of this process. `run` runs what asks the database."""

    def __init__(self, run: Runner | None = None) -> None:
        self.run = run or in_threads()
        self.feeds = Feeds(self.run)
        self.count = 0
        self._of_one = Counter[str]()
        self._looking: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                self.feeds.end()
                await send({"type": "lifespan.shutdown.complete"})
                return
            await send({"type": "lifespan.startup.complete"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/healthz":
            state = {"stream": True, "streams": self.count}
            await _send(send, HttpResponse(json.dumps(state), content_type="application/json"))
            return
        request = as_request(scope)
        match = _PATH.fullmatch(scope["path"])
        if not match:
            sentence = "This process streams …/games/SLUG/events alone."
            await _send(send, error_response(sentence, 404))
        elif request.method == "OPTIONS":
            await _send(send, HttpResponse(status=204, headers=PREFLIGHT))
        elif request.method not in ("GET", "HEAD"):
            refused = error_response(f"This address takes GET and HEAD, not {request.method}.", 405)
            refused.headers["Allow"] = "GET, HEAD"
            await _send(send, refused)
        elif self.count >= STREAMS.count or self.feeds.is_ending:
            answer = error_response("As many follow games as this site has places for.", 503)
            answer.headers["Retry-After"] = str(_FULL_FOR)
            await _send(send, answer)
        else:
            self.count += 1
            try:
                await self._stream(request, match[1], receive, send)
            finally:
                self.count -= 1

    async def _stream(self, request: HttpRequest, slug: str, receive: Receive, send: Send) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self.feeds.keep_looking())
        try:
            admitted: Admitted = await self.run(admit, request, slug)
            if self._of_one[admitted.counted] >= STREAMS_OF_ONE.count:
                raise Throttled(wait=_FULL_FOR)
        except Exception as error:
            await _send(send, await self.run(_answer_to, request, error))
            return
        limits = limits_told(request)
        headers = [*_HEADERS, *_as_bytes({HEAD: admitted.head, **READABLE, **limits})]
        self._of_one[admitted.counted] += 1
        feed = self.feeds.follow(admitted.game, admitted.user, admitted.last)
        disconnection = asyncio.create_task(_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            if request.method == "GET":
                await self._follow(request, slug, admitted, feed, disconnection, send)
            await send({"type": "http.response.body", "body": b""})
        finally:
            disconnection.cancel()
            self.feeds.leave(admitted.game, admitted.user)
            self._of_one[admitted.counted] -= 1

    async def _follow(
        self,
        request: HttpRequest,
        slug: str,
        admitted: Admitted,
        feed: Feed,
        disconnection: asyncio.Task[None],
        send: Send,
    ) -> None:
        """Send what happens until nobody reads it, or whoever does may not any more."""
        after, notice, number = admitted.after, admitted.notice, admitted.notice_number
        loop = asyncio.get_running_loop()
        # Not all who came at once are asked again at once.
        asked_again = loop.time() + uniform(0.5, 1.0) * ASKED_AGAIN  # noqa: S311
        begin = json.dumps({"last": admitted.last, "head": admitted.head}).encode()
        chunk = _RETRY + _with_id(after, number, b"event: begin\ndata: " + begin + b"\n\n")
        while not disconnection.done() and not self.feeds.is_ending:
            changed = self.feeds.changed
            frames = feed.after(after)
            if frames is None:
                frames = await self.run(entries_after, admitted.game, after, feed.last)
            for after, event in frames:
                chunk += _with_id(after, number, event)
            newest = self.feeds.newest_notices.get(admitted.user or 0, notice)
            if newest > notice:
                notices = await self.run(notices_after, admitted.user, admitted.game, notice)
                notice = notices[-1][0] if notices else newest
                for _, number, event in notices:
                    chunk += _with_id(after, number, event)
            if chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
                chunk = b""
            if loop.time() >= asked_again:
                asked_again = loop.time() + ASKED_AGAIN
                if not await self.run(is_still_admitted, request, slug):
                    return
            if frames and after < feed.last:
                continue
            changing = asyncio.create_task(changed.wait())
            await asyncio.wait(
                {changing, disconnection}, timeout=SILENT, return_when="FIRST_COMPLETED"
            )
            if changing.cancel():
                chunk = _ALIVE


def _with_id(after: int, notice: str, event: bytes) -> bytes:
    """The event with the id by which a program goes on behind it."""
    return f"id: {after}/{notice}\n".encode() + event if notice else b"id: %d\n" % after + event


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _answer_to(request: HttpRequest, error: Exception) -> HttpResponseBase:
    """The API's answer to that error."""
    try:
        answer: HttpResponseBase = api.on_exception(request, error)
    except Exception:
        log.exception("A stream could not begin")
        answer = error_response("Something broke on our side.", 500)
    for name, text in limits_told(request).items():
        answer.headers[name] = text
    return answer


def _as_bytes(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), text.encode()) for name, text in headers.items()]


async def _send(send: Send, answer: Any) -> None:
    length = {"Content-Length": str(len(answer.content))}
    headers = _as_bytes({**answer.headers, **READABLE, **length})
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
