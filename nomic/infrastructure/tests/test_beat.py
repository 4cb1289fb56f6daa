"""Beat: one order of a task waits at most, and a broker that is away is a line a minute."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from celery import Celery
from celery.beat import ScheduleEntry
from django.conf import settings

from nomic.celery import app as the_sites
from nomic.infrastructure.beat import Scheduler
from nomic.infrastructure.logs import OnceAMinute


@pytest.fixture
def app() -> Iterator[Celery]:
    app = Celery("orders", broker="memory://", set_as_current=False)
    yield app
    app.close()


def entry(app: Celery, task: str) -> Any:
    return ScheduleEntry(task, task, schedule=1.0, options={"queue": f"beat.{task}"}, app=app)


def test_one_order_of_a_task_waits_at_most_and_the_next_comes_once_it_was_taken(
    app: Celery,
) -> None:
    scheduler = Scheduler(app, lazy=True)
    sweep, send = entry(app, "sweep"), entry(app, "send")
    for _ in range(5):
        for task in (sweep, send):
            scheduler.apply_entry(task)
    channel = scheduler.producer.channel
    queues = ("beat.sweep", "beat.send")
    assert [channel.queue_declare(queue=queue).message_count for queue in queues] == [1, 1]
    assert channel.basic_get("beat.sweep", no_ack=True).headers["task"] == "sweep"
    for _ in range(2):
        scheduler.apply_entry(sweep)
    assert [channel.queue_declare(queue=queue).message_count for queue in queues] == [1, 1]


def test_a_worker_hears_every_queue_of_beats() -> None:
    named = {each["options"]["queue"] for each in settings.CELERY_BEAT_SCHEDULE.values()}
    assert len(named) == len(settings.CELERY_BEAT_SCHEDULE)
    assert named < the_sites.amqp.queues.consume_from.keys()


def record(words: str, at: float, level: int = logging.ERROR) -> logging.LogRecord:
    error = ConnectionError(f"{words}\nand a second line")
    record = logging.LogRecord(
        "celery.beat",
        level,
        "beat.py",
        1,
        "Message Error: %s\n%s",
        (error, ["a stack"]),
        (ConnectionError, error, None),
    )
    record.created = at
    return record


def test_a_broker_that_is_away_is_one_line_a_minute_without_a_traceback() -> None:
    once_a_minute = OnceAMinute()
    moments = (1000.0, 1000.5, 1059.0, 1060.0, 1061.0)
    records = [record(f"refused {moment}", moment) for moment in moments]
    passed = [each for each in records if once_a_minute.filter(each)]
    assert [each.created for each in passed] == [1000.0, 1060.0]
    assert passed[0].getMessage().endswith("that it is time: refused 1000.0")
    assert all(each.exc_info is None for each in passed)
    assert once_a_minute.filter(record("a warning", 1061.0, logging.WARNING))
