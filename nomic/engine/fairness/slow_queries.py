"""Queries of pages that may take long: a few at once in the whole site, each within a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from zlib import crc32

from django.db import OperationalError, transaction
from psycopg.errors import QueryCanceled

from nomic.engine.fairness.locks import is_true, set_timeout

_LEAST = 0.01  # seconds that a query gets, else it is not begun


class Late(Exception):
    """The database takes longer for it than it may."""


@contextmanager
def in_turn(name: str, at_once: int) -> Iterator[bool]:
    """Whether the block is one of so many of that name in the whole site.

    A transaction holds its place, so that it ends with the process that had it.
    """
    take, lock = "SELECT pg_try_advisory_xact_lock(%s, %s)", crc32(name.encode()) - 2**31
    with transaction.atomic():
        yield any(is_true(take, lock, place) for place in range(at_once))


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let no statement of the block take longer. Raises Late where one does; then what the block
    did is undone."""
    if seconds < _LEAST:
        raise Late
    try:
        with transaction.atomic():
            set_timeout("statement_timeout", seconds)
            yield
    except OperationalError as error:
        if isinstance(error.__cause__, QueryCanceled):
            raise Late from error
        raise
