"""What waits for one contestant: offers made to them, proposals to vote on, pacts to agree to; and
the Moment of Reckoning, which waits for everybody.

Parts of the one query of glimpse.py, each of a contest in an outer query. Nobody but a current
contestant has any but the last; the names of who is unnamed are for secrets.py to show or not.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from aceofspades.events.reckoning import RECKONING
from aceofspades.models import Contestant, Offer, Pact, Proposal, Vote
from nomic.engine.models import Appointment, Status
from nomic.games.models import Game

MOST = 20  # of each
_OFFER = {
    "code": F("code"),
    "by": F("by__player__name"),
    "gives": F("gives"),
    "takes": F("takes"),
    "anonymous": F("anonymous"),
}


def waiting(game: Game, player: int | None) -> dict[str, ArraySubquery]:
    """What waits for the player of that key, by kind, at most 21 of each: `offers` and `pacts`, the
    newest first, the numbers of regulations to vote on as `ballots`, and `due`."""
    reckoning = Appointment.objects.filter(game=game, kind=RECKONING, status=Status.WAITING)
    return {
        "offers": ArraySubquery(_offers(player)[: MOST + 1]),
        "pacts": ArraySubquery(_pacts(player)[: MOST + 1]),
        "ballots": ArraySubquery(_ballots(player)[: MOST + 1]),
        "due": ArraySubquery(
            reckoning.order_by("due").values(told=JSONObject(due=F("due")))[:1],
        ),
    }


def _offers(player: int | None) -> QuerySet[Any, Any]:
    got = Offer.to.through.objects.filter(
        offer=OuterRef("pk"), contestant__player=player, contestant__active=True
    )
    rows = Offer.objects.filter(Exists(got), contest=OuterRef("pk"), end="")
    return rows.order_by("-at", "-pk").values(told=JSONObject(**_OFFER))


def _pacts(player: int | None) -> QuerySet[Any, Any]:
    mine = {"pact": OuterRef("pk"), "contestant__player": player, "contestant__active": True}
    member = Pact.members.through.objects.filter(**mine)
    agreed = Pact.agreed.through.objects.filter(**mine)
    rows = Pact.objects.filter(
        Exists(member), ~Exists(agreed), contest=OuterRef("pk"), over_at__isnull=True
    )
    return rows.order_by("-pk").values("code")


def _ballots(player: int | None) -> QuerySet[Any, Any]:
    own = Contestant.objects.filter(contest=OuterRef("contest"), player=player, active=True)
    voted = Vote.objects.filter(proposal=OuterRef("pk"), contestant__player=player)
    up = Proposal.objects.filter(contest=OuterRef("pk"), up_in__isnull=False, verdict="")
    rows = up.filter(Exists(own), ~Exists(voted)).order_by("number")
    return rows.values("regulation_number")
