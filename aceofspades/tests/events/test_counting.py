"""Where the site counts: in a worker, asked for by a token that tells nothing."""

import logging
import re

import pytest
from celery import current_app
from django.core.cache import cache

from aceofspades.rules.marks import Answer, MarkingProgram, Question, mark
from aceofspades.state import counting
from aceofspades.state.counting import ask, count
from nomic.infrastructure.caching.backend import patient
from tests.kit import figure

HANDS = {"Goethe": {"Red": 2, "Black": 1}, "Steve": {"Red": 0, "Black": 3}}


def program(number: int, body: str) -> MarkingProgram:
    return MarkingProgram(number, f"def mark(hands, worth, alliances):\n    {body}\n")


REDS = program(310, "return {n: worth[n] + h['Red'] for n, h in hands.items()}")
FAILING = program(320, "return 1 // 0")
QUESTION = Question(HANDS, (("Goethe", "Steve"),), (REDS,), {"Steve": 0.5})


def test_it_is_counted_as_the_marks_are():
    assert count(QUESTION) == mark(QUESTION) == Answer({"Goethe": 2.0, "Steve": 0.5})


def test_errors_are_told():
    question = Question(HANDS, (), (REDS, FAILING))
    assert count(question) == mark(question)
    assert count(question).errors.keys() == {320}


def test_what_comes_to_no_end_has_a_second_chance_and_is_recorded(monkeypatch):
    given = []

    def keep(question: Question, seconds: float) -> Answer:
        given.append(seconds)
        return mark(question, seconds)

    monkeypatch.setattr(counting, "SECONDS", 0.05)
    monkeypatch.setattr(counting, "mark", keep)
    endless = program(310, "while True: pass")
    answer = count(Question(HANDS, (), (endless, FAILING)))
    assert given == [0.05, 0.1]
    assert answer.worths == {"Goethe": 0.0, "Steve": 0.0}
    assert answer.tripped == (310,)
    assert answer.errors[310] == "It takes longer than 0.1 s."


# What pages ask


@pytest.fixture
def sent(monkeypatch):
    """What the broker is given, instead of giving it."""
    messages: list[str] = []

    def keep(arguments, **_):
        messages.extend(arguments)

    monkeypatch.setattr(counting.count_marks, "apply_async", keep)
    return messages


def test_a_page_gets_no_answer_before_the_worker_has_counted(sent):
    assert ask(QUESTION) is None
    counting.count_marks(sent[0])
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
    assert re.fullmatch("[0-9a-f]{64}", token)
    assert token != QUESTION.fingerprint
    while_asked = cache.keys("*")
    counting.count_marks(token)
    assert (while_asked, cache.keys("*")) == ([f"marks:asked:{token}"], [f"marks:answered:{token}"])
    secrets = re.compile(rf"Goethe|Red|{figure(310)}|{QUESTION.fingerprint}")
    # By itself the token has any three digits in one of some sixty secret keys.
    assert [line for line in caplog.messages if secrets.search(line.replace(token, ""))] == []


def test_the_token_of_a_question_follows_from_the_sites_secret(sent, settings):
    ask(QUESTION)
    cache.clear()
    ask(QUESTION)
    settings.SECRET_KEY = "another site's"
    ask(QUESTION)
    here, again, elsewhere = sent
    assert here == again != elsewhere


def test_a_token_of_which_nothing_waits_counts_nothing(monkeypatch, sent):
    monkeypatch.setattr(counting, "mark", None)
    counting.count_marks("0" * 64)
    assert cache.keys("*") == []


def test_an_answer_of_the_safety_net_is_asked_for_again_soon(monkeypatch, sent):
    monkeypatch.setattr(counting, "mark", lambda question: Answer({}, {}, (310,)))
    ask(QUESTION)
    counting.count_marks(sent[0])
    assert 0 < cache.ttl(f"marks:answered:{sent[0]}") <= 300


def test_an_answer_stays_for_a_day(sent):
    ask(QUESTION)
    counting.count_marks(sent[0])
    assert cache.ttl(f"marks:answered:{sent[0]}") > 86_000


def test_without_a_broker_there_is_no_answer_and_no_error(monkeypatch):
    def refuse(*_, **__):
        raise counting.OperationalError("away")

    monkeypatch.setattr(counting.count_marks, "apply_async", refuse)
    assert ask(QUESTION) is None


def test_a_program_that_reads_once_is_answered_with_what_the_worker_counts_meanwhile(
    monkeypatch, sent
):
    monkeypatch.setattr(counting, "sleep", lambda _: counting.count_marks(sent[0]))
    with patient(5):
        assert ask(QUESTION) == mark(QUESTION)


def test_it_waits_no_longer_than_it_is_told(monkeypatch, sent):
    seconds = iter(range(10))
    monkeypatch.setattr("nomic.infrastructure.caching.backend.monotonic", lambda: next(seconds))
    monkeypatch.setattr(counting, "sleep", lambda _: None)
    with patient(2):
        assert ask(QUESTION) is None
    assert next(seconds) == 3
