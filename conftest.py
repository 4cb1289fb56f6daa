"""What every test stands on: a real PostgreSQL and Valkey, bundled unless others are named."""

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.backends.postgresql.operations import DatabaseOperations
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from nomic.embedded import servers
from nomic.embedded.places import home

pytest_plugins = ["nomic.testing"]

# How fast an example is says more about the machine than about what holds.
hypothesis_settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("any machine")


def pytest_configure() -> None:
    servers.up(home(), **servers.needed(os.environ))
    # A test's data need not survive a power cut, and its passwords need not withstand a thief.
    settings.DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    suffix = os.environ.get("NOMIC_TEST_SUFFIX", "")
    settings.CACHES["default"]["KEY_PREFIX"] = f"test:{suffix}:{worker}"
    DatabaseOperations.execute_sql_flush = _flush_past_the_triggers  # type: ignore[assignment, method-assign]


def _flush_past_the_triggers(self: DatabaseOperations, sql_list: list[str]) -> None:
    """Empty the tables after a transactional test, those too that let no row be deleted."""
    with transaction.atomic(using=self.connection.alias), self.connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for sql in sql_list:
            cursor.execute(sql)


@pytest.fixture(autouse=True)
def _an_empty_cache() -> Iterator[None]:
    yield
    cache.delete_pattern("*")  # type: ignore[attr-defined]
