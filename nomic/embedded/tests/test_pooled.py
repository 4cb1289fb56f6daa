"""PgBouncer between two machines and the database, sharing few connections among all of them."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from nomic.embedded import servers
from nomic.embedded.tests.site import (
    PATIENCE,
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

PGBOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
_CONNECTIONS = 4
_FILE = ROOT / "docs" / "operating" / "pgbouncer.ini"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PGBOUNCER, reason="PgBouncer is not installed"),
]


@contextmanager
def _pgbouncer(home: Home, folder: Path) -> Iterator[str]:
    """The address of the database by PgBouncer, as docs/operating.md sets it up, on a socket in
    that folder and with few connections."""
    here = {
        "host=/var/run/postgresql dbname=nomic": f"host={home.sockets} user=postgres",
        "listen_addr = 127.0.0.1\n": "",
        "/var/run/postgresql": str(folder),
        "scram-sha-256": "any",
        "auth_file = /etc/pgbouncer/userlist.txt": f"logfile = {folder}/log",
        "default_pool_size = 20": f"default_pool_size = {_CONNECTIONS}",
    }
    told = _FILE.read_text()
    for words, others in here.items():
        assert words in told
        told = told.replace(words, others)
    (folder / "pgbouncer.ini").write_text(told)
    with psycopg.connect(home.database_url, autocommit=True) as asked:
        asked.execute("ALTER ROLE postgres SET lock_timeout = '1s'")
    owner = home.postgres.stat().st_uid  # the only one who reaches the database's socket
    os.chown(folder, owner, -1)
    as_owner = [f"--user={pwd.getpwuid(owner).pw_name}"] if os.getuid() == 0 else []
    command = [str(PGBOUNCER), *as_owner, "--quiet", str(folder / "pgbouncer.ini")]
    with subprocess.Popen(command) as pooler:
        try:
            wait_for((folder / ".s.PGSQL.6432").exists, PATIENCE, folder / "log")
            yield f"postgresql://postgres@/nomic?host={quote(str(folder), safe='/')}&port=6432"
        finally:
            pooler.terminate()


def test_two_machines_play_through_few_connections_and_lose_nothing() -> None:
    with tempfile.TemporaryDirectory(prefix="nomic-test-") as name:
        folder = Path(name).resolve()
        home = Home(folder / "var")
        servers.up(home)
        first, second = environment(home, home.folder), environment(home, folder / "elsewhere")
        try:
            speakers = begin_a_game(first)
            with _pgbouncer(home, folder) as pooled:
                for env in (first, second):
                    env |= {"DATABASE_URL": pooled, "NOMIC_POOLED": "1"}
                _play([first, second], speakers, home)
        finally:
            servers.down(home)


def _play(machines: list[dict[str, str]], speakers: list[Speaker], home: Home) -> None:
    log = home.folder / "site.log"
    addresses = [f"http://127.0.0.1:{env['PORT']}" for env in machines]
    for number, speaker in enumerate(speakers):
        speaker.address = addresses[number % 2]
    with running(machines, log):
        for address in addresses:
            wait_for(lambda address=address: is_ready(address), PATIENCE, log)
        with all_speaking(speakers) as answered:
            wait_for(lambda: last(addresses[0]) > 100, PATIENCE, log)
            with psycopg.connect(home.database_url) as asked:
                found = asked.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = 'nomic'"
                    " AND pid <> pg_backend_pid()"
                ).fetchone()
        assert found
        assert found[0] <= _CONNECTIONS
        assert answered.items() <= remarks(addresses[1]).items()
    audit = [sys.executable, "manage.py", "audit"]
    subprocess.run(audit, env=environment(home, home.folder), cwd=ROOT, check=True)
