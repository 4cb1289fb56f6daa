"""Practice players at play: whose turn it is, what they do, through `take` like anybody, and say.

They greet who comes and answer who speaks: how the game stands, as far as everybody may see it.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from random import Random

from django.conf import settings
from django.core.cache import cache
from django.db.models import Exists, OuterRef, QuerySet

from nomic.engine import watch
from nomic.engine.actions import find_action, legality
from nomic.engine.catch_up import catch_up
from nomic.engine.outcomes import Busy, Malformed, Receipt, Refused, UnknownAction
from nomic.engine.requests import patience
from nomic.engine.subgames import Rulemaking, in_play
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Player
from nomic.governance.bots import bots_of
from nomic.governance.hosting.talk import TooFast, say
from nomic.governance.models import Remark
from nomic.governance.motions import JOIN
from nomic.notices.outbox import tell_of_remark
from nomic.rulebook.tables import TableBroken
from nomic.simulation.bots import Act, bots_for

AWAKE_FOR = timedelta(minutes=30)
"""So long after somebody has looked at a game its practice players go on."""
_MOVES_A_WEEK = 50  # of all practice players of a game, in a week of its time
_BETWEEN = (timedelta(seconds=4), timedelta(hours=6))  # of wall time: the shortest and the longest
_WEEK = timedelta(days=7)
_DUTIFUL = 0.25  # how often they look first at what changes the rules: votes end
_TRIES = 12  # of one player in one subgame
_ASKED = 3  # players who are asked for a move at one moment
_IDLE = timedelta(seconds=20)  # of wall time, where time stands still
_NOT_LONG_AGO = timedelta(minutes=10)  # of wall time
_WELCOME = (
    "Welcome, @{name}! Your vote counts as much as mine.",
    "Hello, @{name}. Propose something small, and see whether we adopt it.",
    "Good to have you here, @{name}.",
)
_ANSWERS = (
    "I am a practice player, @{name}, and understand few words.",
    "Put it into a proposal, @{name}, and I will say by my vote what I think of it.",
    "I can tell you how things stand, @{name}.",
)

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
    chance = Random(f"{game.identity} {game.last_entry} {iso(wall)}")  # noqa: S311 - no dice
    table = glance(game, wall)
    if table.overdue:
        try:
            catch_up(game.pk, deadline=wall_now() + patience())
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
        order.sort(key=lambda subgame: not isinstance(subgame, Rulemaking))
    for subgame in order:
        for name, inputs in _sensible(bots_for(subgame).practice(table, bot, chance)):
            try:
                action = find_action(name, table)
                if legality(action, table, bot, action.Form(table, bot, inputs).inputs()) is None:
                    return take(table.game.slug, bot, name, inputs)
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


# What they say


def talk(game: Game, wall: datetime) -> Remark | None:
    """Let a practice player greet who came of late, or answer who spoke last; None where nobody
    waits for it. Each is greeted once, and each remark answered at most once."""
    chance = Random(f"{game.identity} {iso(wall)}")  # noqa: S311 - no dice
    joined = game.entries.filter(name=JOIN, recorded_at__gt=wall - _NOT_LONG_AGO)
    entry = joined.select_related("actor").order_by("-seq").first()
    newcomer = entry.actor if entry and entry.actor and entry.actor.active else None
    if newcomer:
        named = game.remarks.filter(player__bot=True, text__contains=f"@{newcomer.name}")
        newcomer = None if named.exists() else newcomer  # they are greeted already
    last = game.remarks.select_related("player").first()
    if last and (last.player.bot or not last.text or last.at <= wall - _NOT_LONG_AGO):
        last = None  # a practice player's, taken back, or of long ago
    person = newcomer or (last.player if last else None)
    words, asked = (_WELCOME, "") if newcomer else (_ANSWERS, last.text if last else "")
    bots = list(bots_of(game))
    if person is None or not bots:
        return None
    # How one thing stands: what they asked for, as far as that is understood, else any.
    table = glance(game, wall)
    facts = [fact for subgame in in_play(game) for fact in bots_for(subgame).facts(table)]
    fitting = [fact for question, fact in facts if question.search(asked)]
    fitting = fitting or [fact for _, fact in facts]
    with suppress(TooFast):
        greeting = chance.choice(words).format(name=person.name)
        text = f"{greeting} {chance.choice(fitting) if fitting else ''}".rstrip()
        remark = say(chance.choice(bots), text, wall, settings.REMARKS_A_MINUTE)
        tell_of_remark(remark)
        return remark
    return None
