"""Practice players at play: whose turn it is, and what they do, through `take` like anybody."""

import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from random import Random

from django.core.cache import cache
from django.db.models import Exists, OuterRef, QuerySet

from nomic.engine import watch
from nomic.engine.actions import find_action, legality
from nomic.engine.catch_up import catch_up
from nomic.engine.outcomes import Busy, Malformed, Receipt, Refused, UnknownAction
from nomic.engine.subgames import in_play
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.engine.turns.requests import patience
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Player
from nomic.rulebook.tables import TableBroken
from nomic.simulation.bots import Act, bots_for
from nomic.simulation.small_talk import talk
from nomic.standard.bots import bots_of

AWAKE_FOR = timedelta(minutes=30)
"""So long after somebody has looked at a game its practice players go on."""
_MOVES_A_WEEK = 50  # of all practice players of a game, in a week of its time
_BETWEEN = (timedelta(seconds=4), timedelta(hours=6))  # of wall time: the shortest and the longest
_WEEK = timedelta(days=7)
_DUTIFUL = 0.25  # how often they look first at what changes the rules: votes end
_TRIES = 12  # of one player in one subgame
_ASKED = 3  # players who are asked for a move at one moment
_IDLE = timedelta(seconds=20)  # of wall time, where time stands still

log = logging.getLogger(__name__)


def games_with_bots() -> QuerySet[Game]:
    """The games in which practice players have seats."""
    seats = Player.objects.filter(game=OuterRef("pk"), bot=True, active=True)
    return Game.objects.filter(Exists(seats), scratch=False).order_by("pk")


def move_all(wall: datetime | None = None) -> int:
    """Let a practice player move in every game whose turn it is; returns how many have moved.

    May run late, twice, or on many workers at once: the cache keeps whose turn it is, and where it
    cannot be had nobody moves. What fails in one game is told to the log and keeps no other.
    """
    wall = wall or wall_now()
    moved = 0
    for game in games_with_bots():
        try:
            seconds = between_moves(game).total_seconds()
            if is_awake(game, wall) and cache.add(f"nomic:bots:{game.pk}", 1, seconds):
                moved += play(game, wall) is not None
                if game.state == "running":
                    talk(game, wall)
        except Exception:
            log.exception("The practice players of %s could not move", game.slug)
    return moved


def is_awake(game: Game, wall: datetime) -> bool:
    """Whether somebody has looked at the game of late."""
    looked = watch.last_look(game.pk)
    return looked is not None and wall - looked < AWAKE_FOR


def between_moves(game: Game) -> timedelta:
    """The wall time from one move to the next in that game."""
    if not game.rate:
        return _IDLE
    shortest, longest = _BETWEEN
    return min(max(_WEEK / game.rate / _MOVES_A_WEEK, shortest), longest)


def play(game: Game, wall: datetime | None = None) -> Receipt | None:
    """Let one practice player of that game make one move that makes sense; None where none can.

    The same state of the game at the same moment brings the same move. In a game that is stuck or
    paused nothing is done; what is refused is passed over.
    """
    wall = wall or wall_now()
    game.refresh_from_db()
    if game.state != "running":
        return None
    chance = Random(f"{game.identity} {game.last_entry} {iso(wall)}")  # noqa: S311
    table = glance(game, wall)
    if table.overdue:
        try:
            catch_up(game.pk, until=wall_now() + patience())
        except Busy:
            log.info("%s is busy: its practice players wait", game.slug)
        game.refresh_from_db()
        table = glance(game, wall)
    bots = list(bots_of(game).select_related("holder", "game"))
    for bot in chance.sample(bots, min(len(bots), _ASKED)):
        receipt = _move(table, bot, chance)
        if receipt is not None:
            return receipt
    return None


def _move(table: Table, bot: Player, chance: Random) -> Receipt | None:
    """The first legal one of what makes sense for them, in one subgame after the other."""
    subgames = in_play(table.game)
    order = chance.sample(subgames, len(subgames))
    if chance.random() < _DUTIFUL:
        order.sort(key=lambda subgame: not subgame.never_off)
    for subgame in order:
        for name, data in _sensible(bots_for(subgame).practice(table, bot, chance)):
            try:
                action = find_action(name, table)
                if legality(action, table, bot, action.Form(table, bot, data).inputs()) is None:
                    return take(table.game.slug, bot, name, data)
            except (Refused, Malformed, UnknownAction, TableBroken):
                continue  # of no use, or something has changed meanwhile
            except Busy:
                return None
    return None


def _sensible(acts: Iterable[Act]) -> Iterator[Act]:
    """As many of these as are tried; a table of the rules that cannot be read ends them."""
    try:
        yield from islice(acts, _TRIES)
    except TableBroken:
        return
