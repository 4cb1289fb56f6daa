"""The database of a version before 1.0 is told so, and stays as it is."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext

from nomic.games.first_version import FIRST_VERSION
from nomic.infrastructure.paths import ROOT, home
from nomic.operations.management.commands.migrate import BEFORE_IT

SENTENCE = BEFORE_IT.format(folder=home().folder)
OLD = [("auth", "0001_initial"), ("games", "0001_initial"), ("games", "0016_rows_of_one_game")]
TABLES = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"


@pytest.mark.django_db
def test_an_earlier_database_is_told_so_and_only_read() -> None:
    rows = MigrationRecorder.Migration.objects
    rows.filter(name=FIRST_VERSION).delete()
    for app, name in OLD:
        rows.create(app=app, name=name)
    with CaptureQueriesContext(connection) as queries, pytest.raises(CommandError) as refused:
        call_command("migrate", verbosity=0)
    assert str(refused.value) == SENTENCE
    assert queries.captured_queries
    assert all(query["sql"].strip().startswith("SELECT") for query in queries.captured_queries)


@pytest.mark.django_db
@pytest.mark.parametrize("left", [[], ["proposals"], ["horses", "settlers"]], ids=len)
def test_one_of_this_version_is_not(left: list[str]) -> None:
    """Nor where `migrate` was cut short, where a later version has been, or a fifth subgame is."""
    rows = MigrationRecorder.Migration.objects
    rows.filter(app__in=left).delete()
    rows.create(app="dice", name="0009_of_a_later_version")
    rows.create(app="chess", name="0001_initial")
    plan = io.StringIO()
    call_command("migrate", plan=True, stdout=plan)
    assert all(f"{app}.{FIRST_VERSION}" in plan.getvalue() for app in left)


@pytest.fixture
def earlier_database() -> Iterator[str]:
    """The address of a database with nothing in it but the names of old migrations."""
    name = f"earlier_{connection.settings_dict['NAME']}"
    address = home().database(name)
    with psycopg.connect(home().database("postgres"), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(address) as made:
            made.execute(
                "CREATE TABLE django_migrations (id int GENERATED ALWAYS AS IDENTITY, app text,"
                " name text, applied timestamptz DEFAULT now())"
            )
            for row in OLD:
                made.execute("INSERT INTO django_migrations (app, name) VALUES (%s, %s)", row)
        yield address
        server.execute(f"DROP DATABASE {name}")


@pytest.mark.thorough
def test_the_command_ends_with_that_sentence_and_leaves_all_as_it_is(earlier_database: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "nomic.embedded", "migrate"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": earlier_database},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [f"CommandError: {SENTENCE}"]
    with psycopg.connect(earlier_database) as after:
        assert after.execute(TABLES).fetchone() == (1,)
        assert after.execute("SELECT app, name FROM django_migrations").fetchall() == OLD
