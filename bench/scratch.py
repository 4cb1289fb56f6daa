"""A database, a Valkey and processes of the bench's own, all gone at its end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from nomic.embedded import servers, valkey
from nomic.embedded.commands import COMMANDS
from nomic.embedded.tests.ports import free_port
from nomic.infrastructure.paths import ROOT, Home, home


@contextmanager
def stage() -> Iterator[dict[str, str]]:
    """The environment of the bench: a fresh database, a fresh Valkey, the bench's settings.

    The database is on the server that DATABASE_URL names, else on the bundled one.
    """
    here = home()
    started = servers.up(here, [] if "DATABASE_URL" in os.environ else ["PostgreSQL"])
    base = os.environ.get("DATABASE_URL") or here.database_url
    folder = Path(tempfile.mkdtemp(prefix="nomic-bench-"))
    valkey.start(Home(folder))
    try:
        with database(base, f"nomic_bench_{os.getpid()}") as url:
            yield {
                "DATABASE_URL": url,
                "REDIS_URL": Home(folder).redis_url,
                "DJANGO_SETTINGS_MODULE": "bench.settings",
                "PYTHONWARNINGS": "ignore",
            }
    finally:
        valkey.stop(Home(folder))
        shutil.rmtree(folder, ignore_errors=True)
        servers.down(here, started)


@contextmanager
def database(base: str, name: str, template: str = "template1") -> Iterator[str]:
    """A new database on the server of `base`, perhaps a copy of another; dropped at the end."""
    admin = make_conninfo(base, dbname="postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(_drop(name))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    try:
        yield make_conninfo(base, dbname=name)
    finally:
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(_drop(name))


def _drop(name: str) -> sql.Composed:
    return sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))


def name_of(url: str) -> str:
    """The database that a connection string names."""
    return str(conninfo_to_dict(url)["dbname"])


@contextmanager
def running(name: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """One process of the site as `make play` runs it, in the bench's environment."""
    env = {**os.environ, **more}
    process = subprocess.Popen(
        COMMANDS[name](env), env=env, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[bytes], patience: float = 15.0) -> None:
    """Ask it to end; insist after `patience` seconds."""
    process.terminate()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def web(**more: str) -> Iterator[int]:
    """The web server that `make play` uses, on a port of 127.0.0.1."""
    port = free_port()
    with running("web", HOST="127.0.0.1", PORT=str(port), **more) as process:
        wait_for(port, process)
        yield port


def wait_for(port: int, process: subprocess.Popen[bytes], patience: float = 60.0) -> None:
    """Return when /healthz answers 200. Raises TimeoutError, or RuntimeError if it ended."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"The server ended with {process.returncode}.")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
            return
        except (OSError, urllib.error.URLError):
            time.sleep(0.02)
    raise TimeoutError(f"Nothing answered at port {port} within {patience:.0f} s.")
