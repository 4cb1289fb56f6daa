"""Games that are set aside: they rest, whatever is due in them, until somebody lets them go on."""

from django.db import transaction

from nomic.compiled import update
from nomic.engine import watch
from nomic.engine.shares.locks import locked_game


def set_aside(game_pk: int, sentence: str) -> None:
    """Let the game rest for the reason that this sentence says to all who would act in it.

    It takes seconds, whatever the game does. ValueError for an empty sentence; Busy.
    """
    if not sentence:
        raise ValueError("A game is set aside for a reason.")
    _say(game_pk, sentence)


def let_go_on(game_pk: int) -> None:
    """Let a game that was set aside go on: what is due in it happens, each at its own moment.

    It takes seconds, whatever the game does. Raises Busy.
    """
    _say(game_pk, "")


def _say(game_pk: int, sentence: str) -> None:
    with locked_game(pk=game_pk, urgent=True) as game:
        if game is not None and game.set_aside != sentence:
            game.set_aside, game.load = sentence, {}
            update(game, "set_aside", "load")
            transaction.on_commit(lambda: watch.bump_resting(game_pk))
