"""A database as `migrate` writes it, kept from run to run, that each test database is copied from.

It is named after all that the migrations say, and what they stand on, so that a changed one begins
a new one.
"""

from hashlib import sha256
from inspect import getsource
from pathlib import Path
from typing import Any

import django
import pytest
from django.apps import apps
from django.db import connection

from nomic.games import first_version, guards
from nomic.ledger import in_sql
from nomic.record.heads import RECORD
from nomic.record.keys import sign, signer

_PREFIX = "migrated_"
_BEING_MADE = "being_migrated"
_MOST_KEPT = 4
_LOCK = 2006


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, django_db_blocker: Any
) -> None:
    """Let the test database be a copy of one that is made if there is none: by one worker, for all.
    What `migrate` finds to do in the copy takes it a moment."""
    name = f"{_PREFIX}{_digest()}"
    with django_db_blocker.unblock(), connection._nodb_cursor() as cursor:
        cursor.execute("SET lock_timeout = 0")  # another worker may be making it
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])  # until the connection is closed
        cursor.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid DESC",
            [_PREFIX],
        )
        kept = [row[0] for row in cursor.fetchall()]
        if name not in kept:
            told = connection.settings_dict
            real, test = told["NAME"], told["TEST"]
            told["TEST"] = {**test, "NAME": _BEING_MADE}
            try:
                connection.creation.create_test_db(verbosity=0, autoclobber=True)
                uncount()
            finally:
                connection.close()
                told["NAME"], told["TEST"] = real, test
            cursor.execute(f"ALTER DATABASE {_BEING_MADE} RENAME TO {name}")
            for old in kept[_MOST_KEPT - 1 :]:
                cursor.execute(f"DROP DATABASE {old}")
    connection.settings_dict["TEST"]["TEMPLATE"] = name


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Let the site's key have been written down before the first test: what signs asks for nothing,
    as on a site that has signed before."""
    with django_db_blocker.unblock():
        sign("", RECORD, None, "", signer().public)


def uncount() -> None:
    """Keep PostgreSQL from counting the rows of this database's tables by itself.

    It sees what is committed: nothing, however much a test has written, and would plan for empty
    tables what is then asked of full ones. Of a table that nobody has counted it assumes some rows.
    """
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            name = connection.ops.quote_name(table)
            cursor.execute(f"ALTER TABLE {name} SET (autovacuum_enabled = false)")


def _digest() -> str:
    """The fingerprint of the migrations."""
    digest = sha256(f"{django.VERSION}".encode())
    for module in (first_version, guards, in_sql):
        digest.update(getsource(module).encode())
    for app in apps.get_app_configs():
        for path in sorted(Path(app.path).glob("migrations/*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
