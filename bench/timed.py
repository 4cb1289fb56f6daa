"""What each event, act and request takes, told by the process that does it.

The processes of a site that has NOMIC_TIMED write a line for each into files of that folder: the
seconds for which an event or act held the game's lock, from what it does first until it is
committed, or a request was answered, and of these the seconds in which it waited for a processor
that others had (on Linux). So what others do on the machine is told apart from what is asked of it.
What it waits for that other processes do is not.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.db import connection, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

View = Callable[[HttpRequest], HttpResponseBase]

FOLDER = "NOMIC_TIMED"
_OF_A_GAME = re.compile(r"/(?:g|api/v1/games|office/g)/([^/]+)")
_HERE = threading.local()


@dataclass(frozen=True, slots=True)
class Taken:
    """One event, act or request (`what`, by name) of the game of that slug, which ended `at` a
    moment of the wall: how many seconds it took, and ran or waited for a processor of these."""

    game: str
    what: str
    name: str
    at: float
    took: float
    ran: float
    waited: float

    @property
    def own(self) -> float:
        """The seconds that it would have taken alone on the machine, or a little more."""
        return max(self.took - self.waited, self.ran)


def taken(folder: Path, since: float) -> Iterator[Taken]:
    """All that ended after that moment."""
    for path in folder.glob("timed-*.jsonl"):
        for line in path.read_text().splitlines():
            with suppress(ValueError, TypeError):  # a process may have been killed as it wrote
                each = Taken(*json.loads(line))
                if each.at >= since:
                    yield each


def requests_timed(get_response: View) -> View:
    """Middleware that writes a line of each request, where the environment names a folder."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return get_response

    def answer(request: HttpRequest) -> HttpResponseBase:
        began, before = time.perf_counter(), _processors()
        response = get_response(request)
        found = _OF_A_GAME.match(request.path)
        told = (found[1] if found else "", "request", f"{request.method} {request.path[:200]}")
        _write(Path(folder), *told, time.perf_counter() - began, before)
        return response

    return answer


class EventsTimed(AppConfig):
    """Takes the time of events and acts in a process whose environment names a folder."""

    name = "bench.timed"

    def ready(self) -> None:
        if folder := os.environ.get(FOLDER):
            _begin(Path(folder))


def _begin(folder: Path) -> None:
    from nomic.engine import catch_up, take
    from nomic.engine.catch_up import work_out

    keep, perform = catch_up.keep, take.perform

    def named(game: Any, appointment: Any, *more: Any, **given: Any) -> Any:
        _HERE.name = appointment.kind
        return keep(game, appointment, *more, **given)

    vars(catch_up)["keep"] = named
    kept = _timed("event", catch_up.keep_next, folder, lambda game, *_: (game, ""))
    vars(catch_up)["keep_next"] = kept
    vars(catch_up)["work_out"] = _timed(
        "prepared", work_out, folder, lambda due: (due.game, due.appointment.kind)
    )
    vars(take)["perform"] = _timed(
        "act", perform, folder, lambda table, _, action, *__: (table.game, action.name)
    )


def _timed(
    what: str,
    do: Callable[..., Any],
    folder: Path,
    of: Callable[..., tuple[Any, str]],
) -> Callable[..., Any]:
    """The same, with a line of each that did something."""

    @wraps(do)
    def timed(*given: Any, **more: Any) -> Any:
        began, before = time.perf_counter(), _processors()
        game, name = of(*given)
        _HERE.name = name

        def tell() -> None:
            took = time.perf_counter() - began
            _write(folder, game.slug, what, _HERE.name, took, before)

        try:
            found = do(*given, **more)
        except BaseException:
            tell()
            raise
        if _HERE.name:
            (transaction.on_commit if connection.in_atomic_block else _at_once)(tell)
        return found

    return timed


def _write(folder: Path, game: str, what: str, name: str, took: float, before: _Seconds) -> None:
    line = [game, what, name, time.time(), took, *_between(before, _processors())]
    with open(folder / f"timed-{os.getpid()}.jsonl", "a") as file:
        file.write(json.dumps(line) + "\n")


def _at_once(tell: Callable[[], None]) -> None:
    tell()


type _Seconds = dict[Path, tuple[float, float]]


def _processors() -> _Seconds:
    """The seconds for which this thread, its connection of the database's and, where no other
    thread may have them, the processes that run programs have run, and waited to run."""
    paths = [Path("/proc/thread-self")]
    if connection.connection is not None:
        paths.append(Path(f"/proc/{connection.connection.info.backend_pid}"))
    if threading.current_thread() is threading.main_thread():
        paths += _of_programs()
    found: _Seconds = {}
    for path in paths:
        with suppress(OSError):
            ran, waited, _ = (path / "schedstat").read_text().split()
            found[path] = int(ran) / 1e9, int(waited) / 1e9
    return found


def _of_programs() -> Iterator[Path]:
    for thread in Path("/proc/self/task").iterdir():
        with suppress(OSError):
            for child in (thread / "children").read_text().split():
                yield from Path(f"/proc/{child}/task").iterdir()


def _between(before: _Seconds, now: _Seconds) -> tuple[float, float]:
    spent = [(now[path], before.get(path, (0.0, 0.0))) for path in now]
    ran = sum(after[0] - then[0] for after, then in spent)
    return ran, sum(after[1] - then[1] for after, then in spent)
