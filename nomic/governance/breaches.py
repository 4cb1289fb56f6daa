"""What an office had to do and let go by: told in the entry of the moment at which its time was
over, of whoever holds the office then."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.record.models import Entry

MOST = 20  # that are told at once
_BREACH = "breach"
_TELLING: set[str] = set()  # the events in whose entries breaches are told


def tells_of_breaches(event: str) -> str:
    """Let entries of that event be among those that are asked for breaches; returns its name."""
    _TELLING.add(event)
    return event


def breach(table: Table, office: str, period: str, omission: str) -> Outcome:
    """The sentence and the figures of a breach, for an event's outcome; both are empty where the
    office is vacant, since then the system and all players do what they can.

    `period` is what went by, as “the week of 5 December 2022”, `omission` what was not done in it,
    as “publishing the report”.
    """
    officer = table.directory.offices.get(office)
    if not officer:
        return Outcome("")
    text = f"The {office}, {officer}, let {period} go by without {omission}."
    return Outcome(text, {_BREACH: {"office": office, "officer": officer, "says": text}})


def week_of(begun: datetime) -> str:
    """The week that began at that moment, in words."""
    return f"the week of {begun.day} {begun:%B %Y}"


def telling(game: Game) -> QuerySet[Entry]:
    """The entries that tell of a breach."""
    return Entry.objects.filter(game=game, name__in=sorted(_TELLING), outcome__has_key=_BREACH)


def breaches(
    game: Game, office: str = "", *, after: int = 0, most: int = MOST
) -> list[dict[str, Any]]:
    """The newest breaches, or those of that office, in entries after that number, newest first: as
    values, the entry, its game moment, the office, the officer, and what it says of them."""
    entries = telling(game).filter(seq__gt=after)
    if office:
        entries = entries.filter(outcome__breach__office=office)
    newest = entries.order_by("-seq").values_list("seq", "at", "outcome")[:most]
    return [{"entry": seq, "at": iso(at), **outcome[_BREACH]} for seq, at, outcome in newest]
