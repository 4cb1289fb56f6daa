"""Who of a game's players may vote: one of its settings, chosen as it is made.

It keeps one person with many accounts from outvoting everybody else. Quorums and majorities count
those who may vote, a contest's as well, and so do motions.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet

from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal

VOTERS = "voters"
SEATED_FOR = timedelta(days=7)  # game time


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
    known = Q(accepted=True) if mode in ACCEPTED else Q(joined_at__lte=since)
    some = Player.objects.filter(known, game=OuterRef("game"), active=True)
    return known | Q(~Exists(some))


def no_voter_yet(game: Game) -> Refusal:
    """The refusal for a player who is not among them."""
    said = f"You do not vote in this game yet. There vote: {voters_of(game).label}."
    return Refusal("not_a_voter_yet", said)
