"""The secret of a game from which the seeds of all its dice are made."""

from functools import lru_cache

from nomic.compiled import CompiledValues
from nomic.dice.models import Master
from nomic.games.models import Game

_KEYS = CompiledValues(lambda: Master.objects.values_list("key"))


def master_of(game: Game) -> bytes:
    """It, as the database has it; raises Master.DoesNotExist."""
    (key,) = _KEYS.get(game=game.pk)
    return bytes(key)


def known_master_of(game: Game) -> bytes:
    """The same, asked for once in a process: it never changes. The identity tells a game from
    another one that had its number in a transaction that was undone."""
    return _known(game.pk, game.identity)


@lru_cache(maxsize=1000)
def _known(pk: int, identity: str) -> bytes:
    (key,) = _KEYS.get(game=pk)
    return bytes(key)
