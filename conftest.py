"""What every test stands on: a real PostgreSQL and Valkey, bundled unless others are named.

What keeps the suite short:

- It has three parts. `make test` plays the quick one: whatever holds a rule, a refusal, a page or a
  secret, as fast as it can be tried. Tests marked `thorough` take seconds each (walks over every
  page by every eye, servers that are killed, whole games played anew), and CI and
  `make test-thorough` play them as well; those marked `slow` take minutes (`make test-slow`).
- There are three workers, for two processors: one of them mostly waits for Chromium, a server or
  the database. Who has nothing left takes over half of what another has still before it
  (`--dist worksteal`). Tests that are marked `slow` are therefore the first that begin: the others
  fill all workers up to the end. What takes minutes is parametrized, so that the workers can share
  it.
- What tests begin with (a game, its seats, a contest that has opened) is built once and kept from
  test to test, as nomic/testing/worlds.py tells: any fixture that does nothing but write into the
  database, without a word to declare it. A fixture that stops the clock or replaces a function for
  all that follows is marked `@around`, so that what follows is kept all the same; one that only
  looks at what a test has left, `@afterwards`. A heavy stage is therefore a fixture, not a call at
  the beginning of each test. The tests of a module that begin alike follow each other.
- The test database is a copy of one in which `migrate` has been (nomic/testing/migrated.py), and
  PostgreSQL does not count the rows of its tables by itself: it would see them empty, and plan for
  empty ones.
- What has been imported and collected when the first test begins stays until the end: the garbage
  collector is told not to look through it again and again. What tests leave in rings it takes away
  as soon as there is some: it would grow to a gigabyte.
- Tests at a browser come last, and share one Chromium.
- Hypothesis tries a fifth of its examples where no slow test is asked for (`examples`).
- A test's requests are answered without a look at the gathered static files, which a machine may
  have or not; a live server finds them where they are written.
- The context of a page is kept once (`response.context`), not again for each template that it
  includes or extends.
- What psycopg has prepared outlives a test that ends in a rollback: PostgreSQL need not read and
  plan the same statement anew for each.
- After a transactional test the tables are emptied by deleting their few rows; what `migrate` has
  written, the kinds of things and the permissions for them, stays.
"""

import gc
import os
from collections.abc import Generator, Iterable, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management.commands import flush
from django.db import transaction
from django.db.backends.postgresql.operations import DatabaseOperations
from django.template import Context, Template
from django.template.base import PartialTemplate
from django.test.signals import template_rendered
from django.utils.safestring import SafeString
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from psycopg._preparing import PrepareManager

from nomic.embedded import servers
from nomic.places import home

pytest_plugins = [
    "nomic.testing",
    "nomic.testing.cast",
    "nomic.testing.migrated",
    "nomic.testing.worlds",
    "nomic.testing.visitors",
    "nomic.testing.browser",
]

_GARBAGE = (100_000, 5, 5)  # objects, and rounds, between two looks at each generation
_MOST_PREPARED = 1000  # statements that a connection keeps
_OF_THE_MIGRATION = {"django_content_type", "auth_permission"}

# How fast an example is says more about the machine than about what holds. The same ones are tried
# each time, so that what passes once passes always; where slow tests alone are asked for, others.
_ANY_MACHINE = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.register_profile("few", _ANY_MACHINE, max_examples=20, derandomize=True)
hypothesis_settings.register_profile("many", _ANY_MACHINE, max_examples=100, derandomize=True)
hypothesis_settings.register_profile("others", _ANY_MACHINE, max_examples=100)


def pytest_configure(config: pytest.Config) -> None:
    profile = "others" if config.option.markexpr == "slow" else "few"
    hypothesis_settings.load_profile("many" if _wants_all(config) else profile)
    servers.up(home(), **servers.needed(os.environ))
    # A test's data need not survive a power cut, and its passwords need not withstand a thief. What
    # tests begin with stands in a transaction, however long a worker waits for its next test.
    settings.DATABASES["default"]["OPTIONS"]["options"] += (
        " -c synchronous_commit=off -c idle_in_transaction_session_timeout=0"
    )
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    settings.BOUNDS["counted_seconds"] = 0  # no worker counts beside the tests
    settings.BOUNDS["page_seconds"] = 20  # for what a page has time says more about the machine
    settings.PAGES_KEPT = 0  # tests change what no entry tells
    settings.STATIC_ROOT = home().folder / "no static files"
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    suffix = os.environ.get("NOMIC_TEST_SUFFIX", "")
    cached = settings.CACHES["default"]
    cached["KEY_PREFIX"] = f"test-{suffix}-{worker}"
    # A cache that a busy machine lets wait has an answer all the same.
    cached["OPTIONS"] |= {"SOCKET_CONNECT_TIMEOUT": 30, "SOCKET_TIMEOUT": 30}  # type: ignore[operator]
    PrepareManager.prepared_max = _MOST_PREPARED
    flush.emit_post_migrate_signal = _nothing_is_gone  # type: ignore[attr-defined]
    DatabaseOperations.sql_flush = _deleting  # type: ignore[assignment, method-assign]
    DatabaseOperations.execute_sql_flush = _flush_past_the_triggers  # type: ignore[assignment, method-assign]


_discards = PrepareManager._should_discard


def _discards_but_after_rollbacks(self: PrepareManager, prep: Any, results: Sequence[Any]) -> bool:
    """Whether what was prepared is to be forgotten: not for a rollback alone. No test makes or
    changes a table in what it undoes."""
    others = [result for result in results if result.command_status != b"ROLLBACK"]
    return _discards(self, prep, others)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Where a test commits, as a site does, let what is prepared be forgotten as on a site."""
    mark = item.get_closest_marker("django_db")
    asked = {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    commits = bool(asked) or (mark is not None and mark.kwargs.get("transaction", False))
    forget = _discards if commits else _discards_but_after_rollbacks
    PrepareManager._should_discard = forget  # type: ignore[assignment, method-assign]


def _wants_all(config: pytest.Config) -> bool:
    """Whether slow tests run beside the others."""
    marks = config.option.markexpr
    return marks != "slow" and "slow" in marks.replace("not slow", "", 1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let what takes minutes begin first, without its brief runs, and what shares a browser come
    last: the test database is then made, and removed, where no loop runs."""
    brief = [item for item in items if _wants_all(config) and item.get_closest_marker("brief")]
    config.hook.pytest_deselected(items=brief)
    items[:] = [item for item in items if item not in brief]
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> tuple[bool, bool]:
    return item.get_closest_marker("slow") is None, item.get_closest_marker("browser") is not None


def pytest_collection_finish() -> None:
    """Nothing of what is there by now becomes garbage, and tests leave little that is in a ring."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


def _deleting(
    self: DatabaseOperations, style: Any, tables: Iterable[str], **options: Any
) -> list[str]:
    """What empties the tables after a transactional test.

    Where tables have few rows, deleting these is many times faster than truncating all tables.
    """
    gone = sorted(set(tables) - _OF_THE_MIGRATION)
    emptied = (f"DELETE FROM {self.quote_name(table)}" for table in gone)  # noqa: S608
    return ["; ".join(emptied)]


def _nothing_is_gone(*told: Any, **more: Any) -> None:
    """In place of the signal by which Django writes again what `migrate` had written."""


def _flush_past_the_triggers(self: DatabaseOperations, sql_list: list[str]) -> None:
    """Empty the tables after a transactional test, those too that let no row be deleted."""
    with transaction.atomic(using=self.connection.alias), self.connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for sql in sql_list:
            cursor.execute(sql)


@pytest.fixture(scope="session", autouse=True)
def _tell_of_whole_pages(django_test_environment: None) -> None:
    """Keep a response's context once, and not a copy for each of a page's dozens of templates."""
    for kind in (Template, PartialTemplate):
        setattr(kind, "_render", _render)  # noqa: B010 - no type knows of it


def _render(template: Template, context: Context) -> SafeString:
    if context.template is template:
        template_rendered.send(sender=template, template=template, context=context)
    return template.nodelist.render(context)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Generator[None, None, None]:
    """Let the next test find an empty cache."""
    yield
    cache.clear()
