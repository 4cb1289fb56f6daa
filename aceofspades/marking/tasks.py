"""What Celery runs for the Ace of Spades. A task carries a token, and nothing that is secret."""

from aceofspades.marking.counting import answer
from nomic.celery import app


@app.task(name="aceofspades.marking.tasks.count_marks", ignore_result=True)
def count_marks(token: str) -> None:
    """Count the marks that were asked for; twice does no harm."""
    answer(token)
