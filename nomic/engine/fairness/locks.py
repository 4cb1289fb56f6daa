"""The lock of a game: its row, which everything that changes the game holds; and who gives way."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import BooleanField, F, Func, IntegerField, Value
from django.db.models.functions import Cast, Mod
from psycopg.errors import LockNotAvailable

from nomic.engine.outcomes import Busy
from nomic.games.models import Game
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.quotas import usage

_URGENT = 8  # seconds, the longest that who cannot wait waits for a game's lock
_SLOT = 0x4E6F6D69634C61  # of this database: whoever serves a game over its share holds it
_WAITING = 0x4E6F6D  # with a game: what is urgent in it holds it before it has the game's lock
_QUEUE = 0x4E6F6E  # with a game: who waits for its lock holds it, or waits for it
_A_LOOK = 0.1  # seconds for which whoever waits for the lock waits anyhow
_EACH = 0.1  # seconds after which it is looked again who waits


class _InTurn(Func):
    """True, as soon as this transaction is the first of those who wait for the row.

    PostgreSQL gives a row that is free to whoever asks first, and counts `lock_timeout` anew each
    time that another was faster; its advisory locks it gives in order. It costs more than the other
    conditions of a query, and so is asked of the row alone that they leave.
    """

    template = "(pg_advisory_xact_lock(%(expressions)s) IS NOT NULL)"
    output_field = BooleanField()
    conditional = True


_SHORT_PK = Cast(Mod(F("pk"), Value(2**31)), IntegerField())
_TO_LOCK = CompiledQuery(
    lambda: (
        Game.objects.select_for_update(no_key=True)
        .filter(_InTurn(Value(_QUEUE), _SHORT_PK))
        .order_by()
    )
)


@contextmanager
def locked_game(
    *, urgent: bool = False, wait: float | None = None, **values: Any
) -> Iterator[Game | None]:
    """One durable transaction that holds the lock of the game with these values of its fields; None
    where there is none.

    Raises Busy where the lock cannot be had within the connection's `lock_timeout`, or so many
    seconds; what is `urgent` waits for up to eight seconds.
    """
    with _or_busy(), usage.together(), transaction.atomic(durable=True):
        if wait is not None:
            set_timeout("lock_timeout", wait)
        if urgent:
            pk = Game.objects.filter(**values).values_list("pk", flat=True).first()
            set_timeout("lock_timeout", _URGENT)
            if pk is not None:  # those who keep one thing after the other in that game make way
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_WAITING, _short(pk)])
        yield _TO_LOCK.first(**values)


def set_timeout(name: str, seconds: float) -> None:
    """Give this transaction that setting of PostgreSQL's, such as `lock_timeout`."""
    with connection.cursor() as cursor:
        longest = f"{round(seconds * 1000)}ms"
        cursor.execute("SELECT set_config(%s, %s, true)", [name, longest])


def let_pass(game_pk: int) -> None:
    """Wait, without the game's lock, until nothing urgent is waiting for it. Raises Busy."""
    with _or_busy(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s, %s)", [_WAITING, _short(game_pk)])


@contextmanager
def _or_busy() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Busy from error
        raise


def nobody_waits(game_pk: int) -> bool:
    """Whether nothing urgent waits for that game; until the transaction ends, what comes waits."""
    return is_true("SELECT pg_try_advisory_xact_lock_shared(%s, %s)", _WAITING, _short(game_pk))


def is_waited_for() -> bool:
    """Whether somebody waits for a row that this transaction has, its game's above all, or for its
    turn at it."""
    # pg_blocking_pids answers for one connection that waits: it would be asked for each of the
    # server's, and stops all locking for a moment each time.
    return is_true(
        "SELECT EXISTS (SELECT FROM pg_locks own JOIN pg_locks other"
        " ON own.transactionid = other.transactionid"
        " OR (own.database, own.classid, own.objid, own.objsubid)"
        " = (other.database, other.classid, other.objid, other.objsubid)"
        " WHERE own.pid = pg_backend_pid() AND own.granted AND NOT other.granted)"
    )


def has_the_slot() -> bool:
    """Whether this transaction is, until it ends, the one that serves a game over its share."""
    return is_true("SELECT pg_try_advisory_xact_lock(%s)", _SLOT)


def is_true(sql: str, *numbers: int) -> bool:
    """The truth of the one value that this query has."""
    with connection.cursor() as cursor:
        cursor.execute(sql, numbers)
        (answer,) = cursor.fetchone()
    return bool(answer)


def _short(game_pk: int) -> int:
    """The key as the database takes two of them; two games that share one wait for each other."""
    return game_pk % 2**31


# Giving way: what changes nothing keeps the lock from nobody for longer than a look takes


class GaveWay(Busy):
    """Raised where something imagined ended early, since somebody else waited for the game."""


class TookTooLong(Busy):
    """Raised where something imagined took longer than the game can be kept from everybody else."""

    def __init__(self) -> None:
        super().__init__("What this would do takes too long to work out for a page.")


class Stay:
    """With the lock of a game, for what is undone: until `time.monotonic` has gone on to `until`,
    or somebody waits for the lock, who may come after a look's time."""

    def __init__(self, until: float) -> None:
        self.until = until
        self._again = math.inf
        self._is_waited_for = False

    def begin(self) -> None:
        """The lock is had from now on."""
        self._again = time.monotonic() + _A_LOOK

    def is_over(self) -> bool:
        """Whether it ends here, if what has been done is of any use already."""
        now = time.monotonic()
        if now >= self._again and not self._is_waited_for:
            self._is_waited_for, self._again = is_waited_for(), now + _EACH
        return self._is_waited_for or now >= self.until

    def go_on(self) -> None:
        """Raise GaveWay or TookTooLong where it ends here, of use or not."""
        if self.is_over():
            raise GaveWay if self._is_waited_for else TookTooLong
