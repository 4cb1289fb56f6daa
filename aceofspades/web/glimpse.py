"""The contest in small, as everybody may see it, and what waits in it for the one who looks: what a
game's home shows of it and who owes what.

One query for both, whoever asks first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from aceofspades.models import Contest, Contestant, Proposal, Request, Tabled
from aceofspades.state.reading import FAMILY, State
from aceofspades.web.waiting import waiting
from nomic.games.models import Player
from nomic.ledger.models import Balance

_MOST_DUTIES = 20


@dataclass(frozen=True, slots=True)
class Mine:
    """What waits for one contestant, at most 21 of each: open offers made to them, with who makes
    them, be they unnamed or not, and pacts, the newest first; regulations to vote on by number."""

    offers: list[dict[str, Any]] = field(default_factory=list, repr=False)
    pacts: list[str] = field(default_factory=list, repr=False)
    ballots: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """How many contestants there are and cards in the Deck; whether the player is a contestant,
    and their cards. `anybody` tells whether somebody ever joined; of what waits there are at most
    20 each: proposals for the Contestmaster, requests, tabled acts by their due moments.

    `due` is the Moment of Reckoning to come. `mine` is what waits for the player, who alone may see
    it."""

    contestants: int
    anybody: bool
    deck: int
    is_contestant: bool
    cards: int
    proposals: list[dict[str, Any]]
    requests: list[int]
    tabled: list[dict[str, Any]]
    due: datetime | None
    mine: Mine


_read: WeakKeyDictionary[State, dict[int | None, Glimpse]] = WeakKeyDictionary()


def glimpse(state: State, player: Player | None = None) -> Glimpse | None:
    """The contest in small; None where there is none. The contest's own row is read with it."""
    read = _read.setdefault(state, {})
    key = player.pk if player else None
    if key is None and read:
        return next(iter(read.values()))
    if key not in read:
        row: Any = _rows(state, player).first()
        state.found = row
        if row is None:
            return None
        read[key] = found = _told(state, row)
        if len(found.tabled) < _MOST_DUTIES:  # these are all
            state.open_acts = sorted(each["number"] for each in found.tabled)
    return read[key]


def _told(state: State, row: Any) -> Glimpse:
    acts = [{**each, "due": datetime.fromisoformat(each["due"])} for each in row.waiting_acts]
    return Glimpse(
        contestants=row.players,
        anybody=row.anybody,
        deck=row.deck_cards,
        is_contestant=row.is_own,
        cards=row.own_cards,
        proposals=row.waiting_proposals,
        requests=row.waiting_requests,
        tabled=acts,
        due=state.reckoning_told(
            datetime.fromisoformat(row.waits_due[0]["due"]) if row.waits_due else None
        ),
        mine=Mine(row.waits_offers, row.waits_pacts, row.waits_ballots),
    )


def _rows(state: State, player: Player | None) -> QuerySet[Contest]:
    of_it = {"contest": OuterRef("pk")}
    everybody = Contestant.objects.filter(**of_it).order_by()
    active = everybody.filter(active=True)
    up = Proposal.objects.filter(up_in__isnull=False, verdict="", **of_it)
    key = player.pk if player else None
    return (
        Contest.objects.filter(game=state.table.game)
        .select_related("deck")
        .annotate(
            has_votes=Exists(up),
            anybody=Exists(everybody),
            players=_number(active.values("contest").annotate(found=Count("pk"))),
            is_own=Exists(active.filter(player=key)),
            deck_cards=_cards(state, holder=OuterRef("deck")),
            own_cards=_cards(state, holder__player=key),
            waiting_proposals=ArraySubquery(_proposals(of_it)[:_MOST_DUTIES]),
            waiting_requests=ArraySubquery(_requests(of_it)[:_MOST_DUTIES]),
            waiting_acts=ArraySubquery(_tabled(of_it)[:_MOST_DUTIES]),
            **{f"waits_{kind}": rows for kind, rows in waiting(state.table.game, key).items()},
        )
    )


def _number(rows: QuerySet[Any, Any]) -> Coalesce:
    return Coalesce(Subquery(rows.values("found"), output_field=IntegerField()), 0)


def _cards(state: State, **whose: Any) -> Coalesce:
    rows = Balance.objects.filter(
        asset__game=state.table.game, asset__family=FAMILY, is_mint=False, **whose
    )
    return _number(rows.order_by().values("holder").annotate(found=Sum("amount")))


def _proposals(of_it: Mapping[str, Any]) -> QuerySet[Any, Any]:
    """Those that the Contestmaster has to put up or to announce."""
    waits = Q(up_in__isnull=True) | Q(verdict=Proposal.Verdict.ADOPTED, effective_in__isnull=True)
    facts = JSONObject(number=F("number"), regulation=F("regulation_number"), up_in=F("up_in"))
    return Proposal.objects.filter(waits, **of_it).order_by("number").values(told=facts)


def _requests(of_it: Mapping[str, Any]) -> QuerySet[Any, Any]:
    return Request.objects.filter(judgement="", **of_it).order_by("number").values("number")


def _tabled(of_it: Mapping[str, Any]) -> QuerySet[Any, Any]:
    facts = JSONObject(**{name: F(name) for name in ("number", "kind", "details", "due")})
    rows = Tabled.objects.filter(end="", **of_it)
    return rows.order_by("due", "number").values(told=facts)
