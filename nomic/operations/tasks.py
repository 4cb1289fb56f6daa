"""What Celery runs of the operations. A task carries no state."""

from celery import shared_task

from nomic.operations.bots import move_all
from nomic.operations.demonstration.living import look_after
from nomic.operations.recalculation.asked import alone, make
from nomic.operations.stamping import stamp_all

_AGAIN_IN = 5  # seconds


_NAME = "nomic.operations.tasks."

move_bots = shared_task(name=f"{_NAME}move_bots", ignore_result=True)(move_all)
look_after_demonstration = shared_task(name=f"{_NAME}look_after_demonstration", ignore_result=True)(
    look_after
)
stamp_heads = shared_task(name=f"{_NAME}stamp_heads", ignore_result=True)(stamp_all)


@shared_task(name="nomic.operations.tasks.recalculate", ignore_result=True)
def recalculate(key: int) -> None:
    """Make the report of a recalculation that was asked for; once made, it stays. Those of other
    games wait meanwhile."""
    with alone() as is_alone:
        if is_alone:
            make(key)
        else:
            recalculate.apply_async((key,), countdown=_AGAIN_IN)
