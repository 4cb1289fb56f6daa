"""Reading a game that goes on meanwhile: everything as it was at one instant."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from nomic.games.models import Game


@contextmanager
def snapshot(game: Game, *, read_only: bool = True) -> Iterator[Game]:
    """One transaction in which all queries see the database of one instant, and the game in it.

    Within another transaction it is that one's instant which they see, as far as it has one.
    """
    is_ours = not connection.in_atomic_block
    with transaction.atomic():
        if is_ours:
            mode = ", READ ONLY" if read_only else ""
            with connection.cursor() as cursor:
                cursor.execute(f"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ{mode}")
        yield Game.objects.get(pk=game.pk)
