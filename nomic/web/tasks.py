"""Celery's tasks for the pages."""

from celery import shared_task

from nomic.games.clock import wall_now
from nomic.web.hosting.bringing import forget_old
from nomic.web.newcomers.guests import strike_idle_guests


@shared_task(name="nomic.web.tasks.strike_guests")
def strike_guests() -> int:
    """Let guests who did nothing for a day go; may run late, twice, or on many workers at once."""
    return strike_idle_guests(wall_now())


@shared_task(name="nomic.web.tasks.forget_brought")
def forget_brought() -> int:
    """Forget the rulebooks that were brought hours ago; may run late, twice, or many at once."""
    return forget_old()
