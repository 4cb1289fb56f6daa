"""A test's fixtures in order, as far as they may be built before the test begins."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest

_DATABASES = ("db", "transactional_db", "live_server")
_ANY_DATABASE = frozenset(_DATABASES)
_GIVEN = (*_DATABASES, "monkeypatch")
_LEAVES_NOTHING = frozenset({"chromium", "sit"})  # generators that change nothing a layer could see
_COMMITS = frozenset({"transactional_db", "live_server", "django_db_reset_sequences"})


@dataclass(frozen=True)
class AskedFixture:
    """A fixture as one test asks for it: `mark` tells it from all that would build otherwise."""

    name: str
    make: Callable[..., Any]
    asks: tuple[tuple[str, AskedFixture], ...]
    mark: str
    in_the_database: bool = False
    is_around: bool = False


def around[Fixture: Callable[..., Any]](fixture: Fixture) -> Fixture:
    """Marks a fixture's function, below `@pytest.fixture`: what it changes is nothing that a layer
    uses up (a clock that stands still, a function replaced), and it undoes it at its end."""
    fixture.is_around = True  # type: ignore[attr-defined]
    return fixture


def afterwards[Fixture: Callable[..., Any]](fixture: Fixture) -> Fixture:
    """Marks a fixture's function that does nothing before its yield."""
    fixture.is_afterwards = True  # type: ignore[attr-defined]
    return fixture


def if_asked[Fixture: Callable[..., Any]](*names: str) -> Callable[[Fixture], Fixture]:
    """Marks a fixture's function, below `@pytest.fixture`, that asks its request for these fixtures
    where the test asks for them too, and for nothing else of it."""

    def mark(fixture: Fixture) -> Fixture:
        fixture.if_asked = names  # type: ignore[attr-defined]
        return fixture

    return mark


class _Ends(Exception):
    """From here on the test builds for itself."""


def steps(item: pytest.Item) -> list[AskedFixture]:
    """The steps that can be layers, in the order in which pytest would set them up."""
    if not isinstance(item, pytest.Function):
        return []
    plan = _Plan(item)
    with suppress(_Ends):
        for name in item.fixturenames:
            plan.look(name)
    found = [step for step in plan.found.values() if step and step.name not in _GIVEN]
    return [step for step in found if step.in_the_database or step.is_around]


class _Plan:
    """Goes through what a test asks for, as deep as it goes."""

    def __init__(self, item: pytest.Function) -> None:
        self.found: dict[str, AskedFixture | None] = {}  # None is what pytest or a plugin gives
        self._defined = item._fixtureinfo.name2fixturedefs
        self._params = item.callspec.params if hasattr(item, "callspec") else {}
        self._names = item.fixturenames
        self._marked = item.get_closest_marker("django_db") is not None

    def look(self, name: str, level: int = 1) -> AskedFixture | None:
        """That fixture, in its `level`th definition from the nearest; raises _Ends."""
        place = f"{name}/{level}"
        if place not in self.found:
            step = self._step(name, level)
            self.found[place] = step
        return self.found[place]

    def _step(self, name: str, level: int) -> AskedFixture | None:
        defined = self._defined.get(name, ())
        if name in self._params and (not defined or is_a_plugins(defined[-1].func)):
            value = self._params[name]
            return AskedFixture(name, lambda: value, (), f"{name}={value!r}")
        if name in _DATABASES:  # none of them is asked for its value
            return AskedFixture(name, lambda: None, (), name, in_the_database=True)
        if name == "monkeypatch":
            return AskedFixture(name, pytest.MonkeyPatch.context, (), name, is_around=True)
        if not defined:
            return None
        fixture = defined[-level]
        if is_a_plugins(fixture.func) or name in _LEAVES_NOTHING:
            return None
        is_around = getattr(fixture.func, "is_around", False)
        if getattr(fixture.func, "is_afterwards", False):
            return None
        if fixture.scope != "function":
            return None
        if inspect.isgeneratorfunction(fixture.func) and not is_around:
            raise _Ends
        asks = []
        for each in fixture.argnames:
            if each == "request":
                asked: AskedFixture | None = self._request(name, fixture.func)
            else:
                asked = self.look(each, level + 1 if each == name else 1)
            if asked is None or (asked.is_around and not is_around):
                raise _Ends
            asks.append((each, asked))
        mark = f"{id(fixture.func)}({','.join(step.mark for _, step in asks)})"
        in_the_database = self._marked or any(step.in_the_database for _, step in asks)
        return AskedFixture(name, fixture.func, tuple(asks), mark, in_the_database, is_around)

    def _request(self, name: str, function: Callable[..., Any]) -> AskedFixture:
        """The request of that fixture: it gets its parameter, or those fixtures that it asks for
        where the test does.

        One that wants more of it finds an attribute missing, and is left to the test.
        """
        if name in self._params:
            param = self._params[name]
            request = SimpleNamespace(param=param)
            return AskedFixture("request", lambda: request, (), f"request.param={param!r}")
        asks = []
        for each in getattr(function, "if_asked", ()):
            if each in self._names:
                asked = self.look(each)
                if asked is None:
                    raise _Ends
                asks.append((each, asked))
        mark = f"request({','.join(step.mark for _, step in asks)})"
        return AskedFixture("request", _request_of, tuple(asks), mark)


def _request_of(**given: Any) -> SimpleNamespace:
    """The request of a fixture, by which it gets these and no others."""
    return SimpleNamespace(fixturenames=tuple(given), getfixturevalue=given.__getitem__)


@cache
def is_a_plugins(function: Callable[..., Any]) -> bool:
    """Whether that fixture is pytest's, or of an installed plugin."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code is None or "site-packages" in code.co_filename


def side_by_side(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests of each module so that those which begin alike follow each other."""
    places: dict[tuple[str, ...], int] = {}

    def key(item: pytest.Item) -> list[int]:
        asked = getattr(item, "fixturenames", ())
        is_marked = item.get_closest_marker("django_db") is not None
        asks_a_database = is_marked or not _ANY_DATABASE.isdisjoint(asked)
        marks = tuple(step.mark for step in steps(item)) if asks_a_database else ()
        prefixes = (marks[: end + 1] for end in range(len(marks)))
        return [places.setdefault(each, len(places)) for each in prefixes]

    runs = groupby(items, lambda item: (item.path, commits(item), is_slow(item)))
    return [item for _, run in runs for item in sorted(run, key=key)]


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


def commits(item: pytest.Item) -> bool:
    """Whether the test writes into the database for good, so that it must be alone there."""
    marker = item.get_closest_marker("django_db")
    told = marker is not None and (
        bool(marker.args and marker.args[0])
        or any(marker.kwargs.get(word) for word in ("transaction", "reset_sequences"))
    )
    return told or not _COMMITS.isdisjoint(getattr(item, "fixturenames", ()))
