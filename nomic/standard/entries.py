"""Which entries of the record are the acts of officers, now that some come about later."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from nomic.games.models import Game
from nomic.record.models import Entry, Kind
from nomic.standard.models import Motion

MOTION, SUPPORT = "games.motion", "games.support"


def made_by_officers(game: Game, act: str = "", *, but: Iterable[str] = ()) -> QuerySet[Entry]:
    """The entries in which an act of an office was done: at once, or when what had been announced
    came about. Perhaps only `act`, or without the acts whose names begin like one of `but`."""
    done = Q(outcome__contains={"end": Motion.End.DONE.value})
    at_once = Q(kind=Kind.OFFICER) & (~Q(outcome__has_key="motion") | done)
    later = Q(name__in=(MOTION, SUPPORT)) & done
    if act:
        at_once, later = at_once & Q(name=act), later & Q(outcome__action=act)
    for prefix in but:
        at_once &= ~Q(name__startswith=prefix)
        later &= ~Q(outcome__action__startswith=prefix)
    return game.entries.filter(at_once | later)
