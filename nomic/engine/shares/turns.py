"""Queries of pages that may take long: a few at once in the whole site, each within a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from zlib import crc32

from django.db import OperationalError, connection, transaction
from psycopg.errors import QueryCanceled

_LEAST = 0.01  # seconds


class Late(Exception):
    """The database takes longer for it than it may."""


@contextmanager
def in_turn(name: str, at_once: int) -> Iterator[bool]:
    """Whether the block is one of so many of that name in the whole site.

    A transaction holds its place, so that it ends with the process that had it.
    """
    with transaction.atomic():
        yield any(_takes(name, place) for place in range(at_once))


def _takes(name: str, place: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock(%s, %s)", [crc32(name.encode()) - 2**31, place]
        )
        (taken,) = cursor.fetchone()
    return bool(taken)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let no statement of the block take longer. Raises Late where one does; then what the block
    did is undone."""
    if seconds < _LEAST:
        raise Late
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                longest = f"{round(seconds * 1000)}ms"
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [longest])
            yield
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise Late from error
        raise
