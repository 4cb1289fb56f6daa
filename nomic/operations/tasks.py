"""What Celery runs of the operations. A task carries no state."""

from celery import shared_task

from nomic.operations.bots import move_all
from nomic.operations.demonstration.living import look_after
from nomic.operations.recalculation.asked import alone, make
from nomic.operations.stamping import stamp_all

_AGAIN_IN = 5  # seconds


@shared_task(name="nomic.operations.tasks.move_bots", ignore_result=True)
def move_bots() -> int:
    """Let the practice players of all games move whose turn it is."""
    return move_all()


@shared_task(name="nomic.operations.tasks.look_after_demonstration", ignore_result=True)
def look_after_demonstration() -> None:
    """Let the demonstration rest, wake or begin anew."""
    look_after()


@shared_task(name="nomic.operations.tasks.recalculate", ignore_result=True)
def recalculate(key: int) -> None:
    """Make the report of a recalculation that was asked for; once made, it stays. Those of other
    games wait meanwhile."""
    with alone() as is_alone:
        if is_alone:
            make(key)
        else:
            recalculate.apply_async((key,), countdown=_AGAIN_IN)


@shared_task(name="nomic.operations.tasks.stamp_heads", ignore_result=True)
def stamp_heads() -> None:
    """Have the heads of games stamped whose time has come, where a service is named."""
    stamp_all()
