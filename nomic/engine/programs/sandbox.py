"""The sandbox: pydantic-monty, whose workers are processes with limits and no environment.

A program sees what it is given and nothing else: no file, network, clock or chance. Memory and the
depth of calls end it at the same place each time. There is no budget of steps: what never ends is
ended by a guard of wall time, so generous that only what never ends meets it, and `late` says so.
"""

import ast
import atexit
import json
import math
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from threading import BoundedSemaphore, Lock
from typing import Any, Self

import psutil
import pydantic_monty
from pydantic_monty import (
    Monty,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontySyntaxError,
    MontyTypingError,
    OSPolicy,
    ResourceLimits,
)

from nomic.infrastructure.caching.memory import memoized

ENGINE = f"pydantic-monty {pydantic_monty.__version__}"
MOST_SOURCE = 20_000  # characters of a program
_UNSUPPORTED = "The monty syntax parser does not yet support"
_UNREAD = "It cannot be read"
CANNOT_WAIT = "cannot suspend"  # in the key of sorted, say, where it asks for something
_MOST_TOLD = 300  # characters of what the sandbox says
GRACE = 0.2  # seconds after which a worker that does not heed its time is killed
_BUSIEST = 3  # times as long may answers take while others have the processor
_LONGEST_WAIT = 1.0  # seconds for a free worker
_WORKERS = 4  # that serve the threads of one process
_NO_WORKER = "No worker of the sandbox is free"
_ENDED = "The call came to nothing"
_TOO_MANY = "suspension limit"  # as the sandbox says it
_ADDRESSES = 2**30  # bytes that a worker may map, whatever it does
_NOTHING_ELSE: OSPolicy = {
    "datetime": "call_host",
    "sleep": "call_host",
    "random_start": "call_host",
}  # and nobody answers


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run: bytes of memory, calls within each other, questions that it asks; as a
    guard seconds of its own, `busy` times as many where others have the processor, and seconds of a
    processor for the answers. It ends when the seconds that are `remaining` have gone by, whatever
    they go by with, but for the GRACE of a worker that has to be killed."""

    seconds: float = 0.1
    memory: int = 16 * 2**20
    depth: int = 64
    questions: int = 1000
    asking: float = 0.25
    busy: int = 1
    remaining: float = math.inf

    @property
    def longest(self) -> float:
        """The seconds of its own after which it is ended; half of all is for the answers."""
        return min(self.seconds * self.busy, self.remaining / 2)

    @property
    def waiting(self) -> float:
        """The seconds that may go by with answers."""
        return min(self.asking * _BUSIEST, self.remaining - self.longest)


_TO_CHECK = Limits(seconds=1.0, memory=128 * 2**20)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a program cannot be read, or came to no end that counts; `str()` is a sentence.

    `place` is its line and column, counted from 1, where they are known. `late` where it was ended
    by the guard, or its process ended, which another machine or another hour may not do. Where it
    was by `memory`, the place may be another one then: what a process had before counts a little.
    `ends_all` where it decides that nobody could propose, vote or adopt anything any more.
    """

    message: str
    place: tuple[int, int] | None = None
    late: bool = False
    memory: bool = False
    ends_all: bool = False

    def __str__(self) -> str:
        shown = (sign if sign.isprintable() else " " for sign in self.message[: 4 * _MOST_TOLD])
        message = " ".join("".join(shown).split()).rstrip(".")
        message = message if len(message) <= _MOST_TOLD else f"{message[:_MOST_TOLD]}…"
        where = f" (line {self.place[0]}, column {self.place[1]})" if self.place else ""
        return f"{message[:1].upper()}{message[1:]}{where}."


@dataclass(slots=True)
class Meter:
    """The seconds of a processor that runs have used in their workers."""

    seconds: float = 0.0


class ProgramWrong(Exception):
    """Raised where a program has that problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


type Call = Callable[..., Any]


class Sandbox:
    """Worker processes, open within `with`. Whoever forks does so before the first is opened."""

    def __init__(self, workers: int = 1) -> None:
        self._free = BoundedSemaphore(workers)
        self._pool = Monty(
            max_processes=workers,
            request_timeout=60.0,
            checkout_timeout=_LONGEST_WAIT,
            feed_duration_limit_grace=GRACE,
        )

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.__exit__(*error)

    def run(
        self,
        ours: str,
        program: str,
        values: Mapping[str, Any],
        limits: Limits | None = None,
        *,
        calls: Mapping[str, Call] | None = None,
        now: datetime | None = None,
        meter: Meter | None = None,
    ) -> Any:
        """The value of the last line of `ours`, which executes the text `program`, is given what
        is `given` and may call `calls`. Where it asks for the time, it is `now`.

        Raises ProgramWrong, and what a call raised that is no ValueError, whatever the program
        makes of it; a ValueError is the program's to deal with.

        `meter` is told what it used, also where it raises.

        `ours` is the site's own and has to make sure of what it gives back: a value of the
        program's can be small there and endless here.
        """
        limits = limits or Limits()
        with (
            self._turn(limits) as limits,
            self._session(limits, now=now) as session,
            _metered(meter or Meter(), session.worker_pid or os.getpid()),
        ):
            answers = _Answers(calls or {}, limits)
            began = time.monotonic()
            try:
                inputs = {**values, "program": program}
                returned = session.feed_run(
                    ours, inputs=inputs, external_lookup=answers.lookup, print_callback=_unheard
                )
            except MontyError as wrong:
                if answers.error is not None:
                    raise answers.error from None
                if time.monotonic() - began - answers.seconds < limits.longest:
                    raise ProgramWrong(_problem_of(wrong, limits)) from None
                late = f"It takes longer than {limits.seconds:g} s"
                raise ProgramWrong(Problem(late, late=True)) from None
        if answers.error is not None:
            raise answers.error
        return returned

    @contextmanager
    def _turn(self, limits: Limits) -> Iterator[Limits]:
        """Wait for a worker; the limits with what is left after that."""
        began = time.monotonic()
        if not self._free.acquire(timeout=min(limits.remaining, _LONGEST_WAIT)):
            raise ProgramWrong(Problem(_NO_WORKER, late=True))
        try:
            yield replace(limits, remaining=max(limits.remaining - (time.monotonic() - began), 0.0))
        except TimeoutError:
            raise ProgramWrong(Problem(_NO_WORKER, late=True)) from None
        finally:
            self._free.release()

    def check(
        self, source: str, *, types: bool, stubs: str = "", seconds: float = math.inf
    ) -> Problem | None:
        """The problem of the source, if it has one, found without running it: it waits behind its
        first line. `stubs` declare what it will be given. Late where it takes longer than the
        seconds."""
        limits = replace(_TO_CHECK, seconds=min(_TO_CHECK.seconds, seconds))
        begin, stub = "nothing_is_run_yet()\n", "def nothing_is_run_yet(): ...\n" + stubs
        with self._session(limits, types=types, stubs=stub) as session:
            try:
                session.feed_start(begin + source)
            except MontyTypingError as wrong:
                for finding in map(json.loads, wrong.display().splitlines()):
                    if finding["severity"] == "error":  # and no warning
                        location = finding["location"]
                        place = max(location["row"] - 1, 1), location["column"]
                        return Problem(finding["message"], place)
            except MontyError as wrong:
                return _problem_of(wrong, limits, above=1)
        return None

    @contextmanager
    def _session(
        self, limits: Limits, *, types: bool = False, stubs: str = "", now: datetime | None = None
    ) -> Iterator[MontySession]:
        bounds: ResourceLimits = {
            "max_feed_duration_secs": limits.longest,
            "max_memory": limits.memory,
            "max_recursion_depth": limits.depth,
            "max_suspensions": limits.questions,
        }
        policy: OSPolicy = {**_NOTHING_ELSE, "datetime": now} if now else _NOTHING_ELSE
        with self._pool.checkout(
            limits=bounds,
            os_policy=policy,
            type_check=types,
            type_check_stubs=stubs,
            type_check_format="jsonlines",
        ) as session:
            if hasattr(psutil, "RLIMIT_AS"):  # where the system can limit another process
                psutil.Process(session.worker_pid).rlimit(psutil.RLIMIT_AS, (_ADDRESSES,) * 2)
            yield session


@contextmanager
def _metered(meter: Meter, worker: int) -> Iterator[None]:
    before = _processor_seconds(worker)
    try:
        yield
    finally:
        meter.seconds += max(_processor_seconds(worker) - before, 0.0)


def _processor_seconds(process: int) -> float:
    """The processor's seconds that the process has used since it began; 0 where it has ended."""
    try:
        return time.clock_gettime((~process << 3) | 2)  # as clock_getcpuclockid(3) has it on Linux
    except OSError:
        return 0.0


class _Answers:
    """The calls that a run may make, with what they took and what went wrong in them."""

    def __init__(self, calls: Mapping[str, Call], limits: Limits) -> None:
        self.lookup = {name: self._noting(call) for name, call in calls.items()}
        self.seconds, self._used, self._limits = 0.0, 0.0, limits
        self._ends = time.monotonic() + limits.remaining
        self.error: Exception | None = None

    def _noting(self, call: Call) -> Call:
        def noted(*arguments: Any) -> Any:
            began, used_before = time.monotonic(), time.thread_time()
            try:
                if self.error is not None:
                    raise RuntimeError(_ENDED)
                allowed = self._limits.asking
                late = self.seconds > self._limits.waiting or began > self._ends
                if self._used > allowed or late:
                    slow = f"What it asks takes longer than {allowed:g} s to be answered"
                    raise ProgramWrong(Problem(slow, late=True))
                return call(*arguments)
            except ValueError:
                raise
            except Exception as error:
                self.error = self.error or error
                raise RuntimeError(_ENDED) from None
            finally:
                self.seconds += time.monotonic() - began
                self._used += time.thread_time() - used_before

        return noted


_SHARED: dict[int, Sandbox] = {}
_OPENING = Lock()


def shared() -> Sandbox:
    """The one of this process for programs of rules, opened when it is first asked for, so after
    any fork, and closed when the process ends."""
    process = os.getpid()
    if process not in _SHARED:
        with _OPENING:
            if process not in _SHARED:
                _SHARED[process] = Sandbox(_WORKERS).__enter__()
                atexit.register(close_shared)
    return _SHARED[process]


def close_shared() -> None:
    """End the workers of this process, where it has some; a parent's are not a child's to end."""
    sandbox = _SHARED.pop(os.getpid(), None)
    if sandbox is not None:
        sandbox.__exit__(None, None, None)


@memoized(share=0.01)
def problem_in(source: str) -> Problem | None:
    """The problem of the program's syntax; None if it has none. Nothing of it is run."""
    with Sandbox() as sandbox:
        return misread_in(source) or sandbox.check(source, types=False)


def misread_in(source: str) -> Problem | None:
    """The problem of the program's syntax for Python's own reader, or of characters that cannot be
    shown; None if it has none."""
    if len(source) > MOST_SOURCE:
        return Problem(f"The block is longer than {MOST_SOURCE} characters")
    for number, line in enumerate(source.split("\n"), 1):
        for column, letter in enumerate(line, 1):
            breaks = not letter.isspace() or letter.splitlines() == [""]
            if letter != "\t" and not letter.isprintable() and breaks:
                return Problem("There is a character that cannot be shown", (number, column))
    try:
        parsed(source)
    except ProgramWrong as wrong:
        return wrong.problem
    return None


@memoized(share=0.01)
def types_in(source: str, stubs: str = "") -> Problem | None:
    """Which names or types of it do not fit, as advice: it depends on the checker's version and
    its time. None if all do. `stubs` declare what it will be given. Nothing of it is run."""
    with Sandbox() as sandbox:
        problem = sandbox.check(source, types=True, stubs=stubs)
    return problem if problem and problem.place else None


def parsed(source: str) -> ast.Module:
    """The program as Python's own reader has it, which says best where one cannot be read. Raises
    ProgramWrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they would show lines of a secret program
        try:
            return ast.parse(source)
        except SyntaxError as wrong:
            place = wrong.lineno or 1, max(1, wrong.offset or 1)
            raise ProgramWrong(Problem(f"{_UNREAD}: {wrong.msg}", place)) from None
        except (ValueError, RecursionError, MemoryError):
            raise ProgramWrong(Problem(f"{_UNREAD}: it is nested too deeply")) from None


def _unheard(stream: str, text: str) -> None:
    """Drop what a program prints: it is nobody's to read, and may be of secret things."""


def _problem_of(wrong: MontyError, limits: Limits, above: int = 0) -> Problem:
    """The sandbox's error as a problem, with the place: the last one in the program that was
    executed, or in the checked source, `above` of whose lines are ours."""
    if not isinstance(wrong, MontyRuntimeError | MontySyntaxError):
        return Problem("The sandbox could not go on with it", late=True)
    frames = [frame for frame in wrong.traceback() if above or frame.filename == "<string>"]
    place = (max(frames[-1].line - above, 1), frames[-1].column) if frames else None
    kind = wrong.exception()
    if isinstance(kind, MemoryError):
        much = f"It takes more than {limits.memory >> 20} MiB of memory"
        return Problem(much, place, memory=True)
    if isinstance(kind, RecursionError):
        deep = f"Functions call each other more than {limits.depth - 1} deep"
        return Problem(deep, place)
    if isinstance(kind, SyntaxError | NotImplementedError):
        message = wrong.display("msg").replace(_UNSUPPORTED, "the sandbox does not read")
        return Problem(f"{_UNREAD}: {message}", place)
    message = wrong.display("msg")
    if isinstance(kind, RuntimeError) and message.startswith(_TOO_MANY):
        return Problem(f"It asks more than {limits.questions:,} things of the game", place)
    return Problem(wrong.display("type-msg") if place else message, place)
