"""Programs are checked within a page's patience; a worker does the rest, once for all who ask."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache

from nomic.engine.fairness import background_work
from nomic.engine.fairness.background_work import leave_to_worker, work, work_out
from nomic.engine.programs import checking
from nomic.engine.programs.checking import check, known

RIGHT = '@action("greet", "greets everybody")\ndef greet(me):\n    say("Hello.")\n'
WRONG = '@action("greet", "greets everybody")\ndef greet(me):\n    say(helo)\n'


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    cache.clear()
    checking._FINDINGS.clear()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tokens of what workers were asked for."""
    tokens: list[str] = []
    monkeypatch.setattr(work_out, "apply_async", lambda given, **how: tokens.append(given[0]))
    return tokens


def test_what_there_is_time_for_is_found_at_once(sent: list[str]) -> None:
    checked = check([RIGHT, WRONG], 60)
    assert checked.problems[RIGHT] is None
    assert "helo" in str(checked.problems[WRONG])
    assert (checked.waiting, sent) == ([], [])


def test_what_is_known_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    check([WRONG], 60)
    checking._FINDINGS.clear()
    monkeypatch.setattr(checking, "Sandbox", None)
    assert "helo" in str(check([WRONG], 60).problems[WRONG])


def test_without_time_a_worker_is_asked_once_and_pages_then_know(sent: list[str]) -> None:
    for _ in range(10):
        assert check([RIGHT, WRONG], 0).waiting == [RIGHT, WRONG]
    (token,) = sent
    work_out(token)
    assert "helo" in str(known([WRONG]).problems[WRONG])
    work_out(token)
    assert check([RIGHT, WRONG], 0).waiting == []


def test_what_is_private_leaves_the_process_neither_checked_nor_unchecked(sent: list[str]) -> None:
    assert check([WRONG], 0, private=True).waiting == [WRONG]
    assert "helo" in str(check([WRONG], 60, private=True).problems[WRONG])
    checking._FINDINGS.clear()
    assert known([WRONG]).waiting == [WRONG]
    assert sent == []


def test_what_a_worker_has_no_time_for_is_given_up(sent: list[str], settings: Any) -> None:
    settings.BOUNDS = {"worker_seconds": 0}
    check([RIGHT], 0)
    work_out(sent[0])
    assert check([RIGHT], 0).given_up == [RIGHT]
    assert len(sent) == 1


def test_a_program_that_is_not_read_says_why_as_ever() -> None:
    assert "It cannot be read" in str(check(["def"], 60).problems["def"])


def test_ten_who_ask_at_once_start_one_work(sent: list[str]) -> None:
    with ThreadPoolExecutor(10) as threads:
        list(threads.map(lambda _: leave_to_worker("types", (RIGHT,)), range(10)))
    assert len(sent) == 1


def test_of_such_works_one_is_done_at_a_time(sent: list[str], monkeypatch: Any) -> None:
    done: list[str] = []
    monkeypatch.setitem(background_work._WORKS, "tried", lambda given, seconds: done.append(given))
    leave_to_worker("tried", "a")
    cache.add(background_work._ALONE, 1, 60)
    work_out(sent[0])
    assert (done, len(sent)) == ([], 2)
    cache.delete(background_work._ALONE)
    work_out(sent[1])
    assert done == ["a"]


def test_a_work_that_fails_may_be_asked_for_again(sent: list[str], monkeypatch: Any) -> None:
    @work("failing")
    def fail(given: Any, seconds: float) -> None:
        raise RuntimeError(given)

    leave_to_worker("failing", "a")
    with pytest.raises(RuntimeError):
        work_out(sent[0])
    leave_to_worker("failing", "a")
    assert len(sent) == 2
    del background_work._WORKS["failing"]
