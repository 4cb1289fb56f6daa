"""What Celery runs. A task carries no state: everything that it needs stands in the database."""

from datetime import timedelta

from celery import shared_task

from nomic.engine import watch
from nomic.engine.catch_up import sweep as keep_all
from nomic.engine.shares.patience import work_out as work_out  # Celery looks for tasks here
from nomic.games.clock import wall_now

_LONGEST_SWEEP = timedelta(seconds=20)


@shared_task(name="nomic.engine.tasks.sweep", ignore_result=True)
def sweep() -> int:
    """Keep what is due in all games; may run late, twice, or on many workers at once.

    A long sweep ends after 20 seconds and leaves the rest to the next, so that the heartbeat
    stays fresh.
    """
    begun = wall_now()
    watch.beat(begun)
    return keep_all(until=begun + _LONGEST_SWEEP)
