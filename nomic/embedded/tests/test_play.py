"""`make play`'s program, run as a person runs it: started, hurt, stopped, started again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from nomic.embedded import play as playing
from nomic.embedded.supervisor import marked
from nomic.embedded.tests.ports import free_port
from nomic.embedded.tests.site import PATIENCE, is_locked, is_ready, readiness
from nomic.infrastructure.paths import ROOT, Home

WEB, WORKER = "granian nomic.wsgi", "nomic.celery worker"


class Site:
    """A `play` in a folder of its own."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.port = free_port()
        self.log = home.folder.parent / "play.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **more: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, "NOMIC_VAR": str(self.home.folder), "PORT": str(self.port), **more}
        for name in ("DATABASE_URL", "REDIS_URL", "NOMIC_TEST_SUFFIX"):
            env.pop(name, None)
        with open(self.log, "ab") as log:
            command = [sys.executable, "-m", "nomic.embedded", "play"]
            self.process = subprocess.Popen(command, env=env, cwd=ROOT, stdout=log, stderr=log)
        return self.process

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> bool:
        return bool(readiness(self.address).get("database"))

    def is_ready(self) -> bool:
        return is_ready(self.address)

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def part(self, command: str) -> psutil.Process | None:
        """The first process of a part; its children carry the same command line."""
        assert self.process is not None
        family = psutil.Process(self.process.pid).children()
        return next((p for p in family if command in _command(p)), None)


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def wait_for(what: Callable[[], object], seconds: float, site: Site) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert site.process is None or site.process.poll() is None, site.log.read_text()[-4000:]
        assert time.monotonic() < until, site.log.read_text()[-4000:]
        time.sleep(0.1)


@pytest.fixture
def site(private_home: Home) -> Iterator[Site]:
    site = Site(private_home)
    yield site
    if site.process is not None and site.process.poll() is None:
        site.stop()


@pytest.mark.slow
def test_it_comes_up_filled_is_mended_and_stops_and_comes_up_with_the_same_games(
    site: Site,
) -> None:
    begun = time.monotonic()
    site.start()
    wait_for(site.answers, PATIENCE, site)
    print(f"answers after {time.monotonic() - begun:.1f} s")
    assert "The table is set" not in site.log.read_text()
    wait_for(lambda: "The table is set" in site.log.read_text(), PATIENCE, site)
    assert readiness(site.address)["worker"], "it is announced once beat and the worker run as well"
    games = _games(site.home)
    assert games

    _a_killed_web_server_is_replaced_with_all_its_workers(site)
    _a_hanging_database_does_not_keep_a_killed_worker_from_being_replaced(site)
    _a_killed_database_is_started_again(site)

    assert site.stop() == 0
    assert not _processes_of(site.home)
    site.start()
    wait_for(site.is_ready, PATIENCE, site)
    assert set(games) <= set(_games(site.home)), "the second of the demonstration may be younger"


def _games(home: Home) -> list[Any]:
    with psycopg.connect(home.database_url) as connection:
        return connection.execute("SELECT slug FROM games_game ORDER BY slug").fetchall()


def _a_killed_web_server_is_replaced_with_all_its_workers(site: Site) -> None:
    web = site.part(WEB)
    assert web is not None
    answering = web.children()
    assert answering
    web.kill()
    said = "web    │ ended (killed by SIGKILL)"
    wait_for(lambda: said in site.log.read_text(), PATIENCE, site)
    wait_for(lambda: not any(map(_lives, answering)), PATIENCE, site)
    wait_for(site.answers, PATIENCE, site)


def _a_hanging_database_does_not_keep_a_killed_worker_from_being_replaced(site: Site) -> None:
    server, worker = _postmaster(site), site.part(WORKER)
    assert worker is not None
    server.suspend()
    try:
        # A look at a database that hangs takes a minute.
        wait_for(lambda: is_locked(site.home.lock("PostgreSQL")), PATIENCE, site)
        worker.kill()
        wait_for(lambda: site.part(WORKER) not in {None, worker}, PATIENCE, site)
        assert "PostgreSQL did not start" not in site.log.read_text()
    finally:
        server.resume()
    wait_for(site.is_ready, PATIENCE, site)


def _a_killed_database_is_started_again(site: Site) -> None:
    _postmaster(site).kill()
    wait_for(
        lambda: "PostgreSQL had ended and was started again" in site.log.read_text(), PATIENCE, site
    )
    wait_for(site.is_ready, PATIENCE, site)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _postmaster(site: Site) -> psutil.Process:
    return psutil.Process(int((site.home.postgres / "postmaster.pid").read_text().split()[0]))


def _processes_of(home: Home) -> list[psutil.Process]:
    return [*marked(home.folder), *(p for p in psutil.process_iter() if _lives_in(p, home))]


def _lives_in(process: psutil.Process, home: Home) -> bool:
    try:
        return Path(process.cwd()).is_relative_to(home.folder)
    except psutil.Error:
        return False


@pytest.mark.slow
def test_a_second_one_in_the_same_folder_says_that_there_is_a_first(site: Site) -> None:
    first = site.start(NOMIC_ORIGIN=site.address)
    wait_for(site.answers, PATIENCE, site)
    second = site.start(NOMIC_ORIGIN=site.address)
    assert second.wait(PATIENCE) == 1
    assert "`make play` is running in this folder already." in site.log.read_text()
    site.process = first


@pytest.mark.slow
def test_what_one_that_was_killed_left_running_is_ended_by_the_next(site: Site) -> None:
    killed = site.start(NOMIC_ORIGIN=site.address)
    wait_for(site.answers, PATIENCE, site)
    web = site.part(WEB)
    assert web is not None
    killed.send_signal(signal.SIGSTOP)  # so that it does not see what happens to the web server
    left = web.children()
    web.kill()
    killed.kill()
    killed.wait(PATIENCE)
    site.process = None
    assert site.answers()  # the old web server's workers do

    site.start(NOMIC_ORIGIN=site.address)
    wait_for(lambda: not any(map(_lives, left)), PATIENCE, site)
    wait_for(site.answers, PATIENCE, site)
    assert site.stop() == 0
    assert not _processes_of(site.home)


@pytest.mark.thorough
def test_a_port_that_is_taken_is_named_and_nothing_is_left_running(site: Site) -> None:
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", site.port))
        squatter.listen()
        assert site.start().wait(PATIENCE) == 1
    assert f"Port {site.port} cannot be had" in site.log.read_text()
    assert not _processes_of(site.home)


@pytest.mark.thorough
def test_it_stops_when_asked_before_all_is_up(site: Site) -> None:
    process = site.start()
    wait_for(lambda: "started PostgreSQL" in site.log.read_text(), PATIENCE, site)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    assert not _processes_of(site.home)


NEVER_ENDS = """
import signal, sys, time
from contextlib import contextmanager
from nomic.embedded import play as playing, supervisor
from nomic.infrastructure.paths import home

def hang():
    # In short sleeps: a signal just before a long one would be handled only after it.
    while True:
        time.sleep(0.1)

@contextmanager
def hangs(*given):
    yield {}
    hang()

playing._AT_MOST = 1.0
playing._servers = playing._kept_up = hangs
playing.need_port = lambda env: supervisor.end_what_is_left(home().folder)
playing._run = lambda *given: print("hangs now", flush=True) or hang()
playing.play()
"""


def test_what_hangs_keeps_it_from_ending_for_ten_seconds_at_most(private_home: Home) -> None:
    assert playing._AT_MOST < 10
    env = {**os.environ, "NOMIC_VAR": str(private_home.folder)}
    process = subprocess.Popen(
        [sys.executable, "-c", NEVER_ENDS], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    while process.stdout.readline() != "hangs now\n":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "something does not end: it is killed" in told


@pytest.mark.slow
def test_a_worker_that_heeds_nothing_and_a_database_that_hangs_are_killed(site: Site) -> None:
    process = site.start(NOMIC_ORIGIN=site.address)
    wait_for(site.is_ready, PATIENCE, site)
    worker = site.part(WORKER)
    assert worker is not None
    for each in (worker, *worker.children(), _postmaster(site)):
        each.suspend()
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)
    assert time.monotonic() - begun < 10
    assert not _processes_of(site.home)
    site.start(NOMIC_ORIGIN=site.address)
    wait_for(site.is_ready, PATIENCE, site)
