"""Scratch games: played for a while, seen by nobody else, and gone at the end.

Their acts are committed some at a time. A row that changes with each act, as the game's own does,
would else be found behind all that it has been, and the time of an act grow with their number:
PostgreSQL clears away no version of a row before the transaction that replaced it has ended.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import pgtrigger
from django.apps import apps
from django.db import connection, transaction

from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import UnknownGame
from nomic.games.models import Game, Pace, way_to_the_game

type Progress = Callable[[int, int], None]
AT_ONCE = 20  # acts between two commits
_SCRATCH = 0x4E6F6F  # with a slug: whoever plays that scratch game holds it


def no_progress(played: int, of: int) -> None:
    """Ignore how many acts are played, of how many: nobody waits."""


@contextmanager
def scratch_game(purpose: str) -> Iterator[str]:
    """The slug of a scratch game that is to be made in the block. At its end the game is removed,
    unless it is no scratch game any more; and so is what a process that was ended has left.

    Within another transaction nobody sees it, and it is rolled back.
    """
    slug = f"{purpose}-{secrets.token_hex(8)}"
    if connection.in_atomic_block:
        with transaction.atomic():
            yield slug
            transaction.set_rollback(Game.objects.filter(slug=slug).exists())
        return
    abandoned = Game.objects.filter(scratch=True)
    for game in abandoned.order_by("pk"):
        with holding(_SCRATCH, game.slug) as nobody_plays_it:
            # What was imported meanwhile is no scratch game any more.
            if nobody_plays_it and abandoned.filter(pk=game.pk).exists():
                remove_game(game)
    with holding(_SCRATCH, slug):
        try:
            yield slug
        finally:
            for game in Game.objects.filter(slug=slug, scratch=True):
                remove_game(game)


@contextmanager
def holding(number: int, name: str = "") -> Iterator[bool]:
    """Whether nobody else has this lock of the database, which is held as long as this lasts.

    A transaction on a connection of its own holds it: a pooler leaves it that connection, and it
    ends with the process.
    """
    session = connection.copy()
    try:
        session.set_autocommit(False)
        with session.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, hashtext(%s))", [number, name])
            (is_held,) = cursor.fetchone()
            # The portal of the last query keeps its snapshot, and no row that was replaced since
            # then is cleared away: a statement that needs none takes its place.
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield is_held
    finally:
        session.close()


@contextmanager
def in_haste() -> Iterator[None]:
    """A transaction whose commit waits for no disk: nothing is lost with a scratch game. It is said
    for this one alone, since a pooler gives the connection to somebody else after it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = off")
        yield


class NotRemoved(ValueError):
    """The game is not removed; the sentence says why."""


def remove_game(game: Game) -> int:
    """Remove a practice game with everything that belongs to it; returns how many rows that was.

    What the database keeps for good, it keeps for as long as there is the game: the guards of its
    tables are lifted for this one transaction. Raises NotRemoved for a game at real pace, unless it
    is a scratch one, Busy, UnknownGame.
    """
    with locked_game(pk=game.pk) as locked:
        if locked is None:
            raise UnknownGame(f"There is no game “{game.slug}” any more.")
        if locked.pace == Pace.REAL and not locked.scratch:
            raise NotRemoved(f"“{locked.slug}” goes at real pace: its record is kept for good.")
        _ignore([trigger.get_pgid(model) for model, trigger in pgtrigger.registered()])
        gone = 0
        with connection.cursor() as cursor:
            for deletion in _deletions():
                cursor.execute(deletion, [locked.pk])
                gone += cursor.rowcount
        _ignore([])
        return gone


def _ignore(names: list[str]) -> None:
    """Let the triggers of these names guard nothing within this transaction.

    What pgtrigger has for it sends two statements at once, which server-side binding refuses.
    """
    with connection.cursor() as cursor:
        listed = f"{{{','.join(names)}}}"
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", [listed])


@cache
def _deletions() -> list[str]:
    """The statements by which all rows go that a game has, by the models that name their game; what
    hangs on others goes before these."""
    named = [
        model for model in apps.get_models() if any(f.name == "game" for f in model._meta.fields)
    ]
    ways = [(way_to_the_game(model), model) for model in named]
    ways.sort(key=lambda way: -way[0].count("__"))
    ways.append(("pk", Game))
    statements = []
    for path, model in ways:
        rows = model._base_manager.filter(**{path: 0}).order_by().values("pk")
        which, _ = rows.query.sql_with_params()  # the 0 stands for the game's key
        table, key = model._meta.db_table, model._meta.pk.column
        statements.append(f'DELETE FROM "{table}" WHERE "{key}" IN ({which})')  # noqa: S608 - our own names
    return statements
