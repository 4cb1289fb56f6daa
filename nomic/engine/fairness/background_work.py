"""Work that takes longer than a page may: a worker does it once, however many ask for it.

What is to be done waits in the cache, under a token made of it; the worker's message carries the
token alone. Whoever does it keeps what was found by what it is of, so that every page finds it.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from celery import current_app, shared_task
from django.core.cache import cache
from django.utils.crypto import salted_hmac
from kombu.exceptions import OperationalError

from nomic.engine.fairness.worker_share import charge_for_pages
from nomic.engine.outcomes import Busy
from nomic.games.bounds import WORKER_SECONDS

_AT_ONCE = {"max_retries": 0, "interval_start": 0}
_ASKED_FOR = 120  # seconds after which it may be asked for again
_ALONE = "nomic:work:alone"
_AGAIN_IN = 2  # seconds
log = logging.getLogger(__name__)

type Work = Callable[[Any, float], None]  # of what is to be done, within so many seconds
_WORKS: dict[str, Work] = {}


def work(name: str) -> Callable[[Work], Work]:
    """Let a worker do what the function does when it is asked for by that name."""

    def named(function: Work) -> Work:
        _WORKS[name] = function
        return function

    return named


def leave_to_worker(name: str, task: Any, game: int | None = None) -> None:
    """Have a worker do that `task`, once, on account of the game of that key.

    Where the cache or the broker cannot be asked, nothing is done, and whoever asks again may be
    luckier.
    """
    token = salted_hmac(name, repr(task), algorithm="sha256").hexdigest()
    if not cache.add(_key(token), (name, task, game), _ASKED_FOR):
        return
    try:
        with current_app.connection_for_write(transport_options=_AT_ONCE) as broker:
            work_out.apply_async((token,), expires=_ASKED_FOR, retry=False, connection=broker)
    except OperationalError:
        cache.delete(_key(token))
        log.warning("The broker takes no %s.", name)


@shared_task(name="nomic.engine.tasks.work_out")
def work_out(token: str) -> None:
    """Do what waits under the token; nothing if none waits, so that twice does no harm. Of such
    work one is done at a time, and the worker's other processes are for games that go on."""
    asked = cache.get(_key(token))
    if asked is None:
        return
    # None, and not False, where the cache cannot be asked: it is done then all the same.
    if cache.add(_ALONE, 1, int(2 * WORKER_SECONDS.most) + 1) is False:
        work_out.apply_async((token,), countdown=_AGAIN_IN, expires=_ASKED_FOR)
        return
    name, task, game = asked
    since = monotonic()
    try:
        _WORKS[name](task, WORKER_SECONDS.most)
    finally:
        cache.delete(_ALONE)
        cache.delete(_key(token))
        if game is not None:
            with suppress(Busy):
                charge_for_pages(game, monotonic() - since)


def _key(token: str) -> str:
    return f"nomic:work:{token}"
