"""How the demonstration goes on by itself: it rests, wakes, and is made anew when it is old.

While nobody looks at it for as long as its practice players stay awake, its time stands still. It
is old when its record is long, and some time after its contest was reckoned or the isle was won.
Then it is removed whole and filled again, as soon as nobody is about, and before long even so. Who
has played in it has a seat in the new one.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q

from aceofspades.models import Contest
from nomic.engine import watch
from nomic.engine.outcomes import Busy, Refused
from nomic.engine.take import take
from nomic.games.admission import is_open_to_all
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace, Player
from nomic.operations.bots import is_awake
from nomic.operations.demonstration.demonstration import B_NOMIC, RATE, fill
from nomic.operations.removal import remove_game
from nomic.operations.setup import set_pace
from nomic.record.models import Entry
from nomic.standard.motions import JOIN
from nomic.web.newcomers.filling import being_filled
from nomic.web.newcomers.guests import the_demonstration
from nomic.web.welcome import PLAYERS, SLUG
from settlers.rules.titles import GIFT

_NOBODY_IS_ABOUT = timedelta(minutes=5)
_ENTRIES = (4_000, 6_000)  # from which it is old, and too old even while somebody looks
_AFTER_A_DECISION = (timedelta(weeks=2), timedelta(weeks=4))  # of its time, likewise
_TURN, _LONGEST_FILLING = 1, 900  # seconds: between two looks at it, and that it takes to fill it

log = logging.getLogger(__name__)


def look_after(wall: datetime | None = None) -> None:
    """Let the demonstration rest, wake or begin anew, where there is one and it is time for that.

    May run late, twice, or on many workers at once: the cache keeps whose turn it is.
    """
    wall = wall or wall_now()
    if not cache.add("nomic:demonstration", 1, _TURN):
        return
    game = the_demonstration()
    if game is None or game.preset != "demo" or being_filled(SLUG):
        return
    if _is_taken_over(game) or _is_to_go(game, wall):
        make_anew(game)
        return
    games = Game.objects.filter(Q(pk=game.pk) | Q(slug=B_NOMIC, preset="b-nomic-2006"))
    for each in games:
        _rest_or_wake(each, awake=is_awake(game, wall) or is_awake(each, wall))


def _rest_or_wake(game: Game, *, awake: bool) -> None:
    """Let time stand still in that game or go on, where it does not already."""
    wanted = Pace.FAST if awake else Pace.MANUAL
    if game.pace == wanted or game.state != "running":
        return
    with suppress(Busy):
        set_pace(game.slug, wanted, rate=RATE)


def _is_taken_over(game: Game) -> bool:
    """Whether somebody runs it, or keeps others out."""
    return game.host_id is not None or not is_open_to_all(game)


def _is_to_go(game: Game, wall: datetime) -> bool:
    """Whether it is old, or stands still, and nobody is about, or is too old."""
    looked = watch.last_look(game.pk)
    alone = looked is None or wall - looked > _NOBODY_IS_ABOUT
    if alone and game.state != "running":
        return True
    limit = 0 if alone else 1
    is_long = game.last_entry >= _ENTRIES[limit]
    return is_long or _decided_for(game, wall) >= _AFTER_A_DECISION[limit]


def _decided_for(game: Game, wall: datetime) -> timedelta:
    """The game's time since its contest was reckoned, or since the isle had a first victor: no
    rule begins either anew. Nothing before that."""
    reckoned = Contest.objects.filter(game=game).values_list("reckoned_at", flat=True).first()
    won = game.wins.filter(rule=GIFT).order_by("at").values_list("at", flat=True).first()
    moments = [moment for moment in (reckoned, won) if moment]
    return game.now(wall) - min(moments) if moments else timedelta(0)


def make_anew(game: Game) -> Game | None:
    """Remove the demonstration and fill it again; who has played in it gets a seat in the new one.

    None where somebody else does so at the moment, or the game is busy.
    """
    if not cache.add("nomic:demonstration:filled", 1, _LONGEST_FILLING):
        return None
    log.info("The demonstration is made anew after %s entries", game.last_entry)
    try:
        seats = _who_played(game)
        others = Game.objects.filter(slug=B_NOMIC, preset="b-nomic-2006", host=None)
        for old in (*others, game):
            remove_game(old)
        anew = fill()
        for seat in seats:
            with suppress(Refused, Busy):
                take(SLUG, seat.user, JOIN, {"name": seat.name})
    except Busy:
        return None
    finally:
        cache.delete("nomic:demonstration:filled")
    return anew


def _who_played(game: Game) -> list[Player]:
    """The seats of those people who have done more in it than to come."""
    did = Entry.objects.filter(game=game, actor=OuterRef("pk")).exclude(name=JOIN)
    people = game.players.filter(Exists(did), user__isnull=False, active=True)
    return list(people.exclude(name__in=PLAYERS).select_related("user").order_by("joined_at"))
