"""Who has which powers in a game: how it fills its offices, and who of its players may vote.

Both are settings of it, chosen as it is made.

That not everybody votes keeps one person with many accounts from outvoting everybody else. Quorums
and majorities count those who may vote, a contest's as well, and so do motions.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet

from nomic.games.models import OFFICES, Game, Pace, Player
from nomic.games.refusal import Refusal

VOTERS = "voters"
SEATED_FOR = timedelta(days=7)  # game time


class Offices(models.TextChoices):
    """How offices come to their holders."""

    SUPPORT = "support", "by support: more than half of the other players back a candidate"
    HOST = "host", "by the host's word"
    OPEN = "open", "open: whoever takes a vacant one has it (practice)"


def usual_offices(pace: str) -> Offices:
    """How a game of that pace fills its offices unless told; practice games have open offices."""
    return Offices.SUPPORT if pace == Pace.REAL else Offices.OPEN


def offices_of(game: Game) -> Offices:
    """How that game fills its offices."""
    return Offices(game.setting(OFFICES))


class Voters(models.TextChoices):
    """Who votes, as it is said to who makes a game and to who plays in it."""

    EVERYBODY = "everybody", "every player, from the moment of joining"
    SEATED = "seated", "who has had a seat for seven days of the game; in its first days everybody"
    HOST = "host", "who came first, practice players, and whom the host accepts"
    SUPPORT = "support", "who came first, practice players, and whom most of the voters accept"


ACCEPTED = (Voters.HOST, Voters.SUPPORT)


def voters_of(game: Game) -> Voters:
    """The setting that says who votes in that game; everybody where it has none."""
    return Voters(game.setting(VOTERS, Voters.EVERYBODY))


def voters(game: Game, now: datetime) -> QuerySet[Player]:
    """The players who may vote at that game moment, those who have left among them.

    Where none of those who play may, all may: else nobody could ever change that.
    """
    return game.players.filter(who_votes(voters_of(game), now - SEATED_FOR))


def who_votes(mode: Voters, since: Any) -> Q:
    """Which players may vote, of a game of that mode; where it counts how long somebody has had a
    seat, they have had it `since` then."""
    if mode is Voters.EVERYBODY:
        return Q()
    may_vote = Q(accepted=True) if mode in ACCEPTED else Q(joined_at__lte=since)
    any_voter = Player.objects.filter(may_vote, game=OuterRef("game"), active=True)
    return may_vote | Q(~Exists(any_voter))


def who_is_here() -> Q:
    """Which players are waited for: those who are not away, and everybody where all are."""
    present = Player.objects.filter(game=OuterRef("game"), active=True, bot=False, away_in=None)
    return Q(away_in=None) | Q(~Exists(present))


def no_voter_yet(game: Game) -> Refusal:
    """The refusal for a player who is not among them."""
    sentence = f"You do not vote in this game yet. There vote: {voters_of(game).label}."
    return Refusal("not_a_voter_yet", sentence)
