"""Where the site counts marks: in a process of its own, which nobody waits for in a page.

A block is bounded by its steps and sizes (`starlark/budgets.py`), and this is the net below:
a child with limits of memory and CPU time, without the site's environment, is ended when its
time is up. What an answer owes to the net, it says in `tripped`; a caller records it.

    count(question)   the answer, counted now: for the Reckoning, before the game is locked
    ask(question)     the answer, or None while the worker still counts: for pages
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.utils.crypto import salted_hmac
from kombu.exceptions import OperationalError

from aceofspades.rules.marks import Answer, Question
from nomic.celery import app

logger = logging.getLogger(__name__)

SECONDS = 20.0  # of wall time for one question
_GRACE = 2.0  # seconds after which a child that does not heed its time is killed
_DAY = 24 * 60 * 60
_TRIPPED_FOR = 300  # seconds; counted anew after that, since another machine may be quicker
_ASKED_FOR = 60  # seconds after which a question that nobody answered is asked again
_MOMENT = 0.3  # seconds for which a page waits for the broker, at most
_AT_ONCE = {
    "socket_connect_timeout": _MOMENT,
    "socket_timeout": _MOMENT,
    "connect_retries_timeout": _MOMENT,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
}
_ROOT = Path(__file__).resolve().parents[2]


def count(question: Question, seconds: float = SECONDS) -> Answer:
    """The answer, counted by a child process within so many seconds of wall time.

    Where the child is ended before it is through, all worths are 0, and `tripped` has the numbers
    of the programs that were not through. Asks neither database nor cache.
    """
    command = [sys.executable, "-m", "aceofspades.counter", str(seconds)]
    process = subprocess.Popen(
        command,
        cwd=_ROOT,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what the interpreter complains of there quotes blocks
    )
    with process:
        try:
            said, _ = process.communicate(question.as_json().encode(), seconds + _GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
    if process.returncode:
        logger.warning("A counting of marks ended with code %d.", process.returncode)
    return _answer(question, said.decode())


def _answer(question: Question, said: str) -> Answer:
    """What the child said: a line for each program that is through, then the answer's."""
    errors: dict[int, str] = {}
    through = set()
    for line in said.splitlines():
        kind, told = _line(line)
        if kind == "answer":
            return Answer.from_json(json.dumps(told))
        if kind == "through":
            number, why = told
            through.add(number)
            if why:
                errors[number] = why
    tripped = sorted({each.number for each in question.programs} - through)
    for number in tripped:
        errors[number] = "The site's time or memory for it was up."
    return Answer(dict.fromkeys(question.hands, 0.0), errors, tuple(tripped))


def _line(line: str) -> tuple[str, Any]:
    """The kind of a line and what it tells; of a line that was cut off, nothing."""
    try:
        kind, told = json.loads(line)
    except ValueError:
        return "", None
    return kind, told


def ask(question: Question) -> Answer | None:
    """The answer if it is in the cache; else the worker is asked for it, once, and None returned.

    What is asked waits in the cache, which keeps answers for a day. The worker's message carries
    only a token made of the question and the site's secret, of which nobody can guess either.
    """
    from aceofspades.marking.tasks import count_marks  # which imports this file

    token = salted_hmac(__name__, question.fingerprint, algorithm="sha256").hexdigest()
    found = cache.get(_answered(token))
    if found is not None:
        return Answer.from_json(found)
    if cache.add(_asked(token), question.as_json(), _ASKED_FOR):
        try:
            with app.connection_for_write(transport_options=_AT_ONCE) as broker:
                count_marks.apply_async(
                    (token,), expires=_ASKED_FOR, retry=False, connection=broker
                )
        except OperationalError:
            logger.warning("The broker takes no questions about marks.")
        found = cache.get(_answered(token))
    return None if found is None else Answer.from_json(found)


def answer(token: str) -> None:
    """Count what waits under the token, and put the answer beside it; nothing if none waits."""
    waiting = cache.get(_asked(token))
    if waiting is None or cache.get(_answered(token)) is not None:
        return
    found = count(Question.from_json(waiting))
    cache.set(_answered(token), found.as_json(), _TRIPPED_FOR if found.tripped else _DAY)
    cache.delete(_asked(token))


def _asked(token: str) -> str:
    return f"marks:asked:{token}"


def _answered(token: str) -> str:
    return f"marks:answered:{token}"
