"""What every test stands on: a real PostgreSQL and Valkey, bundled unless others are named.

What keeps the suite short:

- It has three parts. `make test` plays the quick one: whatever holds a rule, a refusal, a page or a
  secret, as fast as it can be tried. Tests marked `thorough` take over half a second each (walks
  over every page by every eye, servers that are killed, whole games played anew, stories of many
  acts) and find little that others do not find sooner. `make test-thorough` plays them as well; of
  these CI plays each on one day of a fortnight (`--thorough-on`). Those marked `slow` take minutes
  (`make test-slow`).
- There are three workers, for two processors: one of them mostly waits for Chromium, a server or
  the database. Who has nothing left takes over half of what another has still before it
  (`--dist worksteal`). Tests that are marked `slow` are therefore the first that begin: the others
  fill all workers up to the end. What takes minutes is parametrized, so that the workers can share
  it.
- What tests begin with (a game, its seats, a contest that has opened) is built once and kept from
  test to test, as tests/kit/worlds.py tells: any fixture that does nothing but write into the
  database, without a word to declare it. A fixture that stops the clock or replaces a function for
  all that follows is marked `@around`, so that what follows is kept all the same; one that only
  looks at what a test has left, `@afterwards`. A heavy stage is therefore a fixture, not a call at
  the beginning of each test. The tests of a module that begin alike follow each other.
- The test database is a copy of one in which `migrate` has been (tests/kit/migrated.py), and
  PostgreSQL does not count the rows of its tables by itself: it would see them empty, and plan for
  empty ones.
- What has been imported and collected when the first test begins stays until the end: the garbage
  collector is told not to look through it again and again. What tests leave in rings it takes away
  as soon as there is some: it would grow to a gigabyte.
- Tests at a browser come last, and share one Chromium.
- Hypothesis tries a fifth of its examples where no slow test is asked for (`examples`).
- A test's requests are answered without a look at the gathered static files, which a machine may
  have or not; a live server finds them where they are written.
- The tests' database backend (tests/postgres/) empties tables after a transactional test by
  deleting their few rows.
"""

import gc
import os
from collections.abc import Generator
from zlib import crc32

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from nomic.embedded import servers
from nomic.infrastructure.paths import home

pytest_plugins = [
    "tests.kit",
    "tests.kit.cast",
    "tests.kit.migrated",
    "tests.kit.worlds",
    "tests.kit.visitors",
    "tests.kit.browser",
]

_GARBAGE = (100_000, 5, 5)  # objects, and rounds, between two looks at each generation

# How fast an example is says more about the machine than about what holds, and how many of them a
# seed makes in vain more about the seed. The same ones are tried each time, so that what passes
# once passes always; where slow tests alone are asked for, others.
_ANY_MACHINE = hypothesis_settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
    ],
)
hypothesis_settings.register_profile("few", _ANY_MACHINE, max_examples=20, derandomize=True)
hypothesis_settings.register_profile("many", _ANY_MACHINE, max_examples=100, derandomize=True)
hypothesis_settings.register_profile("others", _ANY_MACHINE, max_examples=100)


_FORTNIGHT = (
    14  # days, of which each thorough test has one: a seventh of them made CI last 15 minutes
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough-on",
        type=int,
        choices=range(1, _FORTNIGHT + 1),
        metavar="DAY",
        help="of the thorough tests those alone whose day of a fortnight it is",
    )


def pytest_configure(config: pytest.Config) -> None:
    profile = "others" if config.option.markexpr == "slow" else "few"
    hypothesis_settings.load_profile("many" if _wants_all(config) else profile)
    servers.up(home(), servers.needed(os.environ))
    # What a test starts is the site, with its own settings.
    os.environ["DJANGO_SETTINGS_MODULE"] = "nomic.settings"


def _wants_all(config: pytest.Config) -> bool:
    """Whether slow tests run beside the others."""
    marks = config.option.markexpr
    return marks != "slow" and "slow" in marks.replace("not slow", "", 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let what takes minutes begin first, and what shares a browser come last: the test database is
    then made, and removed, where no loop runs."""
    left_out = {item for item in items if _is_left_out(config, item)}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]
    items.sort(key=_turn)


def _is_left_out(config: pytest.Config, item: pytest.Item) -> bool:
    """Whether it is the brief run of a slow test that runs too, or a thorough one whose day it is
    not."""
    if item.get_closest_marker("brief") and _wants_all(config):
        return True
    day: int | None = config.option.thorough_on
    if day is None or item.get_closest_marker("thorough") is None:
        return False
    return crc32(item.nodeid.encode()) % _FORTNIGHT + 1 != day


def _turn(item: pytest.Item) -> tuple[bool, bool]:
    return item.get_closest_marker("slow") is None, item.get_closest_marker("browser") is not None


def pytest_collection_finish() -> None:
    """Nothing of what is there by now becomes garbage, and tests leave little that is in a ring."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    """Let the next test find an empty cache."""
    yield
    cache.clear()
