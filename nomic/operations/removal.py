"""Removing a game whole: what a demonstration that has grown old leaves behind is nothing."""

from functools import cache

import pgtrigger
from django.apps import apps
from django.db import connection
from django.db.models import Model

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
        gone = sum(_delete(model, path, locked) for model, path in _belongings())
        gone += _delete(Game, "pk", locked)
        _ignore([])
        return gone


def _ignore(names: list[str]) -> None:
    """Let the triggers of these names guard nothing within this transaction.

    What pgtrigger has for it sends two statements at once, which server-side binding refuses.
    """
    with connection.cursor() as cursor:
        listed = f"{{{','.join(names)}}}"
        cursor.execute("SELECT set_config('pgtrigger.ignore', %s, true)", [listed])


def _delete(model: type[Model], path: str, game: Game) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_deletion(model, path), [game.pk])
        return int(cursor.rowcount)


@cache
def _deletion(model: type[Model], path: str) -> str:
    """The statement by which all rows of that model go that a game has."""
    rows = model._base_manager.filter(**{path: 0}).order_by().values("pk")
    which, _ = rows.query.sql_with_params()
    table, key = model._meta.db_table, model._meta.pk.column
    return f'DELETE FROM "{table}" WHERE "{key}" IN ({which})'  # noqa: S608


@cache
def _belongings() -> list[tuple[type[Model], str]]:
    """Each model whose rows name their game, with the way by which they are found; what hangs on
    others before these."""
    named = [each for each in apps.get_models() if any(f.name == "game" for f in each._meta.fields)]
    ways = [(model, way_to_the_game(model)) for model in named]
    return sorted(ways, key=lambda found: -found[1].count("__"))
