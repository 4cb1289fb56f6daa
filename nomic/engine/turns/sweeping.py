"""The sweep: what is due in all games is kept, by turns, so that no game stops the others."""

import logging
from contextlib import suppress
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Q

from nomic.engine.catch_up import Unprepared, catch_up, is_lost, keep_next, note_lost_connection
from nomic.engine.outcomes import Busy
from nomic.engine.shares.locks import has_the_slot, nobody_waits
from nomic.engine.shares.share import over_share
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.shares.holds import goes_on

log = logging.getLogger(__name__)

_MOST_AT_ONCE = 10_000
_LOOKED_AT = 50  # games; no site has as many workers and acts under way


def sweep(*, most: int = _MOST_AT_ONCE, until: datetime | None = None) -> int:
    """Keep due appointments of all games until none is left; returns how many.

    Any number of sweeps may run at once: each passes over games that are locked elsewhere, and
    lets a game rest at which the database failed. Those that are over their share of the workers
    wait behind the others, and one sweep at a time serves them. `until` is a wall moment after
    which no further appointment is begun. Raises OperationalError where the database is gone, and
    where a table stays locked.
    """
    kept = 0
    rested: set[int] = set()
    while kept < most and (until is None or wall_now() < until):
        game, happened = _serve(rested)
        if game is None:
            break
        kept += happened
        if not happened:
            rested.add(game.pk)
    return kept


def _serve(rested: set[int]) -> tuple[Game | None, bool]:
    """Keep one appointment of the game whose turn it is; that game, and whether it happened."""
    game, used, since = None, connection.connection, wall_now()
    try:
        with transaction.atomic(durable=True):
            game = _whose_turn_it_is(rested)
            used = connection.connection
            step = game is not None and keep_next(game)
        if game is not None and isinstance(step, Unprepared):
            with suppress(Busy):
                return game, catch_up(game.pk, most=1) == 1
    except Exception as error:
        if game is None:
            raise
        log.exception("The database failed at the game %s, which rests", game.slug)
        if is_lost(used):
            with suppress(Busy):
                note_lost_connection(game, error, since)
        return game, False
    return game, step is True


def _whose_turn_it_is(rested: set[int]) -> Game | None:
    """The game that is served next, locked: one over its share only where no other is due, and by
    nobody else at the same time."""
    wall = wall_now()
    due = Q(wakes_at__lte=wall, scratch=False, set_aside="")
    due = due & goes_on(wall) & ~Q(pk__in=rested)
    game = _lock_first(due & ~over_share(wall), "wakes_at")
    if game is None:
        game = _lock_first(due & over_share(wall), "busy_until")
        if game is not None and not (has_the_slot() and nobody_waits(game.pk)):
            return None
    return game


def _lock_first(which: Q, order: str) -> Game | None:
    """The first in that order of those games that nobody else has locked, of so many that are
    looked at.

    Which they are is asked without a lock, and each is locked by its key: a database that is spread
    over many nodes by game asks all nodes for the one, and one for the other.
    """
    found = Game.objects.filter(which).order_by(order).values_list("pk", flat=True)
    free = Game.objects.select_for_update(no_key=True, skip_locked=True)
    for pk in found[:_LOOKED_AT]:
        if game := free.filter(which, pk=pk).first():
            return game
    return None
