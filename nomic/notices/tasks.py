"""Celery's tasks. None carries state: everything that it needs stands in the database."""

import uuid
from datetime import timedelta

from celery import shared_task
from django.core.cache import cache

from nomic.games.clock import wall_now
from nomic.notices.fan_out import delete_old_notices, spread
from nomic.notices.reminders import remind as look_for_deadlines
from nomic.notices.sending import send as send_what_waits

_LONGEST = timedelta(seconds=15)
_SENDING, _ALONE = "notices:sending", 60  # seconds

remind = shared_task(name="nomic.notices.tasks.remind")(look_for_deadlines)


@shared_task(name="nomic.notices.tasks.send")
def send() -> None:
    """Spread what is in the outbox and send what is due, for 15 seconds at most.

    One process does so at a time, so that slow receivers never keep all of them from the games'
    clocks. After a minute, and where the cache cannot be asked, several do: claims keep them apart.
    """
    mine = uuid.uuid4().hex
    if cache.add(_SENDING, mine, _ALONE) is False:
        return
    try:
        until = wall_now() + _LONGEST
        while spread(wall_now()) and wall_now() < until:
            pass
        send_what_waits(until)
    finally:
        # After a minute the mark may be another's.
        if cache.get(_SENDING) == mine:
            cache.delete(_SENDING)


@shared_task(name="nomic.notices.tasks.tidy")
def tidy() -> None:
    """Let old notices go."""
    delete_old_notices(wall_now())
