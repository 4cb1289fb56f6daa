"""The bundled servers, really started, broken and started again."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from nomic.embedded import postgres, servers, valkey
from nomic.infrastructure.paths import LONGEST_SOCKET, ROOT, Home


def rows(home: Home) -> list[tuple[int]]:
    with psycopg.connect(home.database_url) as connection:
        return connection.execute("SELECT n FROM kept ORDER BY n").fetchall()


def keep(home: Home, n: int) -> None:
    with psycopg.connect(home.database_url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
        connection.execute("INSERT INTO kept VALUES (%s)", [n])


def postmaster(home: Home) -> psutil.Process:
    return psutil.Process(int((home.postgres / "postmaster.pid").read_text().split()[0]))


def test_up_starts_both_once_and_down_keeps_the_data(private_home: Home) -> None:
    assert servers.up(private_home) == ["PostgreSQL", "Valkey"]
    assert servers.up(private_home) == []
    keep(private_home, 1)
    redis.Redis.from_url(private_home.redis_url).set("a", "b")

    servers.down(private_home)
    assert not postgres.answers(private_home)
    assert not valkey.answers(private_home)

    assert servers.up(private_home) == ["PostgreSQL", "Valkey"]
    assert rows(private_home) == [(1,)]


@pytest.mark.thorough
def test_what_was_committed_outlives_a_killed_server(private_home: Home) -> None:
    servers.up(private_home, ["PostgreSQL"])
    keep(private_home, 2)
    server = postmaster(private_home)
    server.send_signal(signal.SIGKILL)
    while server.status() != psutil.STATUS_ZOMBIE:  # nobody waits for it here
        time.sleep(0.01)

    assert servers.up(private_home, ["PostgreSQL"]) == ["PostgreSQL"]
    assert rows(private_home) == [(2,)]


@pytest.mark.thorough
def test_a_pid_file_that_now_names_another_process_is_no_obstacle(private_home: Home) -> None:
    servers.up(private_home, ["PostgreSQL"])
    pid_file = private_home.postgres / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    servers.down(private_home)
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")

    assert servers.up(private_home, ["PostgreSQL"]) == ["PostgreSQL"]


@pytest.mark.thorough
def test_a_server_that_lost_its_socket_is_replaced(private_home: Home) -> None:
    servers.up(private_home, ["PostgreSQL"])
    keep(private_home, 5)
    (private_home.sockets / ".s.PGSQL.5432").unlink()

    assert servers.up(private_home, ["PostgreSQL"]) == ["PostgreSQL"]
    assert rows(private_home) == [(5,)]


@pytest.mark.thorough
def test_a_deep_folder_gets_a_short_place_for_its_sockets(private_home: Home) -> None:
    deep = Home(private_home.folder / ("a" * 60) / ("b" * 60) / "var")
    assert len(str(deep.sockets / ".s.PGSQL.5432")) <= LONGEST_SOCKET
    try:
        servers.up(deep)
        keep(deep, 3)
        assert rows(deep) == [(3,)]
        assert redis.Redis.from_url(deep.redis_url).ping()
        assert stat.S_IMODE(deep.sockets.stat().st_mode) == 0o700
    finally:
        servers.down(deep)
        deep.sockets.rmdir()


@pytest.mark.thorough
def test_a_folder_with_spaces_and_percent_signs_works(private_home: Home) -> None:
    odd = Home(private_home.folder / "my games 100% fun?" / "var")
    try:
        servers.up(odd)
        keep(odd, 4)
        assert rows(odd) == [(4,)]
        assert redis.Redis.from_url(odd.redis_url).ping()
    finally:
        servers.down(odd)


@pytest.mark.thorough
def test_the_data_is_private_and_no_port_is_opened(private_home: Home) -> None:
    servers.up(private_home)
    assert stat.S_IMODE(private_home.postgres.stat().st_mode) == 0o700
    assert stat.S_IMODE(private_home.sockets.stat().st_mode) == 0o700
    assert not [c for c in postmaster(private_home).net_connections("tcp") if c.status == "LISTEN"]
    with psycopg.connect(private_home.database_url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)


@pytest.mark.thorough
def test_four_that_start_it_at_once_get_one_server(private_home: Home) -> None:
    env = {**os.environ, "NOMIC_VAR": str(private_home.folder)}
    command = [sys.executable, "-m", "nomic.embedded", "up"]
    starters = [
        subprocess.Popen(command, env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    said = {starter.communicate(timeout=60)[0] for starter in starters}
    assert [starter.returncode for starter in starters] == [0] * 4
    assert said == {
        f"DATABASE_URL={private_home.database_url}\nREDIS_URL={private_home.redis_url}\n"
    }
    folder = str(private_home.postgres)
    assert [p for p in psutil.process_iter() if _runs_on(p, folder)]


def _runs_on(process: psutil.Process, folder: str) -> bool:
    try:
        return process.name() == "postgres" and Path(process.cwd()) == Path(folder)
    except psutil.Error:
        return False
