"""A standby of the database: what is read from it, and what it takes over."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from nomic.embedded import postgres, servers
from nomic.embedded.commands import COMMANDS
from nomic.embedded.tests.site import (
    PATIENCE,
    Browser,
    Speaker,
    all_speaking,
    begin_a_game,
    environment,
    is_ready,
    last,
    remarks,
    running,
    wait_for,
)
from nomic.infrastructure.paths import ROOT, Home

pytestmark = pytest.mark.slow  # two servers and a site start first


@dataclass
class Pair:
    """A site with a primary and a standby, and the players of its game `table`."""

    primary: Home
    standby: Home
    address: str
    log: Path
    speakers: list[Speaker]

    def asked(self) -> float:
        """When the site last asked the standby anything, in seconds; 0 for never."""
        with psycopg.connect(self.standby.database_url, autocommit=True) as asked:
            found = asked.execute(
                "SELECT coalesce(extract(epoch FROM max(query_start)), 0) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            ).fetchone()
        assert found
        return float(found[0])


@pytest.fixture
def pair() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory(prefix="nomic-test-") as folder:
        primary = Home(Path(folder).resolve() / "var")
        standby = Home(Path(folder).resolve() / "standby")
        servers.up(primary)
        env = environment(primary, primary.folder)
        for name in ("static", "migrate"):
            subprocess.run(COMMANDS[name](env), env=env, cwd=ROOT, check=True)
        speakers = begin_a_game(env)
        _copy(primary, standby)
        postgres.start(standby)
        env["DATABASE_URL"] = _either(primary, standby)
        env["NOMIC_REPLICA_URL"] = standby.database_url
        address, log = f"http://127.0.0.1:{env['PORT']}", primary.folder / "site.log"
        try:
            with running([env], log):
                wait_for(lambda: is_ready(address), PATIENCE, log)
                yield Pair(primary, standby, address, log, speakers)
        finally:
            servers.down(primary)
            postgres.stop(standby)


def _copy(primary: Home, standby: Home) -> None:
    """Make the standby of what the primary has now; it follows from then on."""
    standby.folder.mkdir()
    program = postgres.bin_folder() / "pg_basebackup"
    where = ("--host", primary.sockets, "--username=postgres", "--pgdata", standby.postgres)
    subprocess.run([program, *where, "--write-recovery-conf", "--checkpoint=fast"], check=True)
    owner = primary.postgres.stat()
    for place in (standby.postgres, *standby.postgres.rglob("*")):
        os.chown(place, owner.st_uid, owner.st_gid)


def _either(primary: Home, standby: Home) -> str:
    """The address of whichever of the two can be written to."""
    hosts = ",".join(quote(str(home.sockets), safe="/") for home in (primary, standby))
    return f"postgresql://postgres@/nomic?host={hosts}&target_session_attrs=read-write"


def _ask(home: Home, statement: str) -> None:
    with psycopg.connect(home.database_url, autocommit=True) as asked:
        asked.execute(statement)


def test_who_is_not_signed_in_reads_from_the_standby_and_never_what_is_old(pair: Pair) -> None:
    reader, seen = Browser(pair.address), pair.asked()
    assert "A subject" in reader.get("/g/table/proposals/p1/").text
    assert pair.asked() > seen
    _ask(pair.standby, "SELECT pg_wal_replay_pause()")
    said = pair.speakers[0].say("Nobody waits for a standby.")
    assert last(pair.address) == said
    assert "Nobody waits for a standby." in reader.get("/g/table/proposals/p1/").text
    _ask(pair.standby, "SELECT pg_wal_replay_resume()")
    wait_for(lambda: _has(pair.standby, said), PATIENCE, pair.log)
    seen = pair.asked()
    assert "Nobody waits for a standby." in reader.get("/g/table/proposals/p1/").text
    assert pair.asked() > seen
    postgres.stop(pair.standby)
    assert reader.get("/g/table/proposals/p1/").status == 200
    assert last(pair.address) == said


def test_a_standby_that_takes_over_under_load_has_all_that_was_answered(pair: Pair) -> None:
    _ask(pair.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    _ask(pair.primary, "SELECT pg_reload_conf()")
    with all_speaking(pair.speakers) as answered:
        wait_for(lambda: last(pair.address) > 20, PATIENCE, pair.log)
        servers.kill(pair.primary, ["PostgreSQL"])
        shutil.rmtree(pair.primary.postgres)  # that machine is gone
        _ask(pair.standby, "ALTER SYSTEM RESET synchronous_standby_names")
        _ask(pair.standby, "SELECT pg_reload_conf()")
        _ask(pair.standby, "SELECT pg_promote()")
        wait_for(lambda: is_ready(pair.address), PATIENCE, pair.log)
        after = last(pair.address)
        wait_for(lambda: last(pair.address) > after, PATIENCE, pair.log)
    assert len(answered) > 20
    assert answered.items() <= remarks(pair.address).items()


def _has(home: Home, entry: int | None) -> bool:
    with psycopg.connect(home.database_url, autocommit=True) as asked:
        found = asked.execute("SELECT max(seq) FROM record_entry").fetchone()
    return bool(found) and found[0] == entry
