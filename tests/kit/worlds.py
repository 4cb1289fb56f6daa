"""Runs fixtures that only write into the database once, and keeps what they wrote: a pytest plugin.

It keeps a stack of open savepoints, one for each fixture: its rows and its value, pickled, of which
each test gets a copy. A test runs in a savepoint above them that is undone. The next one keeps the
layers that it asks for too, in the same order; only what differs is taken down and built. A test
that commits has no layers: its fixtures are built in it.
A fixture becomes a layer if it is of function scope and no generator, asks for nothing but `db`,
parameters and fixtures like it, asks the database something, and returns what can be pickled. The
first fixture of the project's own that is otherwise (it stops the clock, signs in a browser) ends
the stack, unless it is marked `@around` or `@afterwards` (steps.py): what follows is built in the
test, in pytest's order. One that asks the database nothing costs nothing and is left to the test.
"""

import inspect
import pickle
from collections.abc import Callable, Generator, Iterator, MutableMapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pytest
from django.db import connection, transaction

from nomic.engine.subgames import PLAYED
from nomic.rulebook.text_cache import SAYING, SHELF
from tests.kit.steps import AskedFixture, commits, is_a_plugins, side_by_side, steps

Memories = list[MutableMapping[Any, Any]]

_FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


@dataclass
class Layer:
    """A savepoint with the rows of one step, what stood around it, and all values up to here."""

    step: AskedFixture
    around: tuple[str, ...]
    undo: transaction.Atomic
    values: bytes
    memories: Memories


class Worlds:
    """The stack of layers, and what the test that is run now finds on it."""

    def __init__(self, unblocked: Callable[[], AbstractContextManager[Any]]) -> None:
        self._unblocked = unblocked  # lets the database be asked outside a test
        self._layers: list[Layer] = []
        self._left_to_the_test: set[Callable[..., Any]] = set()
        self._end_the_stack: set[Callable[..., Any]] = set()
        self._failed: set[tuple[str, ...]] = set()  # with what stood around it
        self.values: dict[Callable[..., Any], Any] = {}
        self._remembered: Memories = [SHELF, SAYING, PLAYED]

    def prepare(self, item: pytest.Item) -> None:
        """Let the test find what it begins with."""
        self.values = {}
        if self._layers and connection.closed_in_transaction:
            # A test has closed the connection, and with it all that was built is gone.
            self._layers.clear()
            connection.closed_in_transaction = connection.in_atomic_block = False
            connection.close()
        with self._unblocked():
            if commits(item):
                self._remember([])  # its layers are down already
            else:
                self._build_up(item)
                self.values = {step.make: value for step, value in self._at_the_top()}

    def _build_up(self, item: pytest.Item) -> None:
        """Let the layers be those of the test."""
        height = 0
        around: list[AskedFixture] = []
        for step in steps(item):
            if step.is_around:
                around.append(step)
                continue
            if step.make in self._left_to_the_test:
                continue
            if self._ends_the_stack(step, around):
                break
            there = self._layers[height] if height < len(self._layers) else None
            if there and (there.step.mark, there.around) == (step.mark, _marks(around)):
                height += 1
                continue
            self._take_down(height)
            if self._build(step, around):
                height += 1
            elif self._ends_the_stack(step, around):
                break
        self._take_down(height)

    def _ends_the_stack(self, step: AskedFixture, around: list[AskedFixture]) -> bool:
        return step.make in self._end_the_stack or (*_marks(around), step.mark) in self._failed

    def leave(self) -> None:
        """Take all layers down."""
        self.values = {}
        with self._unblocked():
            self._take_down(0)

    def _at_the_top(self) -> list[tuple[AskedFixture, Any]]:
        """The values of all layers; the process remembers what it did when they were built."""
        top = self._layers[-1] if self._layers else None
        self._remember(top.memories if top else [])
        if top is None:
            return []
        values = pickle.loads(top.values)  # noqa: S301 - our own
        return [(layer.step, value) for layer, value in zip(self._layers, values, strict=True)]

    def _remember(self, memories: Memories) -> None:
        """Put back what the process keeps of games by their numbers, which come again in each
        test, as it was when the layers were built."""
        nothing: MutableMapping[Any, Any] = {}
        for memory, then in zip_longest(self._remembered, memories, fillvalue=nothing):
            for key in list(memory):
                if memory[key] is not then.get(key):
                    del memory[key]
            for key in then.keys() - memory.keys():
                memory[key] = then[key]

    def _build(self, step: AskedFixture, around: list[AskedFixture]) -> bool:
        """Put what the step does on top, if it is to be a layer."""
        known = {each.mark: value for each, value in self._at_the_top()}
        undo = transaction.atomic()
        # What has to be the outermost transaction may be begun in it.
        undo._from_testcase = True  # type: ignore[attr-defined]
        undo.__enter__()
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
        except _FAILURES:  # the test will meet it, and tell of it
            self._failed.add((*_marks(around), step.mark))
            _undo(undo)
            return False
        pickled = _pickled([*(known[layer.step.mark] for layer in self._layers), value])
        if asked.count == asked_before:
            self._left_to_the_test.add(step.make)
        elif asked_before or not pickled:
            self._end_the_stack.add(step.make)
        else:
            memories: Memories = [dict(memory) for memory in self._remembered]
            self._layers.append(Layer(step, _marks(around), undo, pickled, memories))
            return True
        _undo(undo)
        return False

    def _take_down(self, height: int) -> None:
        while len(self._layers) > height:
            _undo(self._layers.pop().undo)


class _Queries:
    """Counts what the database is asked."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        self.count += 1
        return execute(*args)


def _made(step: AskedFixture, known: dict[str, Any]) -> Any:
    """The step's value: what is known, or what it makes of what it asks for."""
    if step.mark not in known:
        known[step.mark] = step.make(**{name: _made(each, known) for name, each in step.asks})
    return known[step.mark]


def _put_around(step: AskedFixture, known: dict[str, Any], standing: ExitStack) -> None:
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


def _marks(steps: list[AskedFixture]) -> tuple[str, ...]:
    return tuple(step.mark for step in steps)


def _pickled(values: list[Any]) -> bytes:
    """The values as they can be kept; empty if they cannot."""
    try:
        return pickle.dumps(values)
    except Exception:  # pickle raises what it likes
        return b""


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
    # One of ours that writes for more than one test has to be alone.
    asks = "django_db_blocker" in fixturedef.argnames
    name = fixturedef.argname
    makes_the_database = name == "_worlds" or name.startswith("django_db_")
    if asks and not makes_the_database and not is_a_plugins(fixturedef.func):
        request.getfixturevalue("_worlds").leave()
    if name == "_django_db_helper":
        worlds = request.getfixturevalue("_worlds")
        worlds.prepare(request.node)
        request.node.stash[_HERE] = worlds
        return (yield)
    here = request.node.stash.get(_HERE, None)
    make = fixturedef.func
    if here is None or make not in here.values:
        return (yield)
    fixturedef.func = lambda **asked: here.values[make]  # type: ignore[misc]
    try:
        return (yield)
    finally:
        fixturedef.func = make  # type: ignore[misc]


def stood_before(request: pytest.FixtureRequest, fixture: str) -> bool:
    """Whether what that fixture makes was there before the test that asks now."""
    defined = request.node._fixtureinfo.name2fixturedefs[fixture]
    return defined[-1].func in request.node.stash[_HERE].values


_HERE = pytest.StashKey[Worlds]()
_THERE = pytest.StashKey[Worlds]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take the layers down while the connection is still that by which they were built.

    A browser's loop in this thread brings a connection of its own.
    """
    worlds = item.config.stash.get(_THERE, None)
    if worlds is not None and commits(item):
        worlds.leave()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let those tests of a module follow each other that begin with the same layers."""
    items[:] = side_by_side(items)
