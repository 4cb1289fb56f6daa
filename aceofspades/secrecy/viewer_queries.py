"""Offers, notices and votes, read in one query for one viewer. Only secrets.py, which knows who
looks, asks this room.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
)
from django.db.models.functions import JSONObject

from aceofspades.models import Alliance, Contest, Contestant, Notice, Offer, Vote
from aceofspades.state.reading import FAMILY, State, suit_of
from nomic.ledger.models import Balance

_OFFER = {
    "code": F("code"),
    "by": F("by__player__name"),
    "by_pk": F("by"),
    "gives": F("gives"),
    "takes": F("takes"),
    "anonymous": F("anonymous"),
    "at": F("at"),
    "end": F("end"),
    "accepted_by": F("accepted_by__player__name"),
    "accepted_anonymously": F("accepted_anonymously"),
}


@dataclass(frozen=True, slots=True)
class Affairs:
    """The viewer's notices and votes, the newest first, and the offers that were asked for.

    `offers` has those still open first; `more_offers` and `more_notices` tell that there are more.
    """

    offers: list[dict[str, Any]]
    more_offers: bool
    notices: list[dict[str, Any]]
    more_notices: bool
    votes: Mapping[int, str]


def read_affairs(
    state: State, own: Contestant | None, offers: QuerySet[Offer], most: int
) -> Affairs:
    """The affairs of `own`, of the offers among these no more than `most`; one query."""
    key = own.pk if own else None
    rows = Contest.objects.filter(pk=state.contest.pk).values(
        offered=ArraySubquery(_told(offers)[: most + 1]),
        noticed=ArraySubquery(_notices(key)[: most + 1]),
        voted=ArraySubquery(_votes(key)),
    )
    row: Any = rows.get()
    offered = row["offered"] or []
    return Affairs(
        offers=_timed(offered[:most]),
        more_offers=len(offered) > most,
        notices=_timed(row["noticed"][:most]),
        more_notices=len(row["noticed"]) > most,
        votes={each["number"]: each["way"] for each in row["voted"]},
    )


@dataclass(frozen=True, slots=True)
class Everything:
    """What a program asks for in one go: the offers that were asked for, the newest first, the
    viewer's own votes, everybody's by the proposal's number where those were asked for, the members
    of each alliance by its number, by their keys, and all cards by suit, by the holder's key."""

    offers: list[dict[str, Any]]
    votes: Mapping[int, str]
    every_vote: dict[int, dict[str, str]]
    leagues: dict[int, frozenset[int]]
    held: dict[int, dict[str, int]]


def read_everything(
    state: State, own: Contestant | None, offers: QuerySet[Offer], most: int, *, all_votes: bool
) -> Everything:
    """All of it in one query; of the offers no more than `most`."""
    key = own.pk if own else None
    votes = Vote.objects.filter(proposal__contest=OuterRef("pk"))
    votes = votes.order_by("contestant__turn") if all_votes else votes.none()
    rows = Contest.objects.filter(pk=state.contest.pk).values(
        offered=ArraySubquery(_told(offers)[:most]),
        voted=ArraySubquery(_votes(key)),
        every=ArraySubquery(
            votes.values(
                told=JSONObject(
                    number=F("proposal__number"), name=F("contestant__player__name"), way=F("way")
                )
            )
        ),
        allied=ArraySubquery(_leagues()),
        held=ArraySubquery(_held(state)),
    )
    row: Any = rows.get()
    every: dict[int, dict[str, str]] = {}
    for each in row["every"] or ():
        every.setdefault(each["number"], {})[each["name"]] = each["way"]
    held: dict[int, dict[str, int]] = {}
    for each in row["held"]:
        held.setdefault(each["holder"], {})[suit_of(each["asset"])] = each["amount"]
    return Everything(
        offers=_timed(row["offered"] or []),
        votes={each["number"]: each["way"] for each in row["voted"]},
        every_vote=every,
        leagues={each["number"]: frozenset(each["members"]) for each in row["allied"]},
        held=held,
    )


def _leagues() -> QuerySet[Any, Any]:
    members = Alliance.members.through.objects.filter(
        alliance=OuterRef("pk"), contestant__active=True
    )
    keys = ArraySubquery(members.values("contestant"))
    rows = Alliance.objects.filter(contest=OuterRef("pk"), over_at__isnull=True)
    return rows.order_by("number").values(told=JSONObject(number=F("number"), members=keys))


def _held(state: State) -> QuerySet[Any, Any]:
    rows = Balance.objects.filter(
        asset__game=state.table.game, asset__family=FAMILY, is_mint=False, amount__gt=0
    )
    facts = JSONObject(holder=F("holder"), asset=F("asset__name"), amount=F("amount"))
    return rows.values(told=facts)


def _told(offers: QuerySet[Offer]) -> QuerySet[Any, Any]:
    to = Offer.to.through.objects.filter(offer=OuterRef("pk")).order_by("contestant__turn")
    names = ArraySubquery(to.values("contestant__player__name"))
    facts = JSONObject(**_OFFER, to=names)
    is_over = ExpressionWrapper(~Q(end=""), BooleanField())
    return offers.order_by(is_over.asc(), "-at", "-pk").values(told=facts)


def _notices(own: int | None) -> QuerySet[Any, Any]:
    rows = Notice.objects.filter(contestant=own).order_by("-pk")
    return rows.values(told=JSONObject(text=F("text"), at=F("at")))


def _votes(own: int | None) -> QuerySet[Any, Any]:
    rows = Vote.objects.filter(contestant=own).order_by("-pk")
    return rows.values(told=JSONObject(number=F("proposal__number"), way=F("way")))


def _timed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, with moments where JSON has texts."""
    return [{**row, "at": datetime.fromisoformat(row["at"])} for row in rows]
