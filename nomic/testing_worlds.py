"""The worlds that tests begin with, each built once. A pytest plugin.

A test that needs the database gets what its fixtures build (a game, its seats, a contest that has
opened) from a pile of open transactions. Each floor of the pile is what one fixture does, on top
of the floors below; the test itself runs in a savepoint above them and is undone. The next test
keeps those floors that it asks for too, in the same order, and only what differs is taken down and
built. Before a test that commits, all floors are taken down.

Nothing has to be declared. A fixture becomes a floor if

- it is of function scope, no generator, and asks for nothing but fixtures like it, `db` and
  values (a preset, a parameter): so it can do nothing but write into the database;
- it does ask the database something, and what it returns can be pickled: each test gets a copy of
  its own, in which a player's game is the same object as the test's game.

One that asks the database nothing is left to the test, where it costs nothing. At the first
fixture of the project's own that is otherwise (one that stops the clock, replaces a function, or
signs in a browser), the pile ends: what the test asks for after that is built in the test, so that
everything happens in the order in which pytest would let it happen.

What the process remembers of a game by its number, which is the same in many tests now, is put
back before each test to what it was when the floors were built.
"""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pytest
from _pytest.outcomes import OutcomeException
from django.db import connection, transaction

from nomic.play.parts import InPlay
from nomic.rulebook.shelf import SHELF

Memories = list[dict[Any, Any]]

_HOUSE = ("nomic", "horses", "proposals", "settlers", "aceofspades")
_LEAVES_NOTHING = frozenset({"chromium"})  # generators that change nothing a floor could see
_COMMITS = frozenset({"transactional_db", "live_server", "django_db_reset_sequences"})


@dataclass(frozen=True)
class Step:
    """A fixture as one test asks for it: `mark` tells it from all that would build otherwise."""

    name: str
    make: Callable[..., Any]
    asks: tuple[tuple[str, Step], ...]
    mark: str
    in_the_database: bool


@dataclass
class Floor:
    """What one step has written, and all values up to here."""

    step: Step
    undo: transaction.Atomic
    values: bytes
    memories: Memories


class _Ends(Exception):
    """From here on the test builds for itself."""


def steps(item: pytest.Item) -> list[Step]:
    """The steps that can be floors, in the order in which pytest would set them up."""
    if not isinstance(item, pytest.Function):
        return []
    plan = _Plan(item)
    with suppress(_Ends):
        for name in item.fixturenames:
            plan.look(name)
    return [step for step in plan.found.values() if step and step.in_the_database and step.asks]


class _Plan:
    """Goes through what a test asks for, as deep as it goes."""

    def __init__(self, item: pytest.Function) -> None:
        self.found: dict[str, Step | None] = {}  # None is what pytest or a plugin gives
        self._defined = item._fixtureinfo.name2fixturedefs
        self._params = item.callspec.params if hasattr(item, "callspec") else {}

    def look(self, name: str, level: int = 1) -> Step | None:
        """That fixture, in its `level`th definition from the nearest; raises _Ends."""
        place = f"{name}/{level}"
        if place not in self.found:
            step = self._step(name, level)
            self.found[place] = step
        return self.found[place]

    def _step(self, name: str, level: int) -> Step | None:
        defined = self._defined.get(name, ())
        if name in self._params:
            value = self._params[name]
            is_direct = not defined or _is_a_plugins(defined[-1].func)
            return Step(name, lambda: value, (), f"{name}={value!r}", False) if is_direct else None
        if name == "db":
            return Step(name, lambda: None, (), name, True)
        if not defined:
            return None
        fixture = defined[-level]
        if _is_a_plugins(fixture.func) or name in _LEAVES_NOTHING:
            return None
        if inspect.isgeneratorfunction(fixture.func):
            raise _Ends
        if fixture.scope != "function":
            return None
        asks = []
        for each in fixture.argnames:
            asked = self.look(each, level + 1 if each == name else 1)
            if asked is None:
                raise _Ends
            asks.append((each, asked))
        mark = f"{id(fixture.func)}({','.join(step.mark for _, step in asks)})"
        in_the_database = any(step.in_the_database for _, step in asks)
        return Step(name, fixture.func, tuple(asks), mark, in_the_database)


def _is_a_plugins(function: Callable[..., Any]) -> bool:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code is None or "site-packages" in code.co_filename


def side_by_side(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests of each module so that those which begin alike follow each other."""
    places: dict[tuple[str, ...], int] = {}

    def key(item: pytest.Item) -> list[int]:
        marks = tuple(step.mark for step in steps(item))
        prefixes = (marks[: end + 1] for end in range(len(marks)))
        return [places.setdefault(each, len(places)) for each in prefixes]

    runs = groupby(items, lambda item: (item.path, commits(item)))
    return [item for _, run in runs for item in sorted(run, key=key)]


def commits(item: pytest.Item) -> bool:
    """Whether the test writes into the database for good, so that it must be alone there."""
    marker = item.get_closest_marker("django_db")
    told = marker is not None and (
        bool(marker.args and marker.args[0])
        or any(marker.kwargs.get(word) for word in ("transaction", "reset_sequences"))
    )
    return told or not _COMMITS.isdisjoint(getattr(item, "fixturenames", ()))


class Worlds:
    """The pile of floors, and what the test that is run now finds on it."""

    def __init__(self) -> None:
        self._floors: list[Floor] = []
        self._left_to_the_test: set[Callable[..., Any]] = set()
        self._end_the_pile: set[Callable[..., Any]] = set()
        self._values: dict[Callable[..., Any], Any] = {}
        self._remembered: Memories = [SHELF._books, *_parts_in_play()]

    def prepare(self, item: pytest.Item) -> None:
        """Let the floors be those of the test."""
        self._values = {}
        if self._floors and connection.closed_in_transaction:
            self._clear_away()
        height = 0
        for step in [] if commits(item) else steps(item):
            if step.make in self._left_to_the_test:
                continue
            if step.make in self._end_the_pile:
                break
            if height < len(self._floors) and self._floors[height].step.mark == step.mark:
                height += 1
                continue
            self._take_down(height)
            if self._build(step):
                height += 1
            elif step.make not in self._left_to_the_test:
                break
        self._take_down(height)
        self._values = {step.make: value for step, value in self._at_the_top()}

    def has(self, make: Callable[..., Any]) -> bool:
        """Whether the test finds what that fixture would build."""
        return make in self._values

    def value(self, make: Callable[..., Any]) -> Any:
        """What that fixture returned, as the test's own copy."""
        return self._values[make]

    def leave(self) -> None:
        """Take all floors down."""
        self._values = {}
        self._take_down(0)

    def _at_the_top(self) -> list[tuple[Step, Any]]:
        """The values of all floors; the process remembers what it did when they were built."""
        if not self._floors:
            return []
        top = self._floors[-1]
        for memory, then in zip(self._remembered, top.memories, strict=True):
            memory.clear()
            memory.update(then)
        return list(
            zip((floor.step for floor in self._floors), pickle.loads(top.values), strict=True)  # noqa: S301
        )

    def _build(self, step: Step) -> bool:
        """Put what the step does on top, if it is to be a floor."""
        known = {each.mark: value for each, value in self._at_the_top()}
        undo = _enter()
        asked = _Queries()
        try:
            with connection.execute_wrapper(asked):
                for _, each in step.asks:
                    _made(each, known)
            asked_for_its_values = asked.count
            with connection.execute_wrapper(asked):
                value = _made(step, known)
        except (Exception, OutcomeException):  # the test will meet it, and tell of it
            _undo(undo)
            return False
        if asked.count == asked_for_its_values:
            self._left_to_the_test.add(step.make)
            _undo(undo)
            return False
        values = [known[floor.step.mark] for floor in self._floors]
        try:
            pickled = pickle.dumps([*values, value])
        except Exception:  # pickle raises what it likes
            pickled = b""
        if asked_for_its_values or not pickled:
            self._end_the_pile.add(step.make)
            _undo(undo)
            return False
        memories = [dict(memory) for memory in self._remembered]
        self._floors.append(Floor(step, undo, pickled, memories))
        return True

    def _take_down(self, height: int) -> None:
        while len(self._floors) > height:
            _undo(self._floors.pop().undo)

    def _clear_away(self) -> None:
        """A test has closed the connection, and with it all that was built is gone."""
        self._floors.clear()
        connection.closed_in_transaction = connection.in_atomic_block = False
        connection.close()


def _parts_in_play() -> list[dict[Any, Any]]:
    """What every module of the house keeps in mind of games and their parts."""
    houses = [module for name, module in sys.modules.items() if name.split(".")[0] in _HOUSE]
    named = (value for module in houses for value in vars(module).values())
    return [value._known for value in named if isinstance(value, InPlay)]


class _Queries:
    """Counts what the database is asked."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self.count += 1
        return execute(*args)


def _made(step: Step, known: dict[str, Any]) -> Any:
    """The step's value: what is known, or what it makes of what it asks for."""
    if step.mark not in known:
        known[step.mark] = step.make(**{name: _made(each, known) for name, each in step.asks})
    return known[step.mark]


def _enter() -> transaction.Atomic:
    """A transaction, or a savepoint, in which what has to be the outermost one may be begun."""
    atomic = transaction.atomic()
    atomic._from_testcase = True  # type: ignore[attr-defined]
    atomic.__enter__()
    return atomic


def _undo(atomic: transaction.Atomic) -> None:
    transaction.set_rollback(True)
    atomic.__exit__(None, None, None)


@pytest.fixture(scope="session")
def _worlds(django_db_setup: None, django_db_blocker: Any) -> Iterator[Worlds]:
    worlds = Worlds()
    yield worlds
    with django_db_blocker.unblock():
        worlds.leave()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Build what the test needs before its own transaction begins, and hand it over."""
    if fixturedef.argname == "_django_db_helper":
        worlds = request.getfixturevalue("_worlds")
        with request.getfixturevalue("django_db_blocker").unblock():
            worlds.prepare(request.node)
        request.node.stash[_HERE] = worlds
        return (yield)
    here = request.node.stash.get(_HERE, None)
    make = fixturedef.func
    if here is None or not here.has(make):
        return (yield)
    fixturedef.func = lambda **asked: here.value(make)  # type: ignore[misc]
    try:
        return (yield)
    finally:
        fixturedef.func = make  # type: ignore[misc]


_HERE = pytest.StashKey[Worlds]()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let those tests of a module follow each other that begin with the same floors."""
    items[:] = side_by_side(items)
