"""What happens in the games that somebody follows, read once for all who do.

Redis tells at once that a game has a new entry or somebody a notice. What it tells is not believed
but looked up; and all games that are followed are looked at in one query now and then, often where
Redis is away.
"""

import asyncio
import json
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import redis.asyncio
from django.conf import settings
from django.core.cache import cache
from django.db import close_old_connections
from redis.exceptions import RedisError

from nomic.engine import watch
from nomic.games.models import Game
from nomic.notices.fan_out import CHANNEL
from nomic.notices.models import Notice
from nomic.notices.payloads import notice_to_dict
from nomic.record.models import Entry
from nomic.web.api import shapes
from nomic.web.api.games import page_within_bytes
from nomic.web.problems import COMPACT

log = logging.getLogger(__name__)

THREADS = 4  # that ask the database
LOOK_EVERY, LOOK_OFTEN = 5.0, 0.5  # seconds, where Redis tells of what is new and where it is away
_A_PAGE = 100  # entries that are read together
_KEPT = 200_000  # bytes of its newest entries that a feed keeps

type Frame = tuple[int, bytes]
"""The number of an entry, and its event without its id."""
type Runner = Callable[..., Coroutine[Any, Any, Any]]


def in_threads() -> Runner:
    """What runs a function that asks the database in a thread, and gives what it returns."""
    pool = ThreadPoolExecutor(THREADS, thread_name_prefix="stream")

    def work[Result](function: Callable[..., Result], *args: Any) -> Result:
        close_old_connections()
        try:
            return function(*args)
        finally:
            close_old_connections()

    async def run(function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(
            pool, partial(work, function, *args)
        )

    return run


class Feed:
    """The newest entries of a game that somebody follows. `last` is the newest that was read."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.followers = 0
        self._frames = deque[Frame]()
        self._bytes = 0

    def add(self, frames: list[Frame]) -> None:
        """The game's next entries."""
        for number, frame in frames:
            self._frames.append((number, frame))
            self._bytes += len(frame)
            self.last = number
        while self._bytes > _KEPT and len(self._frames) > 1:
            self._bytes -= len(self._frames.popleft()[1])

    def after(self, number: int) -> list[Frame] | None:
        """Those after that one; None where they are not kept here."""
        if number >= self.last:
            return []
        if not self._frames or self._frames[0][0] > number + 1:
            return None
        return [frame for frame in self._frames if frame[0] > number]


class Feeds:
    """The feeds of all games that are followed, and who waits for what."""

    def __init__(self, run: Runner) -> None:
        self.run = run
        self.of_game: dict[int, Feed] = {}
        self.is_ending = False
        self._changed = asyncio.Event()
        self._wake = asyncio.Event()
        self._is_told = False
        self._users: dict[int, int] = {}
        # Of each account that follows, the key of its newest notice.
        self.newest_notices: dict[int, int] = {}

    def follow(self, game: int, user: int | None, last: int) -> Feed:
        """The feed of that game, which `last` is the newest entry of, until `leave` is called."""
        feed = self.of_game.setdefault(game, Feed(last))
        feed.followers += 1
        if user is not None:
            self._users[user] = self._users.get(user, 0) + 1
        return feed

    def leave(self, game: int, user: int | None) -> None:
        """One of those who follow it does so no more."""
        feed = self.of_game[game]
        feed.followers -= 1
        if not feed.followers:
            del self.of_game[game]
        if user is not None:
            self._users[user] -= 1
            if not self._users[user]:
                del self._users[user]
                self.newest_notices.pop(user, None)

    @property
    def changed(self) -> asyncio.Event:
        """What is set as soon as there may be something new for somebody. Take it before you look
        at what there is."""
        return self._changed

    def end(self) -> None:
        """Let all who wait know that the process ends."""
        self.is_ending = True
        self._tell()

    async def look(self) -> None:
        """Read what is new for whoever follows, once."""
        lasts: dict[int, int] = await self.run(_last_entries, list(self.of_game))
        is_new = False
        for game, feed in list(self.of_game.items()):
            while feed.followers and feed.last < lasts.get(game, 0):
                frames = await self.run(entries_after, game, feed.last, lasts[game])
                if not frames:
                    break
                feed.add(frames)
                is_new = True
        if self._users:
            newest: dict[int, int] = await self.run(_newest_notices, list(self._users))
            is_new = is_new or newest != self.newest_notices
            self.newest_notices = newest
        if is_new:
            self._tell()

    async def keep_looking(self) -> None:
        """Look whenever Redis tells of something, and now and then, as long as the process runs."""
        listening = asyncio.create_task(self._listen())
        try:
            while not self.is_ending:
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY if self._is_told else LOOK_OFTEN):
                        await self._wake.wait()
                self._wake.clear()
                if not self.of_game:
                    continue
                try:
                    await self.look()
                except Exception:  # the database is away, and the next look is due all the same
                    log.exception("What is new could not be read")
                    await asyncio.sleep(LOOK_OFTEN)
        finally:
            listening.cancel()

    async def _listen(self) -> None:
        channels = [cache.make_key(name) for name in (watch.versions_pattern(), CHANNEL)]
        while True:
            try:
                async with redis.asyncio.from_url(settings.REDIS_URL) as client:
                    listener = client.pubsub(ignore_subscribe_messages=True)
                    await listener.psubscribe(*channels)
                    self._is_told = True
                    async for _ in listener.listen():
                        self._wake.set()
            except (RedisError, OSError):
                log.warning("Redis does not tell of what is new: the database is asked for it")
            self._is_told = False
            await asyncio.sleep(1)

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def entries_after(game: int, after: int, last: int) -> list[Frame]:
    """The next entries of that game's public record after one, up to that one, as events."""
    entries = Entry.objects.filter(game=game, seq__gt=after, seq__lte=last)
    page = page_within_bytes(entries.order_by("seq"), _A_PAGE)
    return [
        (entry.seq, _event("entry", shapes.Entry.from_orm(entry).model_dump(mode="json")))
        for entry in page
    ]


def notices_after(user: int, game: int, after: int) -> list[tuple[int, str, bytes]]:
    """The notices of that account in that game after one: their keys, numbers and events."""
    notices = Notice.objects.filter(user=user, game=game, listed=True, pk__gt=after)
    page = notices.select_related("game").order_by("pk")[:_A_PAGE]
    return [
        (notice.pk, str(notice.number), _event("notice", notice_to_dict(notice))) for notice in page
    ]


def _event(name: str, content: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(content, **COMPACT)}\n\n".encode()


def _last_entries(games: list[int]) -> dict[int, int]:
    return dict(Game.objects.filter(pk__in=games).values_list("pk", "last_entry"))


def _newest_notices(users: list[int]) -> dict[int, int]:
    newest = Notice.objects.filter(user__in=users, listed=True).order_by("user", "-pk")
    return dict(newest.distinct("user").values_list("user", "pk"))
