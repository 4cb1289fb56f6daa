"""What the sender of an act has to add: what becomes of words that nothing carries out. It is asked
wherever people and programs send acts, and before the act is tried."""

from collections.abc import Callable, Mapping
from typing import Any

from nomic.engine.table import Table, glance
from nomic.games.models import Game
from nomic.games.refusal import Refusal

type Ask = Callable[[Table, Mapping[str, Any]], Refusal | None]

_ASKED: dict[str, Ask] = {}


def ask_first(*actions: str) -> Callable[[Ask], Ask]:
    """Let the function say what is missing of the inputs of these actions, if anything is. They are
    as they were sent, and may have any shape."""

    def register(ask: Ask) -> Ask:
        _ASKED.update(dict.fromkeys(actions, ask))
        return ask

    return register


def unanswered(slug: str, action: str, inputs: Mapping[str, Any]) -> Refusal | None:
    """What is missing of the inputs of that act in the game, if anything is; None also where there
    is no such game."""
    ask = _ASKED.get(action)
    game = Game.objects.filter(slug=slug).first() if ask else None
    return ask(glance(game), inputs) if ask and game else None
