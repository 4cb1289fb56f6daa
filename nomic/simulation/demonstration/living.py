"""How the demonstration goes on by itself: it rests, wakes, and is made anew when it is old.

While nobody looks at it for as long as its practice players stay awake, its time stands still. It
is old when its record is long, and some time after its contest was reckoned or the isle was won.
Then it is removed whole and filled again, as soon as nobody is about, and before long even so,
though not while somebody plays. Who came to it has a seat in the new one. What is removed, and
who gets a seat, is written down before: a filling that is cut short is taken up by the next look.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet

from aceofspades.models import Contest
from nomic.engine import watch
from nomic.engine.outcomes import Busy
from nomic.games.admission import is_open_to_all
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace, Player
from nomic.operations.setup import set_pace
from nomic.record.models import Entry, SealedEntry
from nomic.simulation.demonstration.demonstration import (
    B_NOMIC,
    B_NOMIC_PLAYERS,
    BEING_FILLED,
    RATE,
    SEATED_AGAIN,
    SILENT,
    fill_again,
)
from nomic.simulation.practice import is_awake
from nomic.web.demonstration import (
    PLAYERS,
    SLUG,
    being_filled,
    tell,
    the_demonstration,
)
from nomic.web.models import Filling
from settlers.rules.titles import GIFT

_NOBODY_IS_ABOUT = timedelta(minutes=5)
_PLAYS = timedelta(minutes=10)  # for so long after what somebody did
_ENTRIES = (4_000, 6_000)  # from which it is old, and too old even while somebody looks
_MOST_ENTRIES = 20_000  # from which it is too old even while somebody plays
_AFTER_A_DECISION = (timedelta(weeks=2), timedelta(weeks=4))  # of its time, likewise
_TURN, _BEFORE_ANOTHER_TRY = 1, 60  # seconds: between two looks at it, and two tries to fill it

log = logging.getLogger(__name__)


def look_after(wall: datetime | None = None) -> None:
    """Let the demonstration rest, wake or begin anew, where there is one and it is time for that.

    May run late, twice, or on many workers at once: the cache keeps whose turn it is.
    """
    wall = wall or wall_now()
    if not cache.add("nomic:demonstration", 1, _TURN):
        return
    if (  # B Nomic, or what somebody was kept from filling, and nobody is at it
        Filling.objects.exists()
        and cache.get(BEING_FILLED) is None
        and cache.add("nomic:demonstration:tried", 1, _BEFORE_ANOTHER_TRY)
        and cache.add(BEING_FILLED, 1, SILENT)
    ):
        if being_filled(SLUG):
            log.warning("The demonstration was not filled to its end, and is filled anew")
        with suppress(Busy):
            fill_again()
    game = the_demonstration()
    if game is None or game.preset != "demo" or being_filled(SLUG):
        return
    if _games(game).filter(pace=Pace.REAL).exists():
        return  # its record is kept for good
    is_taken_over = game.host_id is not None or not is_open_to_all(game)
    if is_taken_over or _is_to_go(game, wall):
        make_anew(game)
        return
    for each in _games(game).exclude(slug__in=Filling.objects.values("slug")):
        awake = is_awake(game, wall) or is_awake(each, wall)
        wanted = Pace.FAST if awake else Pace.MANUAL
        if each.pace != wanted and each.state == "running":
            with suppress(Busy):
                set_pace(each.slug, wanted, rate=RATE)


def _games(game: Game) -> QuerySet[Game]:
    """Both games of the demonstration."""
    return Game.objects.filter(Q(pk=game.pk) | Q(slug=B_NOMIC, preset="b-nomic-2006", host=None))


def _is_to_go(game: Game, wall: datetime) -> bool:
    """Whether it is old, or stands still, and nobody is about, or is too old; while somebody plays,
    only where there is hardly an end to it."""
    people = Player.objects.filter(game__in=_games(game), bot=False, user__isnull=False)
    for book in (Entry, SealedEntry):
        done = book.objects.filter(actor__in=people, recorded_at__gt=wall - _PLAYS)
        if done.exclude(key__endswith=f"/{SEATED_AGAIN}").exists():
            return game.last_entry >= _MOST_ENTRIES
    looked = watch.last_look(game.pk)
    alone = looked is None or wall - looked > _NOBODY_IS_ABOUT
    if alone and game.state != "running":
        return True
    limit = 0 if alone else 1
    if game.last_entry >= _ENTRIES[limit]:
        return True
    # Once its contest is reckoned, or the isle has had a victor, no rule begins either anew.
    reckoned = Contest.objects.filter(game=game).values_list("reckoned_at", flat=True).first()
    won = game.wins.filter(rule=GIFT).order_by("at").values_list("at", flat=True).first()
    decided = min((moment for moment in (reckoned, won) if moment), default=None)
    return decided is not None and game.now(wall) - decided >= _AFTER_A_DECISION[limit]


def make_anew(game: Game) -> Game | None:
    """Remove the demonstration and fill it again; who came to it gets a seat in the new one.

    None where somebody else does so at the moment, or the game is busy.
    """
    if not cache.add(BEING_FILLED, 1, SILENT):
        return None
    log.info("The demonstration is made anew after %s entries", game.last_entry)
    for each in _games(game):
        # Who was seated in it by its being made anew has come only if they have acted since.
        did = Entry.objects.filter(game=each, actor=OuterRef("pk"))
        did = did.exclude(key__endswith=f"/{SEATED_AGAIN}")
        people = each.players.filter(Exists(did), user__isnull=False, active=True)
        came = people.exclude(name__in=(*PLAYERS, *B_NOMIC_PLAYERS)).order_by("joined_at")
        seats = list(came.values_list("user", "name"))
        tell(each.slug, "The demonstration begins anew.", 0, 1, seats=seats)
    with suppress(Busy):
        return fill_again()
    return None
