"""Recalculations that players ask for on a page: made one after the other, elsewhere."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.core.cache import cache
from django.db import transaction

from nomic.games.bounds import RECALCULATIONS, RECALCULATIONS_OF_PLAYER
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.standard.models import Recalculation
from nomic.standard.recalculation.revision import CannotRecalculate, Revision, checked

_GIVEN_UP = timedelta(hours=6)  # after which one that was begun is taken for lost
_PROGRESS = "recalculation {} played"
MOST_KEPT = 50  # of a game
_CALCULATORS: list[Callable[[int], None]] = []


def calculated_by(calculate: Callable[[int], None]) -> None:
    """Let `calculate` be given the key of each recalculation that is asked for, once it stands."""
    _CALCULATORS.append(calculate)


def ask(game: Game, player: Player, revision: Revision) -> Recalculation:
    """Ask for a recalculation; raises CannotRecalculate. A game makes one at a time, and so many a
    day."""
    checked(game, revision)
    now = wall_now()
    today = game.recalculations.filter(asked_at__gt=now - timedelta(days=1))
    for those, bound in (
        (today.filter(by=player), RECALCULATIONS_OF_PLAYER),
        (today, RECALCULATIONS),
    ):
        if those.count() >= bound.count:
            raise CannotRecalculate(
                f"{bound.what} asks for at most {bound.count} {bound.unit} within a day. Ask again"
                " tomorrow, or ask the site's operator for `manage.py recalculate`."
            )
    open_ones = game.recalculations.filter(hash="", refusal="")
    if open_ones.filter(asked_at__gt=now - _GIVEN_UP).exists():
        raise CannotRecalculate(
            "Another recalculation of this game is being made. Ask again when it is done."
        )
    asked = game.recalculations.create(by=player, revision=revision.plain(), asked_at=now)
    kept = game.recalculations.values_list("pk", flat=True)[:MOST_KEPT]
    game.recalculations.exclude(pk__in=list(kept)).delete()
    for calculate in _CALCULATORS:
        transaction.on_commit(partial(calculate, asked.pk))
    return asked


def note_progress(key: int, played: int, of: int) -> None:
    """Note how many of its acts are played, for who waits for it."""
    cache.set(_PROGRESS.format(key), (played, of), _GIVEN_UP.total_seconds())


def progress(asked: Recalculation) -> tuple[int, int] | None:
    """How many acts are played, of how many; None where that is not known."""
    found = cache.get(_PROGRESS.format(asked.pk))
    return (found[0], found[1]) if found else None
