"""The secret of a game from which the seeds of all its dice are made."""

from functools import lru_cache

from nomic.dice.models import Master
from nomic.games.models import Game
from nomic.infrastructure.database.compiled_queries import CompiledValues

_KEYS = CompiledValues(lambda: Master.objects.values_list("key"))


def master_of(game: Game) -> bytes:
    """It, as the database has it; raises Master.DoesNotExist."""
    (key,) = _KEYS.get(game=game.pk)
    return bytes(key)


@lru_cache(maxsize=1000)
def known_master_of(pk: int, identity: str) -> bytes:
    """That of the game with this key, asked for once in a process: it never changes. The identity
    tells a game from another one that had its key in a transaction that was undone."""
    (key,) = _KEYS.get(game=pk)
    return bytes(key)
