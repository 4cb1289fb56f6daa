"""Tasks of Celery. A task carries no state: everything that it needs stands in the database."""

from datetime import timedelta

from celery import shared_task

from nomic.engine import watch
from nomic.engine.catch_up import sweep as keep_all
from nomic.engine.fairness.background_work import (
    work_out as work_out,  # Celery looks for tasks here
)
from nomic.engine.restored import keep_heads as keep_all_heads
from nomic.games.bounds import SWEEP_SECONDS
from nomic.games.clock import wall_now

keep_heads = shared_task(name="nomic.engine.tasks.keep_heads")(keep_all_heads)


@shared_task(name="nomic.engine.tasks.sweep")
def sweep() -> int:
    """Keep what is due in all games; may run late, twice, or on many workers at once.

    A long sweep ends after some seconds and leaves the rest to the next, so that the heartbeat
    stays fresh and what else there is to do gets its turn.
    """
    begun = wall_now()
    watch.beat(begun)
    return keep_all(deadline=begun + timedelta(seconds=SWEEP_SECONDS.most))
