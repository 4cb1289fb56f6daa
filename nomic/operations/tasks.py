"""What Celery runs of the operations. A task carries no state."""

from celery import shared_task

from nomic.operations.bots import move_all
from nomic.operations.demonstration.living import look_after
from nomic.operations.recalculation.asked import make


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
    """Make the report of a recalculation that was asked for; once made, it stays."""
    make(key)
