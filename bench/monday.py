"""Many games due at one moment: swept by one process and by two, then by Celery's workers."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection

from django.db import connection

from bench import cast, scratch
from bench.figures import Figure, median
from bench.size import Size
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.play.catch_up import sweep
from nomic.play.models import Appointment, Status
from nomic.play.take import take

NAME = "games due at one Monday 00:00"
_TARGET = 1.7
_WARM_UP = 10
_PATIENCE = 15.0  # seconds, for a worker to begin


def measure(size: Size) -> list[Figure]:
    """Windows with one worker and with two by turns, while all those games are due."""
    a_game = _many_due(size.due_games)
    for _ in range(_WARM_UP):
        sweep(most=1)
    rounds = max(1, size.rounds - 1)
    swept = {workers: [] for workers in (1, 2)}
    for _ in range(rounds):
        for workers, rates in swept.items():
            rates.append(_sweep(workers, size.window) / a_game)
    celery = {workers: _celery(workers, size.window) / a_game for workers in (1, 2)}
    case = f"{size.due_games:,} due"
    one, two = median(swept[1]), median(swept[2])
    return [
        Figure(NAME, f"{case}, sweep() in one process", "games a second", one),
        Figure(
            NAME, f"{case}, two processes against one", "games a second", two, one, at_least=_TARGET
        ),
        Figure(NAME, f"{case}, one Celery worker", "games a second", celery[1]),
        Figure(
            NAME, f"{case}, two Celery workers against one", "games a second", celery[2], celery[1]
        ),
    ]


def _many_due(count: int) -> int:
    """Copies of a game whose week has just ended; how many events are due in each."""
    template = cast.races("monday", pace="fast")
    cast.seat(template, 3)
    take(template.slug, template.players.first(), "horses.motivate")
    template.refresh_from_db()
    cast.copies(template, count - 1)
    games = Game.objects.filter(slug__startswith=template.slug)
    # An hour past midnight in all of them; the oldest thing that is due rang at the same moment.
    wall = wall_now()
    begun = wall - (cast.MONDAY - cast.SUNDAY) - timedelta(hours=1)
    games.update(anchor_wall=begun, wakes_at=wall - timedelta(hours=1))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    due = template.appointments.filter(status=Status.WAITING, due__lte=cast.MONDAY)
    return due.count()


def _done() -> int:
    return Appointment.objects.filter(status=Status.DONE, due=cast.MONDAY).count()


def _sweep(workers: int, seconds: float) -> float:
    """Events kept a second by so many processes that sweep at once."""
    connection.close()
    context = multiprocessing.get_context("fork")
    pairs = [context.Pipe() for _ in range(workers)]
    processes = [context.Process(target=_worker, args=(far, seconds)) for _, far in pairs]
    for process in processes:
        process.start()
    for near, _ in pairs:
        near.recv()  # it is connected
    for near, _ in pairs:
        near.send("go")
    kept = [near.recv() for near, _ in pairs]
    for process in processes:
        process.join()
    return sum(count / took for count, took in kept)


def _worker(pipe: Connection, seconds: float) -> None:
    connection.ensure_connection()
    pipe.send("ready")
    pipe.recv()
    since = time.perf_counter()
    kept = sweep(until=wall_now() + timedelta(seconds=seconds))
    pipe.send((kept, time.perf_counter() - since))
    connection.close()


def _celery(workers: int, seconds: float) -> float:
    """Events kept a second by a worker of so many processes, told by beat when to sweep."""
    with _site(workers):
        before = _done()
        until = time.monotonic() + _PATIENCE
        while _done() < before + 5 * workers and time.monotonic() < until:
            time.sleep(0.05)
        first, since = _done(), time.perf_counter()
        time.sleep(seconds)
        return (_done() - first) / (time.perf_counter() - since)


@contextmanager
def _site(workers: int) -> Iterator[None]:
    quiet = {"NOMIC_WORKER_PROCESSES": str(workers)}
    with scratch.running("worker", **quiet), scratch.running("beat"):
        yield
