"""Threads that let many act at one moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection, transaction

from nomic.engine.outcomes import Busy
from nomic.games.models import Game


def all_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Begin all calls at one moment, each on a connection of its own.

    Returns what each gave back, or the exception that it raised.
    """
    ready = Barrier(len(calls))
    ends: list[Any] = [None] * len(calls)

    def run(place: int, call: Callable[[], Any]) -> None:
        try:
            connection.ensure_connection()
            ready.wait(20)
            ends[place] = call()
        except Exception as error:
            ends[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return ends


def again_while_busy[Result](act: Callable[[], Result]) -> Callable[[], Result]:
    """The same act, tried again where the game is busy, as its sentence asks for."""

    def persist() -> Result:
        for _ in range(20):
            with suppress(Busy):
                return act()
        return act()

    return persist


def take_away_the_lock(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let `take` see games without their lock, and let so many see them before anybody acts."""
    all_have_seen = Barrier(count)

    @contextmanager
    def unlocked(
        *, urgent: bool = False, wait: float | None = None, **values: Any
    ) -> Iterator[Game | None]:
        with transaction.atomic(durable=True):
            game = Game.objects.filter(**values).first()
            all_have_seen.wait(20)
            yield game

    monkeypatch.setattr("nomic.engine.take.locked_game", unlocked)
