"""What Celery runs of the operations. A task carries no state."""

from celery import shared_task

from nomic.operations.bots import move_all
from nomic.operations.demonstration.living import look_after


@shared_task(name="nomic.operations.tasks.move_bots", ignore_result=True)
def move_bots() -> int:
    """Let the practice players of all games move whose turn it is."""
    return move_all()


@shared_task(name="nomic.operations.tasks.look_after_demonstration", ignore_result=True)
def look_after_demonstration() -> None:
    """Let the demonstration rest, wake or begin anew."""
    look_after()
