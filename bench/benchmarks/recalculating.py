"""Recalculating a game's past: processor time for a thousand entries, at records of each length.

An act of the game's first week is struck, so that all of the past is judged anew. The time is this
process's and its database connection's: what else the machine does meets it least.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.db import connection

from bench import cast
from bench.figures import Figure
from bench.size import Size
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.recalculation.revision import Revision
from nomic.operations.recalculation.report import recalculate
from nomic.operations.replay import replay
from nomic.operations.setup import advance, seat_practice_players
from nomic.quotas import disk

NAME = "recalculating"
PLAYERS = 12
_ACT = "horses.gain_dollaries"
_TARGET = 1.5  # of a short record's time for an entry


def measure(size: Size) -> list[Figure]:
    """At each length of the record, seconds for a thousand entries; against the shortest."""
    game = cast.races("recalculating")
    seat_practice_players(game.slug, PLAYERS)
    figures: list[Figure] = []
    for entries in size.recalculated:
        lengthen(game, entries)
        took = _a_thousand(game)
        shortest = figures[0].ours if figures else None
        case = f"a thousand entries of {game.last_entry:,}"
        bound = _TARGET if shortest else None
        figures.append(Figure(NAME, case, "s", took, shortest, at_most=bound))
    again = spent(lambda: replay(game)) * 1000 / game.last_entry
    return [*figures, Figure(NAME, "the same, against a replay", "s", figures[-1].ours, again)]


def lengthen(game: Game, entries: int) -> None:
    """Play weeks in which each player gains dollaries until the record is so long. Years of them
    go by in minutes, so no share of the disk is asked for."""
    players = list(game.players.order_by("pk"))
    game.refresh_from_db()
    with disk.exempt():
        while game.last_entry < entries:
            for player in players:
                take(game.slug, player, _ACT)
            game.refresh_from_db()
            advance(game.slug, (game.last_at or cast.SUNDAY) + timedelta(weeks=1))
            game.refresh_from_db()


def _a_thousand(game: Game) -> float:
    first = game.entries.filter(name=_ACT).earliest("seq")
    took = spent(lambda: recalculate(game, Revision("strike", first.seq)))
    return took * 1000 / game.last_entry


def spent(work: Callable[[], object]) -> float:
    """Seconds of processor time that it takes here and in the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    since = time.process_time() + _used_by(backend)
    work()
    return time.process_time() + _used_by(backend) - since


def _used_by(process: int) -> float:
    facts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")
