"""Celery's tasks for the pages."""

from celery import shared_task
from django.contrib.sessions.models import Session
from oauth2_provider.models import clear_expired

from nomic.games.clock import wall_now
from nomic.web.accounts.closing import go_on_closing
from nomic.web.accounts.copies import forget_old_copies
from nomic.web.hooks.calls import call_due
from nomic.web.hosting.bringing import forget_old
from nomic.web.newcomers.guests import strike_idle_guests


@shared_task(name="nomic.web.tasks.strike_guests")
def strike_guests() -> int:
    """Let guests who did nothing for a day go; may run late, twice, or on many workers at once."""
    return strike_idle_guests(wall_now())


@shared_task(name="nomic.web.tasks.forget_brought")
def forget_brought() -> int:
    """Forget the rulebooks that were brought hours ago, and the copies of accounts of days ago; may
    run late, twice, or many at once."""
    return forget_old() + forget_old_copies()


@shared_task(name="nomic.web.tasks.call_hooks")
def call_hooks() -> int:
    """Send entries of games to those who have asked for all of them; may run late, twice, or many
    at once."""
    return call_due(wall_now())


@shared_task(name="nomic.web.tasks.close_accounts")
def close_accounts() -> int:
    """Go on with the accounts that are being closed; may run late, twice, or many at once."""
    return go_on_closing()


@shared_task(name="nomic.web.tasks.clear_sessions")
def clear_sessions() -> int:
    """Forget the sessions and what programs were let in by, where they have run out; may run late,
    twice, or many at once."""
    clear_expired()
    return Session.objects.filter(expire_date__lt=wall_now()).delete()[0]
