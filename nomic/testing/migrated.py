"""A database as `migrate` writes it, kept from run to run, that each test database is copied from.

It is named after all that the migrations say, so that a changed one begins a new one.
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import django
import pytest
from django.apps import apps
from django.db import connection

_PREFIX = "migrated_"
_BEING_MADE = "being_migrated"
_MOST_KEPT = 4
_LOCK = 2006


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, django_db_blocker: Any
) -> None:
    """Let the test database be a copy; what `migrate` finds to do there takes it a moment."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["TEMPLATE"] = _migrated()


def uncount() -> None:
    """Keep PostgreSQL from counting the rows of this database's tables by itself.

    It sees what is committed: nothing, however much a test has written, and would plan for empty
    tables what is then asked of full ones. Of a table that nobody has counted it assumes some rows.
    """
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            name = connection.ops.quote_name(table)
            cursor.execute(f"ALTER TABLE {name} SET (autovacuum_enabled = false)")


def _migrated() -> str:
    """The name of that database, which is made if there is none: by one worker, for all."""
    name = f"{_PREFIX}{_digest()}"
    with connection._nodb_cursor() as cursor:
        cursor.execute("SET lock_timeout = 0")  # another worker may be making it
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])  # until the connection is closed
        cursor.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid DESC",
            [_PREFIX],
        )
        kept = [row[0] for row in cursor.fetchall()]
        if name not in kept:
            smaller = (f"{_PREFIX}{_digest(without=app)}" for app in apps.app_configs)
            _make_it(next((each for each in smaller if each in kept), None))
            cursor.execute(f"ALTER DATABASE {_BEING_MADE} RENAME TO {name}")
            for old in kept[_MOST_KEPT - 1 :]:
                cursor.execute(f"DROP DATABASE {old}")
    return name


def _digest(*, without: str = "") -> str:
    """The fingerprint of the migrations, perhaps without those of one app."""
    digest = sha256(f"{django.VERSION}".encode())
    for path in _migrations(without):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _migrations(without: str) -> Iterator[Path]:
    for app in apps.get_app_configs():
        if app.label != without:
            yield from sorted(Path(app.path).glob("migrations/*.py"))


def _make_it(smaller: str | None) -> None:
    """Migrate a new database, or a copy of one that lacks no more than one app's tables."""
    told = connection.settings_dict
    real, test = told["NAME"], told["TEST"]
    told["TEST"] = {**test, "NAME": _BEING_MADE, "TEMPLATE": smaller}
    try:
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        uncount()
    finally:
        connection.close()
        told["NAME"], told["TEST"] = real, test
