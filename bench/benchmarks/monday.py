"""Many games due at one moment: swept by one process and by two, then by Celery's workers."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection

import psutil
from django.db import connection

from bench import cast, scratch
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.catch_up import sweep
from nomic.engine.models import Appointment, AppointmentStatus
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game

NAME = "games due at one Monday 00:00"
_TARGET = 1.7
_WARM_UP = 10
_PATIENCE = 15.0  # seconds, for a worker to begin


@dataclass(frozen=True, slots=True)
class Swept:
    """Events kept, events a second, and seconds of the processors that it took."""

    events: int
    a_second: float
    cpu: float


def measure(size: Size) -> list[Figure]:
    """Windows with one worker and with two by turns, while all those games are due."""
    a_game = _many_due(size.due_games)
    for _ in range(_WARM_UP):
        sweep(limit=1)
    rounds = max(1, size.rounds - 1)
    swept: dict[int, list[Swept]] = {1: [], 2: []}
    for _ in range(rounds):
        for workers, found in swept.items():
            found.append(_sweep(workers, size.window))
    celery = {workers: _celery(workers, size.window) / a_game for workers in (1, 2)}
    case = f"{size.due_games:,} due"
    one, two = (median([each.a_second / a_game for each in swept[n]]) for n in (1, 2))
    cpu = [median([each.cpu / each.events * 1000 for each in swept[n]]) for n in (2, 1)]
    rate = "games a second"
    return [
        Figure(NAME, f"{case}, sweep() in one process", rate, one),
        Figure(NAME, f"{case}, two processes against one", rate, two, one, at_least=_TARGET),
        Figure(NAME, "processor time an event, two processes against one", "ms", *cpu),
        Figure(NAME, f"{case}, one Celery worker", rate, celery[1]),
        Figure(NAME, f"{case}, two Celery workers against one", rate, celery[2], celery[1]),
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
    due = template.appointments.filter(status=AppointmentStatus.WAITING, due__lte=cast.MONDAY)
    return due.count()


def _done() -> int:
    return Appointment.objects.filter(status=AppointmentStatus.DONE, due=cast.MONDAY).count()


def _sweep(workers: int, seconds: float) -> Swept:
    """What so many processes keep that sweep at once."""
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
    found = [near.recv() for near, _ in pairs]
    for process in processes:
        process.join()
    events, rates, cpu = (sum(each) for each in zip(*found, strict=True))
    return Swept(events, rates, cpu)


def _worker(pipe: Connection, seconds: float) -> None:
    connection.ensure_connection()
    pipe.send("ready")
    pipe.recv()
    cpu, since = _cpu(), time.perf_counter()
    kept = sweep(deadline=wall_now() + timedelta(seconds=seconds))
    pipe.send((kept, kept / (time.perf_counter() - since), _cpu() - cpu))
    connection.close()


def _cpu() -> float:
    """Seconds that this process has computed, and its database session where that is at hand."""
    try:
        session = psutil.Process(connection.connection.info.backend_pid).cpu_times()
    except psutil.Error:
        return time.process_time()
    return time.process_time() + session.user + session.system


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
