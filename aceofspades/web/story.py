"""The public side of the contest as its page tells it: in one query, however much there is.

What is read on the way, the state need not read again: the counts of cards, who needs to know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, QuerySet, Sum
from django.db.models.functions import JSONObject

from aceofspades.events.reckoning import RECKONING
from aceofspades.models import Contest, Hint, Move, NeedToKnow, Request, Tabled, Voice
from aceofspades.state.reading import FAMILY, Knower, State
from nomic.engine.models import Appointment, Status
from nomic.ledger.models import Balance
from nomic.record.models import Entry

MOST_ENTRIES, MOST_MOVES, MOST_REQUESTS, MOST_TABLED = 10, 12, 5, 20
_ENTRY = {name: F(name) for name in ("seq", "kind", "text", "at", "recorded_at")}
_MOVE = {name: F(name) for name in ("entry", "at", "kind", "giver", "receiver", "cards")}


@dataclass(frozen=True, slots=True)
class Story:
    """What everybody may read of a contest, the newest first.

    `entries` are the record's, `hints` stand by the key of their regulation, `tabled` are the acts
    that wait. `requests` counts more than are listed; so do `moves`.
    """

    entries: list[dict[str, Any]]
    moves: list[dict[str, Any]]
    more_moves: bool
    hints: Mapping[int, list[str]]
    tabled: list[dict[str, Any]]
    requests: list[dict[str, Any]]
    more_requests: bool
    due: datetime | None


def read_story(state: State, moves: int = MOST_MOVES, tabled: int = MOST_TABLED) -> Story:
    """The story of the contest, and the state's counts and knowers with it; one query.

    It has no more than so many moves and tabled acts.
    """
    row: dict[str, Any] = _rows(state, moves, tabled).get()
    state.counts = {each["holder"]: each["cards"] for each in row["counted"]}
    state.knowers = _knowers(row["known"])
    state.open_acts = [each["number"] for each in row["waiting"]]
    hints: dict[int, list[str]] = {}
    for each in row["hinted"]:
        hints.setdefault(each["regulation"], []).append(each["text"])
    return Story(
        entries=_timed(row["told"], "at", "recorded_at"),
        moves=_timed(row["moved"][:moves], "at"),
        more_moves=len(row["moved"]) > moves,
        hints=hints,
        tabled=_timed(row["waiting"], "due"),
        requests=row["asked"][:MOST_REQUESTS],
        more_requests=len(row["asked"]) > MOST_REQUESTS,
        due=state.reckoning_told(
            datetime.fromisoformat(row["due"][0]["due"]) if row["due"] else None
        ),
    )


def _rows(state: State, moves: int, tabled: int) -> QuerySet[Contest, Any]:
    game = state.table.game
    told = Entry.objects.filter(game=game, name__startswith="aceofspades.").order_by("-seq")
    return Contest.objects.filter(pk=state.contest.pk).values(
        counted=ArraySubquery(_counts(state)),
        known=ArraySubquery(_known()),
        told=ArraySubquery(told.values(told=JSONObject(**_ENTRY))[:MOST_ENTRIES]),
        moved=ArraySubquery(
            Move.objects.filter(contest=OuterRef("pk"))
            .order_by("-pk")
            .values(told=JSONObject(**_MOVE))[: moves + 1]
        ),
        hinted=ArraySubquery(_hints()),
        waiting=ArraySubquery(_tabled()[:tabled]),
        asked=ArraySubquery(_requests()[: MOST_REQUESTS + 1]),
        due=ArraySubquery(
            Appointment.objects.filter(game=game, kind=RECKONING, status=Status.WAITING)
            .order_by("due")
            .values(told=JSONObject(due=F("due")))[:1]
        ),
    )


def _counts(state: State) -> QuerySet[Any, Any]:
    held = Balance.objects.filter(
        asset__game=state.table.game, asset__family=FAMILY, is_mint=False, amount__gt=0
    )
    counted = held.order_by().values("holder").annotate(cards=Sum("amount"))
    return counted.values(told=JSONObject(holder=F("holder"), cards=F("cards")))


def _known() -> QuerySet[Any, Any]:
    rows = NeedToKnow.objects.filter(
        regulation__contest=OuterRef("pk"), regulation__gone_in__isnull=True
    )
    name = F("contestant__player__name")
    facts = JSONObject(regulation=F("regulation"), name=name, full=F("full"))
    return rows.order_by("pk").values(told=facts)


def _hints() -> QuerySet[Any, Any]:
    rows = Hint.objects.filter(regulation__contest=OuterRef("pk"), regulation__gone_in__isnull=True)
    return rows.order_by("pk").values(told=JSONObject(regulation=F("regulation"), text=F("text")))


def _tabled() -> QuerySet[Any, Any]:
    voices = Voice.objects.filter(tabled=OuterRef("pk")).order_by("pk")
    told = JSONObject(name=F("contestant__player__name"), way=F("way"), of=F("contestant"))
    columns = {name: F(name) for name in ("number", "kind", "details", "entry", "due")}
    rows = Tabled.objects.filter(contest=OuterRef("pk"), end="").order_by("number")
    voiced = ArraySubquery(voices.values(told=told))
    facts = JSONObject(**columns, request=F("request__number"), voices=voiced)
    return rows.values(told=facts)


def _requests() -> QuerySet[Any, Any]:
    columns = {name: F(name) for name in ("number", "text", "entry", "judgement", "judged_in")}
    rows = Request.objects.filter(contest=OuterRef("pk")).order_by("-number")
    return rows.values(told=JSONObject(**columns, by=F("by__name")))


def _knowers(rows: Sequence[Mapping[str, Any]]) -> dict[int, list[Knower]]:
    known: dict[int, list[Knower]] = {}
    for row in rows:
        known.setdefault(row["regulation"], []).append(Knower(row["name"], row["full"]))
    return known


def _timed(rows: Sequence[dict[str, Any]], *columns: str) -> list[dict[str, Any]]:
    """The rows, with moments where JSON has texts."""
    for row in rows:
        row.update({name: datetime.fromisoformat(row[name]) for name in columns})
    return list(rows)
