"""Where the site counts marks: in a worker, which nobody waits for in a page.

The blocks run in the sandbox, in a process of its own with limits and no environment. What an
answer owes to the guard of time, it says in `tripped`; a caller records it.

    count(question)   the answer, counted now: for the Reckoning, before the game is locked
    ask(question)     the answer, or None while the worker still counts: for pages

Within `nomic.infrastructure.caching.backend.patient` it waits for the worker a little.
"""

import logging
from time import sleep

from django.core.cache import cache
from django.utils.crypto import salted_hmac
from kombu.exceptions import OperationalError

from aceofspades.rules.marks import ANSWERS, QUESTIONS, Answer, Question, mark
from nomic.celery import app
from nomic.infrastructure.caching.backend import is_patient

logger = logging.getLogger(__name__)

SECONDS = 2.0  # for each program, where what it gives is recorded for good
_DAY = 24 * 60 * 60
_TRIPPED_FOR = 300  # seconds; counted anew after that, since another machine may be quicker
_ASKED_FOR = 60  # seconds after which a question that nobody answered is asked again
_MOMENT = 0.3  # seconds for which a page waits for the broker, at most
_LOOKS_EVERY = 0.02  # seconds
_AT_ONCE = {
    "socket_connect_timeout": _MOMENT,
    "socket_timeout": _MOMENT,
    "connect_retries_timeout": _MOMENT,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
}


def count(question: Question) -> Answer:
    """The answer. What comes to no end has a second chance, with twice the time, so that a busy
    machine costs nobody their worth."""
    answer = mark(question, SECONDS)
    return mark(question, 2 * SECONDS) if answer.tripped else answer


def ask(question: Question) -> Answer | None:
    """The answer if it is in the cache; else the worker is asked for it, once, and None returned.

    What is asked waits in the cache, which keeps answers for a day. The worker's message carries
    only a token made of the question and the site's secret, of which nobody can guess either.
    """
    token = salted_hmac(__name__, question.fingerprint, algorithm="sha256").hexdigest()
    answer = cache.get(_answered(token))
    if answer is not None:
        return ANSWERS.validate_json(answer)
    if cache.add(_asked(token), QUESTIONS.dump_json(question), _ASKED_FOR):
        try:
            with app.connection_for_write(transport_options=_AT_ONCE) as broker:
                count_marks.apply_async(
                    (token,), expires=_ASKED_FOR, retry=False, connection=broker
                )
        except OperationalError:
            logger.warning("The broker takes no questions about marks.")
        answer = cache.get(_answered(token))
    while answer is None and is_patient():
        sleep(_LOOKS_EVERY)
        answer = cache.get(_answered(token))
    return None if answer is None else ANSWERS.validate_json(answer)


@app.task(name="aceofspades.marking.tasks.count_marks")
def count_marks(token: str) -> None:
    """Count in a worker what waits under the token, and put the answer beside it; nothing if none
    waits, so that twice does no harm. A message carries a token, and nothing that is secret.
    """
    waiting = cache.get(_asked(token))
    if waiting is None or cache.get(_answered(token)) is not None:
        return
    answer = mark(QUESTIONS.validate_json(waiting))
    duration = _TRIPPED_FOR if answer.tripped else _DAY
    cache.set(_answered(token), ANSWERS.dump_json(answer), duration)
    cache.delete(_asked(token))


def _asked(token: str) -> str:
    return f"marks:asked:{token}"


def _answered(token: str) -> str:
    return f"marks:answered:{token}"
