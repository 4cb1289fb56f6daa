"""The worlds that tests begin with, each built once. A pytest plugin.

A test that needs the database gets what its fixtures build (a game, its seats, a contest that has
opened) from a pile of open transactions. Each floor of the pile is what one fixture does, on top
of the floors below; the test itself runs in a savepoint above them and is undone. The next test
keeps those floors that it asks for too, in the same order, and only what differs is taken down and
built. A test that commits finds no transaction open: what its floors had written is kept as bytes,
and put into the empty tables before each test that begins with it; what was to happen on commit
happens then.

Nothing has to be declared. A fixture becomes a floor if

- it is of function scope, no generator, and asks for nothing but fixtures like it, `db` and
  values (a preset, a parameter): so it can do nothing but write into the database;
- it does ask the database something, and what it returns can be pickled: each test gets a copy of
  its own, in which a player's game is the same object as the test's game.

One that asks the database nothing is left to the test, where it costs nothing. At the first
fixture of the project's own that is otherwise (one that stops the clock, replaces a function, or
signs in a browser), the pile ends: what the test asks for after that is built in the test, so that
everything happens in the order in which pytest would let it happen. Only one that is marked with
`@around`, because it may be done again and undone around each floor, does not end it, and one
that is marked with `@afterwards` does nothing before the test.

What the process remembers of a game by its number, which is the same in many tests now, is put
back before each test to what it was when the floors were built.
"""

import inspect
import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, MutableMapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from _pytest.outcomes import OutcomeException
from django.db import connection, transaction

from nomic.engine.subgames import InPlay
from nomic.rulebook.text_cache import SHELF
from nomic.testing.rows import Rows
from nomic.testing.steps import Step, commits, is_a_plugins, side_by_side, steps

Memories = list[MutableMapping[Any, Any]]

_HOUSE = ("nomic", "horses", "proposals", "settlers", "aceofspades")
_MOST_KEPT = 16


@dataclass
class Floor:
    """What one step has written, with what stood around it, and all values up to here."""

    step: Step
    around: tuple[str, ...]
    undo: transaction.Atomic
    values: bytes
    memories: Memories


@dataclass
class Kept:
    """What a pile of floors had written, for tests that commit."""

    steps: list[Step]
    values: bytes
    memories: Memories
    rows: Rows
    on_commit: list[Callable[[], Any]]


class Worlds:
    """The pile of floors, and what the test that is run now finds on it."""

    def __init__(self, unblocked: Callable[[], AbstractContextManager[Any]]) -> None:
        self._unblocked = unblocked  # lets the database be asked outside a test
        self._floors: list[Floor] = []
        self._kept: OrderedDict[tuple[str, ...], Kept] = OrderedDict()
        self._left_to_the_test: set[Callable[..., Any]] = set()
        self._end_the_pile: set[Callable[..., Any]] = set()
        self._failed: set[tuple[str, ...]] = set()  # with what stood around it
        self._values: dict[Callable[..., Any], Any] = {}
        self._remembered: Memories = [SHELF, *_parts_in_play()]

    def prepare(self, item: pytest.Item) -> None:
        """Let the test find what it begins with."""
        self._values = {}
        self._remember([{} for _ in self._remembered])
        if self._floors and connection.closed_in_transaction:
            self._clear_away()
        with self._unblocked():
            if commits(item):
                self._lay_out(item)
            else:
                self._raise(item)
                self._values = {step.make: value for step, value in self._at_the_top()}

    def _raise(self, item: pytest.Item) -> None:
        """Let the floors be those of the test."""
        height = 0
        around: list[Step] = []
        for step in steps(item):
            if step.is_around:
                around.append(step)
                continue
            if step.make in self._left_to_the_test:
                continue
            if self._ends_the_pile(step, around):
                break
            if self._stands(height, step, around):
                height += 1
                continue
            self._take_down(height)
            if self._build(step, around):
                height += 1
            elif self._ends_the_pile(step, around):
                break
        self._take_down(height)

    def _ends_the_pile(self, step: Step, around: list[Step]) -> bool:
        return step.make in self._end_the_pile or (*_marks(around), step.mark) in self._failed

    def _lay_out(self, item: pytest.Item) -> None:
        """Put into the database, for good, what the test begins with."""
        key = self._key(item)
        if key and key not in self._kept:
            self._raise(item)
            key = self._key(item)
            if self._floors:
                top = self._floors[-1]
                todo = [waiting[1] for waiting in connection.run_on_commit]
                stepped = [floor.step for floor in self._floors]
                self._kept[key] = Kept(stepped, top.values, top.memories, Rows.read(), todo)
        self._take_down(0)
        if key:
            kept = self._kept[key]
            self._kept.move_to_end(key)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            kept.rows.write()
            self._remember(kept.memories)
            for function in kept.on_commit:
                function()
            values = pickle.loads(kept.values)  # noqa: S301 - our own
            self._values = {
                step.make: value for step, value in zip(kept.steps, values, strict=True)
            }

    def _key(self, item: pytest.Item) -> tuple[str, ...]:
        """What tells the test's floors from others, as far as it is known what becomes one."""
        marks = []
        around: list[Step] = []
        for step in steps(item):
            if step.is_around:
                around.append(step)
            elif self._ends_the_pile(step, around):
                break
            elif step.make not in self._left_to_the_test:
                marks.append(f"{''.join(_marks(around))} {step.mark}")
        return tuple(marks)

    def _stands(self, height: int, step: Step, around: list[Step]) -> bool:
        """Whether the floor at that height is what the step would build."""
        if height == len(self._floors):
            return False
        floor = self._floors[height]
        return floor.step.mark == step.mark and floor.around == _marks(around)

    def has(self, make: Callable[..., Any]) -> bool:
        """Whether the test finds what that fixture would build."""
        return make in self._values

    def value(self, make: Callable[..., Any]) -> Any:
        """What that fixture returned, as the test's own copy."""
        return self._values[make]

    def leave(self) -> None:
        """Take all floors down."""
        self._values = {}
        with self._unblocked():
            self._take_down(0)

    def _at_the_top(self) -> list[tuple[Step, Any]]:
        """The values of all floors; the process remembers what it did when they were built."""
        if not self._floors:
            return []
        top = self._floors[-1]
        self._remember(top.memories)
        values = pickle.loads(top.values)  # noqa: S301 - our own
        return [(floor.step, value) for floor, value in zip(self._floors, values, strict=True)]

    def _remember(self, memories: Memories) -> None:
        for memory, then in zip(self._remembered, memories, strict=True):
            memory.clear()
            memory.update(then)

    def _build(self, step: Step, around: list[Step]) -> bool:
        """Put what the step does on top, if it is to be a floor."""
        known = {each.mark: value for each, value in self._at_the_top()}
        undo = _enter()
        asked = _Queries()
        try:
            with ExitStack() as standing:
                with connection.execute_wrapper(asked):
                    for each in around:
                        _put_around(each, known, standing)
                    for _, each in step.asks:
                        _made(each, known)
                asked_before = asked.count
                with connection.execute_wrapper(asked):
                    value = _made(step, known)
        except (Exception, OutcomeException):  # the test will meet it, and tell of it
            self._failed.add((*_marks(around), step.mark))
            _undo(undo)
            return False
        pickled = _pickled([*(known[floor.step.mark] for floor in self._floors), value])
        if asked.count == asked_before:
            self._left_to_the_test.add(step.make)
        elif asked_before or not pickled:
            self._end_the_pile.add(step.make)
        else:
            memories: Memories = [dict(memory) for memory in self._remembered]
            self._floors.append(Floor(step, _marks(around), undo, pickled, memories))
            return True
        _undo(undo)
        return False

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


def _put_around(step: Step, known: dict[str, Any], standing: ExitStack) -> None:
    """Let what the step does stand, and what it asks for."""
    for _, each in step.asks:
        if each.is_around and each.mark not in known:
            _put_around(each, known, standing)
    asked = {name: _made(each, known) for name, each in step.asks}
    if inspect.isgeneratorfunction(inspect.unwrap(step.make)):
        manager = step.make if step.name == "monkeypatch" else contextmanager(step.make)
        known[step.mark] = standing.enter_context(manager(**asked))
    else:
        known[step.mark] = step.make(**asked)


def _marks(steps: list[Step]) -> tuple[str, ...]:
    return tuple(step.mark for step in steps)


def _pickled(values: list[Any]) -> bytes:
    """The values as they can be kept; empty if they cannot."""
    try:
        return pickle.dumps(values)
    except Exception:  # pickle raises what it likes
        return b""


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
def _worlds(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: Any
) -> Iterator[Worlds]:
    worlds = Worlds(django_db_blocker.unblock)
    request.config.stash[_THERE] = worlds
    yield worlds
    worlds.leave()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Build what the test needs before its own transaction begins, and hand it over."""
    if _writes_for_many(fixturedef):
        request.getfixturevalue("_worlds").leave()
    if fixturedef.argname == "_django_db_helper":
        worlds = request.getfixturevalue("_worlds")
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


def _writes_for_many(fixture: pytest.FixtureDef[Any]) -> bool:
    """Whether it is one of ours that writes for more than one test, so that it has to be alone."""
    asks = "django_db_blocker" in fixture.argnames
    makes_the_database = fixture.argname == "_worlds" or fixture.argname.startswith("django_db_")
    return asks and not makes_the_database and not is_a_plugins(fixture.func)


def stood_before(request: pytest.FixtureRequest, fixture: str) -> bool:
    """Whether what that fixture makes was there before the test that asks now."""
    defined = request.node._fixtureinfo.name2fixturedefs[fixture]
    return bool(request.node.stash[_HERE].has(defined[-1].func))


_HERE = pytest.StashKey[Worlds]()
_THERE = pytest.StashKey[Worlds]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take the floors down while the connection is still that by which they were built.

    A browser's loop in this thread brings a connection of its own.
    """
    worlds = item.config.stash.get(_THERE, None)
    if worlds is not None and commits(item):
        worlds.leave()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let those tests of a module follow each other that begin with the same floors."""
    items[:] = side_by_side(items)
