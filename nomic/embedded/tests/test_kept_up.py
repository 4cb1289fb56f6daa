"""The bundled servers are looked after, whatever becomes of them meanwhile."""

import math
import os
import signal
from pathlib import Path

import psutil
import psycopg
import pytest

from nomic.embedded import bundled, play, postgres, servers, valkey
from nomic.embedded.tests.site import PATIENCE, is_locked, wait_for
from nomic.infrastructure.paths import Home

pytestmark = pytest.mark.thorough

# Every second connection gets through, then its backend is killed as it is asked for something.
EVERY_OTHER_BACKEND_DIES = """
CREATE SEQUENCE seen;
CREATE FUNCTION die() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
  IF nextval('seen') % 2 = 0 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
END $$;
CREATE EVENT TRIGGER die ON login EXECUTE FUNCTION die();
ALTER EVENT TRIGGER die ENABLE ALWAYS;
"""


def break_the_second_look(home: Home) -> None:
    """That the server answers is found; then the backend of the next question is ended."""
    with psycopg.connect(home.database("postgres"), autocommit=True) as connection:
        connection.execute(EVERY_OTHER_BACKEND_DIES)


def server_of(pid_file: Path) -> psutil.Process:
    return psutil.Process(int(pid_file.read_text().split()[0]))


def test_a_backend_killed_at_the_wrong_moment_is_a_server_that_would_not_start(
    private_home: Home,
) -> None:
    servers.up(private_home, ["PostgreSQL"])
    break_the_second_look(private_home)
    with pytest.raises(bundled.ServerWouldNotStart, match="PostgreSQL ended while"):
        servers.up(private_home, ["PostgreSQL"])


def test_whatever_one_server_does_the_other_is_looked_after(
    private_home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    servers.up(private_home)
    break_the_second_look(private_home)
    with play._kept_up(private_home, {}, every=0.05):
        for _ in range(2):
            killed = server_of(private_home.valkey / "valkey.pid")
            killed.kill()
            wait_for(
                lambda killed=killed: (
                    valkey.answers(private_home)
                    and server_of(private_home.valkey / "valkey.pid") != killed
                ),
                PATIENCE,
                private_home.logs / "valkey.log",
            )
    assert "PostgreSQL ended while it was asked" in capfd.readouterr().out


def test_a_server_that_ends_while_it_recovers_is_not_waited_for(private_home: Home) -> None:
    servers.up(private_home, ["PostgreSQL"])
    server = server_of(private_home.postgres / "postmaster.pid")
    server.kill()
    server.wait(PATIENCE)
    with pytest.raises(bundled.ServerWouldNotStart):
        postgres.wait(private_home, None, patience=math.inf)
    assert servers.up(private_home, ["PostgreSQL"]) == ["PostgreSQL"]


def test_a_database_that_hangs_keeps_nobody_from_the_broker(private_home: Home) -> None:
    servers.up(private_home)
    hanging = server_of(private_home.postgres / "postmaster.pid")
    killed, log = server_of(private_home.valkey / "valkey.pid"), private_home.logs / "valkey.log"
    hanging.suspend()
    try:
        with play._kept_up(private_home, {}, every=0.05):
            wait_for(lambda: is_locked(private_home.lock("PostgreSQL")), PATIENCE, log)
            killed.kill()
            wait_for(
                lambda: not killed.is_running() and valkey.answers(private_home), PATIENCE, log
            )
            assert is_locked(private_home.lock("PostgreSQL"))
            hanging.resume()
    finally:
        hanging.resume()


def test_a_valkey_that_lives_and_does_not_answer_is_replaced(private_home: Home) -> None:
    servers.up(private_home, ["Valkey"])
    hanging = server_of(private_home.valkey / "valkey.pid")
    os.kill(hanging.pid, signal.SIGSTOP)
    assert servers.up(private_home, ["Valkey"]) == ["Valkey"]
    assert not hanging.is_running() or hanging.status() == psutil.STATUS_ZOMBIE
