"""Removing a game whole: what a demonstration that has grown old leaves behind is nothing."""

from functools import cache

import pgtrigger
from django.apps import apps
from django.db import connection

from nomic.engine.outcomes import UnknownGame
from nomic.engine.shares.locks import locked_game
from nomic.games.models import Game, Pace, way_to_the_game


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
    named = [each for each in apps.get_models() if any(f.name == "game" for f in each._meta.fields)]
    ways = [(way_to_the_game(model), model) for model in named]
    ways.sort(key=lambda found: -found[0].count("__"))
    ways.append(("pk", Game))
    statements = []
    for path, model in ways:
        rows = model._base_manager.filter(**{path: 0}).order_by().values("pk")
        which, _ = rows.query.sql_with_params()
        table, key = model._meta.db_table, model._meta.pk.column
        statements.append(f'DELETE FROM "{table}" WHERE "{key}" IN ({which})')  # noqa: S608
    return statements
