"""The lock of a game: its row, which everything that changes the game holds."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from nomic.compiled import CompiledQuery
from nomic.engine.outcomes import Busy
from nomic.games.models import Game

_URGENT = "8s"  # the longest that who cannot wait waits for a game's lock
_TO_LOCK = CompiledQuery(lambda: Game.objects.select_for_update(no_key=True).order_by())


@contextmanager
def locked_game(*, urgent: bool = False, **values: Any) -> Iterator[Game | None]:
    """One durable transaction that holds the lock of the game with these values of its fields; None
    where there is none.

    Raises Busy where the lock cannot be had within the connection's `lock_timeout`; what is
    `urgent` waits for up to eight seconds.
    """
    try:
        with transaction.atomic(durable=True):
            if urgent:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('lock_timeout', %s, true)", [_URGENT])
            yield _TO_LOCK.first(**values)
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Busy from error
        raise
