"""Who has won a game lately, read along with the game or a seat in it at no query more."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef
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
        return won(self.player, self.how)


def won(player: str, how: str) -> str:
    """That they have won, without a full stop."""
    return f"{player} has won{' ' if how.startswith('by ') else ': '}{how}"


def newest_wins(of: str, most: int = _MOST) -> ArraySubquery:
    """The newest wins of the game that an outer query has as `of`, newest first, to be read along;
    `as_won` makes of them what pages tell."""
    columns = {"player": F("player__name"), "how": F("how"), "entry": F("entry"), "at": F("at")}
    newest = Win.objects.filter(game=OuterRef(of)).order_by("-entry", "-pk")
    return ArraySubquery(newest.values(told=JSONObject(**columns))[:most])


def as_won(told: Iterable[dict[str, Any]]) -> list[Won]:
    """What `newest_wins` has read."""
    return [Won(**{**each, "at": datetime.fromisoformat(each["at"])}) for each in told]
