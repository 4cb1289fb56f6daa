"""The Celery tasks of the operations. A task carries no state."""

from celery import shared_task

from nomic.operations.recalculation.asked import alone, make
from nomic.operations.stamping import stamp_all

_AGAIN_IN = 5  # seconds

stamp_heads = shared_task(name="nomic.operations.tasks.stamp_heads")(stamp_all)


@shared_task(name="nomic.operations.tasks.recalculate")
def recalculate(key: int) -> None:
    """Make the report of a recalculation that was asked for; once made, it stays. Those of other
    games wait meanwhile."""
    with alone() as is_alone:
        if is_alone:
            make(key)
        else:
            recalculate.apply_async((key,), countdown=_AGAIN_IN)
