"""`make play` waits for a site that comes up slowly, and gives up one that does not."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from itertools import count

import pytest

from nomic.embedded import play, supervisor
from nomic.embedded.supervisor import Child

SIGN = ("healthz", "database")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_IDLE", -1.0)  # whoever has not worked since the last look
    monkeypatch.setattr(play, "_SAID_EVERY", -1.0)


@pytest.fixture
def child() -> Iterator[Child]:
    child = Child("web", [sys.executable, "-c", "raise SystemExit(3)"], {}, 0)
    yield child
    supervisor.end([child.process])


def comes_up_after(looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()
    monkeypatch.setattr(play, "_health", lambda url: {"database": next(numbers) >= looks})


def test_a_site_that_works_at_it_is_waited_for_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    comes_up_after(5, monkeypatch)
    work = count(0, 2)
    monkeypatch.setattr(supervisor, "spent", lambda children: float(next(work)))
    monkeypatch.setattr(play, "_IDLE", 0.0)
    monkeypatch.setattr("time.monotonic", lambda: 7.0)
    play._wait_until([], {}, threading.Event(), SIGN, "come up")
    assert capsys.readouterr().out.count("the machine is busy; waiting on") == 5


def test_a_site_that_does_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    comes_up_after(5, monkeypatch)
    monkeypatch.setattr(supervisor, "spent", lambda children: 7.0)
    with pytest.raises(play.CannotPlay, match="did not come up, and did nothing for"):
        play._wait_until([], {}, threading.Event(), SIGN, "come up")


def test_a_site_that_ends_again_and_again_is_given_up(
    monkeypatch: pytest.MonkeyPatch, child: Child
) -> None:
    monkeypatch.setattr(play, "_health", lambda url: {})
    monkeypatch.setattr(play, "_IDLE", 600.0)
    monkeypatch.setattr(play, "_MOST_DEATHS", 2)
    with pytest.raises(play.CannotPlay, match="ended again and again"):
        play._wait_until([child], {}, threading.Event(), SIGN, "come up")


def test_what_a_family_has_had_of_a_processor_counts_its_children(child: Child) -> None:
    assert supervisor.spent([child]) == 0.0
    child.command = [sys.executable, "-c", "import time; time.sleep(600)"]
    child.start()
    assert supervisor.spent([child]) >= 0.0
