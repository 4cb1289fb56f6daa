"""Which programs do not fit as they are written: names and types, as far as there is time for it.

That depends on the checker's version and its time, so it is advice, and refuses nothing.
"""

import hashlib
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from threading import Lock

from django.core.cache import cache

from nomic.engine.fairness.background_work import leave_to_worker, work
from nomic.engine.programs.hooks import stubs
from nomic.engine.programs.sandbox import ENGINE, Problem, Sandbox, misread_in
from nomic.infrastructure.caching.memory import BoundedCache

_KEPT_FOR = 86_400  # seconds
_GIVEN_UP_FOR = 600
_LEAST = 0.05  # seconds, within which no program is checked
_FULL = 1.0  # seconds; what takes longer is not told of
_AT_WORK = Lock()  # a process checks one program at a time, so that others have the processor

type Finding = Problem | None
_FINDINGS: BoundedCache[str, tuple[Finding]] = BoundedCache(0.01)


@dataclass(slots=True)
class ProgramProblems:
    """The findings on programs, by their sources: the problem of each, None where it has none;
    which of them are `waiting` for a worker, and which were `given_up` since all together take a
    worker too long."""

    problems: dict[str, Finding] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)


def check(
    sources: Collection[str], seconds: float, *, game: int | None = None, private: bool = False
) -> ProgramProblems:
    """The problems of these programs, as far as they are known or found within the seconds.

    What is found is kept for all processes, and the rest left to a worker, on account of the game
    of that key; but of `private` ones nothing leaves this process. Nothing of them is run.
    """
    checked = known(sources, private=private)
    if checked.waiting and seconds > 0:
        _check_waiting(checked, time.monotonic() + seconds, private=private)
    if checked.waiting and not private:
        leave_to_worker("types", tuple(checked.waiting), game)
    return checked


def known(sources: Collection[str], *, private: bool = False) -> ProgramProblems:
    """The findings on these programs that are known already; the others are `waiting`."""
    keys = {source: _key(source) for source in dict.fromkeys(sources)}
    away = [key for key in keys.values() if key not in _FINDINGS]
    shared = (cache.get_many(away) or {}) if away and not private else {}
    checked = ProgramProblems()
    for source, key in keys.items():
        finding = _FINDINGS.get(key) or shared.get(key)
        if finding is None:
            checked.waiting.append(source)
        elif finding == _GIVEN_UP:
            checked.given_up.append(source)
        else:
            checked.problems[source] = finding[0]
    return checked


_GIVEN_UP = "given up"


def _key(source: str) -> str:
    content = "\0".join((ENGINE, stubs(), source))
    return f"nomic:types:{hashlib.sha256(content.encode()).hexdigest()}"


def _check_waiting(checked: ProgramProblems, until: float, *, private: bool) -> None:
    """Check those that wait, as long as there is time and no other thread does so."""
    if not _AT_WORK.acquire(timeout=max(until - time.monotonic(), 0)):
        return
    try:
        for source, finding in _findings(checked.waiting, until):
            checked.problems[source] = finding
            _FINDINGS[_key(source)] = (finding,)
            if not private:
                cache.set(_key(source), (finding,), _KEPT_FOR)
    finally:
        _AT_WORK.release()
    checked.waiting = [source for source in checked.waiting if source not in checked.problems]


def _findings(sources: Iterable[str], until: float) -> Iterator[tuple[str, Finding]]:
    declared = stubs()
    with Sandbox() as sandbox:
        for source in sources:
            seconds = until - time.monotonic()
            if seconds < _LEAST:
                return
            finding = misread_in(source) or sandbox.check(source, types=False, seconds=seconds)
            if finding is None:
                seconds = until - time.monotonic()
                types = sandbox.check(source, types=True, stubs=declared, seconds=seconds)
                if types and types.late and seconds < _FULL:
                    return
                finding = types if types and types.place else None
            yield source, finding


@work("types")
def _check_all(sources: tuple[str, ...], seconds: float) -> None:
    """Check them in a worker, and note of those for which it has no time that they are given up."""
    checked = known(sources)
    _check_waiting(checked, time.monotonic() + seconds, private=False)
    for source in checked.waiting:
        cache.set(_key(source), _GIVEN_UP, _GIVEN_UP_FOR)
