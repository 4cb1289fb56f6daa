"""What the Contestmaster keeps for themselves, the newest first: sealed parts of tabled acts, what
contestants were told, the suits of cards that moved. Querysets for overview.py, which asks who
looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from aceofspades.models import Move, Notice, Tabled
from aceofspades.secrecy.matrix import Since
from aceofspades.state.reading import FAMILY, State, suit_of
from nomic.ledger.models import HolderKind, Posting
from nomic.record.models import Entry

MOST = 20  # of each
_MOST_SUITS = 60  # of all hands together in one entry

type Gain = tuple[str, dict[str, int]]


def columns(state: State, since: Since | None) -> dict[str, Any]:
    """What is read with the contest's row: of each at most 20, and how many there are, perhaps of
    those alone that have come since."""
    sealed = Tabled.objects.filter(contest=state.contest).exclude(sealed={})
    notices = Notice.objects.filter(contestant__contest=state.contest)
    moves = Move.objects.filter(contest=state.contest)
    if since is not None:
        sealed = sealed.filter(entry__gt=since.entry)
        moves = moves.filter(entry__gt=since.entry)
        notices = notices.filter(at__gt=since.at)
    facts = {name: F(name) for name in ("number", "kind", "details", "sealed", "end")}
    told = JSONObject(name=F("contestant__player__name"), text=F("text"), at=F("at"))
    return {
        "sealed": ArraySubquery(sealed.order_by("-number").values(told=JSONObject(**facts))[:MOST]),
        "all_sealed": how_many(sealed, "contest", Count("pk")),
        "noticed": ArraySubquery(notices.order_by("-pk").values(told=told)[:MOST]),
        "all_noticed": how_many(notices, "contestant__contest", Count("pk")),
        "moved": ArraySubquery(_moved(state, moves)),
        "all_moved": how_many(moves, "contest", Count("entry", distinct=True)),
    }


def gains(moved: Mapping[str, Any]) -> list[Gain]:
    """What each holder got in that entry by suit, less than nothing where they lost it."""
    found: dict[str, dict[str, int]] = {}
    for each in moved["cards"]:
        found.setdefault(each["holder"], {})[suit_of(each["asset"])] = each["cards"]
    return list(found.items())


def _moved(state: State, moves: QuerySet[Move]) -> QuerySet[Any, Any]:
    entries = moves.order_by("-entry").values("entry").distinct()[:MOST]
    rows = Entry.objects.filter(game=state.table.game, seq__in=entries).order_by("-seq")
    cards = ArraySubquery(_cards(state)[:_MOST_SUITS])
    return rows.values(told=JSONObject(entry=F("seq"), at=F("at"), cards=cards))


def _cards(state: State) -> QuerySet[Any, Any]:
    """What came of an entry's transfers for each holder and suit."""
    postings = Posting.objects.filter(
        transfer__game=state.table.game, transfer__entry=OuterRef("seq"), asset__family=FAMILY
    )
    by_suit = postings.exclude(holder__kind=HolderKind.MINT).order_by("holder__name", "asset__name")
    summed = by_suit.values("holder__name", "asset__name").annotate(cards=Sum("amount"))
    facts = JSONObject(holder=F("holder__name"), asset=F("asset__name"), cards=F("cards"))
    return summed.filter(~Q(cards=0)).values(told=facts)


def how_many(rows: QuerySet[Any], contest: str, count: Count) -> Coalesce:
    """The number of the rows of a contest; `contest` is the path to it."""
    counted = rows.order_by().values(contest).annotate(found=count)
    return Coalesce(Subquery(counted.values("found")), 0)
