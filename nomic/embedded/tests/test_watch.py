"""Processes that are kept running, and how they end."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from nomic.embedded.supervisor import MARK, Child, end, end_what_is_left
from nomic.embedded.tests.site import PATIENCE, wait_for

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
own = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1], "w") as file:
    print(own.pid, file=file)
time.sleep(600)
"""


class Family:
    """A child that heeds no SIGTERM, and what it has started itself."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        told = folder / "pid"
        command = [sys.executable, "-c", STUBBORN, str(told)]
        self.child = Child("web", command, {MARK: str(folder)}, 0)
        self.child.start()
        wait_for(lambda: told.exists() and told.read_text().endswith("\n"), PATIENCE, told)
        self.own = psutil.Process(int(told.read_text()))

    def kill_the_first(self) -> None:
        assert self.child.process is not None
        self.child.process.kill()
        psutil.Process(self.child.process.pid).wait(PATIENCE)

    def end(self) -> None:
        end([self.child.process], patience=0.0)
        with suppress(psutil.NoSuchProcess):
            self.own.kill()


@pytest.fixture
def family(tmp_path: Path) -> Iterator[Family]:
    family = Family(tmp_path / "here")
    yield family
    family.end()


def is_gone(process: psutil.Process) -> bool:
    _, alive = psutil.wait_procs([process], timeout=PATIENCE)
    return not alive


@pytest.mark.thorough
def test_what_a_process_that_does_not_end_has_started_ends_with_it(family: Family) -> None:
    end([family.child.process], patience=0.1)
    assert family.child.process is not None
    assert family.child.process.poll() == -9
    assert is_gone(family.own)


@pytest.mark.thorough
def test_what_a_dead_process_left_behind_ends_before_it_is_started_again(family: Family) -> None:
    family.kill_the_first()
    family.child.look_after()
    assert is_gone(family.own)


@pytest.mark.thorough
def test_what_a_killed_supervisor_left_behind_is_found_without_the_first_of_the_family(
    family: Family, tmp_path: Path
) -> None:
    elsewhere = Family(tmp_path / "elsewhere")
    try:
        family.kill_the_first()
        end_what_is_left(tmp_path / "here")
        assert is_gone(family.own)
        assert elsewhere.own.is_running()
    finally:
        elsewhere.end()


def test_who_looks_for_what_is_left_does_not_end_itself_for_a_mark_that_it_was_given(
    tmp_path: Path,
) -> None:
    """Nor who started it, who has the mark and a family of its own."""
    look = f"""
from pathlib import Path
from nomic.embedded.supervisor import end_what_is_left
end_what_is_left(Path({str(tmp_path)!r}), patience=0.1)
"""
    start = f"""
import subprocess, sys
sys.exit(subprocess.run([sys.executable, "-c", {look!r}], start_new_session=True).returncode)
"""
    env = {**os.environ, MARK: str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", start], env=env, start_new_session=True)
    assert ended.returncode == 0
