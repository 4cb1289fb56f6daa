"""A part of an action or event that may fail by itself, and is then undone by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DataError, IntegrityError, InternalError, transaction


class Impossible(Exception):
    """The database does not take what was attempted."""


@contextmanager
def attempt() -> Iterator[None]:
    """What the block does is undone where the database refuses it; raises Impossible then.

    What is read from rows into memory in the block is for the caller to forget.
    """
    try:
        with transaction.atomic():
            yield
    except (DataError, IntegrityError, InternalError) as error:
        raise Impossible from error
