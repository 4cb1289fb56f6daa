"""Where the site counts: in a child with limits, asked for by a token that tells nothing."""

import json
import logging
import os

import pytest
from celery import current_app
from django.core.cache import cache

from aceofspades.marking import counting, tasks
from aceofspades.marking.counting import ask, count
from aceofspades.rules.marks import Answer, Program, Question, mark

HANDS = {"Goethe": {"Red": 2, "Black": 1}, "Steve": {"Red": 0, "Black": 3}}


def program(number: int, body: str) -> Program:
    return Program(number, f"def mark(hands, worth, alliances):\n    {body}\n")


REDS = program(310, "return {n: worth[n] + h['Red'] for n, h in hands.items()}")
FAILING = program(320, "return 1 // 0")
QUESTION = Question(HANDS, (("Goethe", "Steve"),), (REDS,), {"Steve": 0.5})


def test_a_child_answers_as_the_marks_do():
    assert count(QUESTION) == mark(QUESTION) == Answer({"Goethe": 2.0, "Steve": 0.5})


def test_a_child_tells_errors():
    question = Question(HANDS, (), (REDS, FAILING))
    assert count(question) == mark(question)
    assert count(question).errors.keys() == {320}


def test_what_is_not_through_in_its_time_is_worth_nothing_and_recorded():
    question = Question(HANDS, (), (FAILING, REDS))
    answer = count(question, seconds=0)
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert answer.tripped == (310, 320)
    assert answer.errors[310] == "The site's time for it was up."


def child(monkeypatch, script: str) -> None:
    """Let this be the child, which does not heed its time."""
    popen = counting.subprocess.Popen

    def instead(command, **more):
        return popen([command[0], "-c", script], **more)

    monkeypatch.setattr(counting.subprocess, "Popen", instead)


THROUGH = """import json, os, sys
print(json.dumps(["through", [310, None]]))
print(json.dumps(["through", [315, "It went wrong."]]))
print('["through", [320, nu', flush=True)
"""


@pytest.mark.parametrize(
    "end",
    ["import time\ntime.sleep(600)", "os.abort()", "sys.exit(3)", "", "x = bytearray(10**13)"],
)
def test_a_child_that_dies_or_hangs_leaves_what_was_through(monkeypatch, caplog, end):
    monkeypatch.setattr(counting, "_GRACE", 0.5)
    child(monkeypatch, THROUGH + end)
    several = (REDS, program(315, "return 5"), FAILING, program(330, "return worth"))
    answer = count(Question(HANDS, (), several), seconds=0.5)
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert answer.tripped == (320, 330)
    assert answer.errors == {
        315: "It went wrong.",
        320: "The site's time or memory for it was up.",
        330: "The site's time or memory for it was up.",
    }
    assert "Goethe" not in caplog.text


def test_the_child_has_limits_and_nothing_of_the_sites_environment(monkeypatch):
    """It is asked by a module that it imports as if it were the marks."""
    script = """import json, os, resource
from aceofspades import counter
counter._limit(3.0)
told = {name: resource.getrlimit(getattr(resource, name))[0] for name in
        ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_CORE")}
print(json.dumps(["answer", {"worths": [], "errors": [[1, json.dumps([told, sorted(os.environ)])]],
                             "tripped": []}]))
"""
    monkeypatch.setenv("NOMIC_SECRET_KEY", "secret")
    child(monkeypatch, script)
    limits, environment = json.loads(count(QUESTION).errors[1])
    assert limits == {"RLIMIT_AS": 2**31, "RLIMIT_CPU": 4, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0}
    assert "NOMIC_SECRET_KEY" not in environment
    assert "DATABASE_URL" not in environment


def test_a_child_leaves_no_process_behind():
    count(QUESTION)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


# What pages ask


@pytest.fixture
def sent(monkeypatch):
    """What the broker is given, instead of giving it."""
    messages: list[str] = []

    def keep(arguments, **_):
        messages.extend(arguments)

    monkeypatch.setattr(tasks.count_marks, "apply_async", keep)
    return messages


def test_a_page_gets_no_answer_before_the_worker_has_counted(sent):
    assert ask(QUESTION) is None
    tasks.count_marks(sent[0])
    assert ask(QUESTION) == mark(QUESTION)
    assert len(sent) == 1


def test_who_asks_twice_at_once_is_counted_once(sent):
    assert ask(QUESTION) is None
    assert ask(QUESTION) is None
    assert len(sent) == 1


def test_another_question_is_another_message(sent):
    ask(QUESTION)
    ask(Question(HANDS, (), (REDS, FAILING)))
    assert len(set(sent)) == 2


@pytest.fixture
def a_worker_at_hand():
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


def test_with_a_worker_at_hand_the_answer_is_there_at_once(a_worker_at_hand):
    assert ask(QUESTION) == mark(QUESTION)


def test_neither_the_message_nor_a_key_nor_a_log_line_tells_anything(sent, caplog):
    caplog.set_level(logging.DEBUG)
    ask(QUESTION)
    [token] = sent
    assert token not in (QUESTION.fingerprint, "")
    assert all(letter in "0123456789abcdef" for letter in token)
    tasks.count_marks(token)
    keys = " ".join(cache.keys("*"))
    for secret in ("Goethe", "Red", "310", QUESTION.fingerprint):
        assert secret not in keys
        assert secret not in caplog.text


def test_a_token_of_which_nothing_waits_counts_nothing(monkeypatch, sent):
    monkeypatch.setattr(counting, "count", None)
    tasks.count_marks("0" * 64)
    assert cache.keys("*") == []


def test_an_answer_of_the_safety_net_is_asked_for_again_soon(monkeypatch, sent):
    monkeypatch.setattr(counting, "count", lambda question: Answer({}, {}, (310,)))
    ask(QUESTION)
    tasks.count_marks(sent[0])
    assert 0 < cache.ttl(f"marks:answered:{sent[0]}") <= 300


def test_an_answer_stays_for_a_day(sent):
    ask(QUESTION)
    tasks.count_marks(sent[0])
    assert cache.ttl(f"marks:answered:{sent[0]}") > 86_000


def test_without_a_broker_there_is_no_answer_and_no_error(monkeypatch):
    def refuse(*_, **__):
        raise counting.OperationalError("away")

    monkeypatch.setattr(tasks.count_marks, "apply_async", refuse)
    assert ask(QUESTION) is None
