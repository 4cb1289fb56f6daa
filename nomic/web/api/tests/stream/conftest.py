"""Streams without a server: the application in a loop of the test's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from nomic.web.api.stream.application import Streams


class InTheTest:
    """Runs what asks the database in the test's own thread, which alone sees what it has not
    committed, while the loop runs in another."""

    def __init__(self) -> None:
        self._asked = Queue[tuple[Future[Any], Callable[[], Any]] | None]()
        self.waiting = 0

    async def __call__(self, function: Callable[..., Any], *args: Any) -> Any:
        answer = Future[Any]()
        self.waiting += 1
        self._asked.put((answer, partial(function, *args)))
        try:
            return await asyncio.wrap_future(answer)
        finally:
            self.waiting -= 1

    def until_done(self, story: Callable[[], Awaitable[Any]]) -> Any:
        """What the story's coroutine returns."""
        told = Future[Any]()

        def tell() -> None:
            try:
                told.set_result(asyncio.run(story()))
            except BaseException as error:
                told.set_exception(error)
            self._asked.put(None)

        Thread(target=tell).start()
        while asked := self._asked.get():
            answer, run = asked
            try:
                answer.set_result(run())
            except Exception as error:
                answer.set_exception(error)
        return told.result()


@dataclass
class Reader:
    """Somebody who follows a game. `status` and `headers` are those of the answer."""

    streams: Streams
    path: str
    headers_sent: dict[str, str] = field(default_factory=dict)
    query: str = ""
    method: str = "GET"
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    is_over: bool = False

    def __post_init__(self) -> None:
        self._left = asyncio.Event()
        scope = {
            "type": "http",
            "method": self.method,
            "path": self.path,
            "query_string": self.query.encode(),
            "headers": [(n.lower().encode(), t.encode()) for n, t in self.headers_sent.items()],
            "client": ("192.0.2.1", 1000),
            "server": ("testserver", 80),
            "scheme": "http",
        }
        self._task = asyncio.create_task(self.streams(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {n.decode(): t.decode() for n, t in message["headers"]}
        else:
            self.text += message["body"].decode()
            self.is_over = not message.get("more_body")

    async def leave(self) -> None:
        self._left.set()
        await self._task

    @property
    def events(self) -> list[tuple[str, str, Any]]:
        """The id, name and content of each event so far."""
        found = []
        for block in self.text.split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "event" in lines:
                found.append((lines.get("id", ""), lines["event"], json.loads(lines["data"])))
        return found

    def named(self, name: str) -> list[Any]:
        return [content for _, event, content in self.events if event == name]


async def settled(streams: Streams) -> None:
    """Let all tasks go as far as they get."""
    quiet = 0
    while quiet < 20:
        await asyncio.sleep(0)
        quiet = 0 if streams.run.waiting else quiet + 1


@pytest.fixture
def in_a_loop() -> Callable[..., Any]:
    """Runs a test's coroutine, which is given the application."""

    def run(story: Callable[[Streams], Any]) -> Any:
        runner = InTheTest()

        async def told() -> Any:
            streams = Streams(runner)
            streams._looking = asyncio.create_task(asyncio.sleep(3600))  # the test looks itself
            try:
                return await story(streams)
            finally:
                streams.feeds.end()
                streams._looking.cancel()

        return runner.until_done(told)

    return run
