"""The Settlers whom a page shows: in one query, however many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    F,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Coalesce, JSONObject, Lower

from nomic.games.models import Player
from settlers.models import Ally, Visit
from settlers.models import Settler as Row
from settlers.rules.isle import Settler
from settlers.state.reading import HELD, State

A_PAGE = 40
_VISIT = {name: F(name) for name in ("number", "visitor", "over_after")}


@dataclass(frozen=True, slots=True)
class Census:
    """Those Settlers of one page of the list by name, and the foremost by number of buildings.

    `total` counts all, `ready` those who are Ready; `page` counts from 1, and 0 lists nobody.
    """

    total: int
    ready: int
    page: int
    listed: tuple[Settler, ...]
    foremost: tuple[Settler, ...]

    @property
    def pages(self) -> int:
        return max(-(-self.total // A_PAGE), 1)

    @property
    def known(self) -> dict[str, Settler]:
        """All that were read, by name."""
        return {each.name: each for each in (*self.foremost, *self.listed)}


def census(state: State, viewer: Player | None, page: int, foremost: int) -> Census:
    """That page of the Settlers (the first where there is no such) and so many of the foremost.

    What is read on the way, `state` need not read again: the isle, the viewer's own row, whether
    all are Ready, the past visit that is to be opened next and, where all are listed, their names.
    """
    rows: list[Any] = list(_rows(state, viewer, page, foremost))
    if page > 1 and not any(row.is_listed for row in rows):
        return census(state, viewer, 1, foremost)
    if rows and not state.is_read:
        state.found = rows[0].game.isle
    if rows:
        state.next_sealed = next((Visit(**told) for told in rows[0].sealed), None)
    found = {row.player.name: _settler(state, row) for row in rows}
    if viewer is not None and viewer.active and not state.is_onlooker(viewer):
        own = next((row for row in rows if row.player_id == viewer.pk), None)
        state.is_known(viewer, own, found.get(viewer.name))
    listed = tuple(found[row.player.name] for row in rows if row.is_listed)
    total, ready = (rows[0].total, rows[0].are_ready) if rows else (0, 0)
    state.counted_ready = bool(total) and ready == total
    if page and len(listed) == total:
        state.names = sorted(settler.name for settler in listed)
    best = sorted(
        (row for row in rows if row.is_foremost),
        key=lambda row: (-len(row.buildings), rows.index(row)),
    )
    return Census(total, ready, page, listed, tuple(found[row.player.name] for row in best))


def _rows(state: State, viewer: Player | None, page: int, foremost: int) -> QuerySet[Row]:
    """The rows by name as people sort them, each with what else is told of its Settler."""
    here = state.rows.order_by(Lower("player__name"), "player__name")
    best = here.order_by(Func(F("buildings"), function="cardinality").desc(), "player__name")
    is_foremost = Q(pk__in=best.values("pk")[:foremost])
    asked, is_listed = is_foremost, None
    if page:
        last = page * A_PAGE
        is_listed = Q(pk__in=here.values("pk")[last - A_PAGE : last])
        asked = asked | is_listed
    if viewer is not None:
        asked |= Q(player_id=viewer.pk)
    count = here.order_by().values("game").annotate(count=Count("pk")).values("count")
    next_sealed = state.sealed_visits
    allies = Ally.objects.filter(settler=OuterRef("pk")).order_by("other__player__name")
    return (
        here.filter(asked)
        .select_related(*(("player",) if state.is_read else ("player", "game__isle")))
        .annotate(
            is_foremost=ExpressionWrapper(is_foremost, BooleanField()),
            is_listed=ExpressionWrapper(is_listed, BooleanField())
            if is_listed
            else Value(value=False),
            total=Subquery(count),
            are_ready=Coalesce(Subquery(count.filter(ready=True)), 0),
            alliance=ArraySubquery(allies.values("other__player__name")),
            held=ArraySubquery(HELD),
            sealed=ArraySubquery(next_sealed.values(told=JSONObject(**_VISIT))[:1]),
        )
    )


def _settler(state: State, row: Any) -> Settler:
    stockpile = {each["resource"]: each["amount"] for each in row.held}
    return state.as_settler(row, row.player.name, stockpile)
