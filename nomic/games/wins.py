"""Who has won a game lately, read along with the game or a seat in it at no query more."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, Func, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from nomic.games.models import Win

FRESH = timedelta(days=7)  # of game time, in which all pages of a game tell of it
_MOST = 3


@dataclass(frozen=True, slots=True)
class Won:
    """A win as pages tell it: who, how it says, in which entry, at which game moment."""

    player: str
    how: str
    entry: int
    at: datetime

    @property
    def sentence(self) -> str:
        """“Murphy has won by 10 Victory Points”, “Murphy has won: 4 Cones on the isle”."""
        return win_sentence(self.player, self.how)


def win_sentence(player: str, how: str) -> str:
    """That they have won, or are what they became, without a full stop."""
    if how.startswith("is "):
        return f"{player} {how}"
    return f"{player} has won{' ' if how.startswith('by ') else ': '}{how}"


type _Rows = Callable[[OuterRef], QuerySet[Any]]
_SOURCES: list[_Rows] = []


def register_wins(rows: _Rows) -> _Rows:
    """Let pages tell of these as of wins: JSON objects, each of a game as `Won` has it,
    newest first."""
    _SOURCES.append(rows)
    return rows


@register_wins
def _wins(game: OuterRef) -> QuerySet[Any]:
    columns = {"player": F("player__name"), "how": F("how"), "entry": F("entry"), "at": F("at")}
    newest = Win.objects.filter(game=game).order_by("-entry", "-pk")
    return newest.values(told=JSONObject(**columns))


def newest_wins(of: str, limit: int = _MOST) -> Func:
    """The newest wins of the game that an outer query has as `of`, and of each that is told as they
    are, to be read along; `as_won` makes of them what pages tell."""
    arrays = (ArraySubquery(rows(OuterRef(of))[:limit]) for rows in _SOURCES)
    return Func(*arrays, template="(%(expressions)s)", arg_joiner=" || ")


def as_won(rows: Iterable[Mapping[str, Any]], limit: int = _MOST) -> list[Won]:
    """The wins that `newest_wins` has read, the newest first, at most so many."""
    wins = [Won(**{**row, "at": datetime.fromisoformat(row["at"])}) for row in rows]
    return sorted(wins, key=attrgetter("entry"), reverse=True)[:limit]
