"""Celery's task for the shares of games, users, tokens and rules."""

from celery import shared_task

from nomic.quotas import holds, usage


@shared_task(name="nomic.quotas.tasks.keep_usage")
def keep_usage() -> None:
    """Keep what was counted since, and tell the processes anew who is held back, where the cache
    has lost it; may run late, twice, or on many workers at once."""
    usage.store()
    holds.publish()
