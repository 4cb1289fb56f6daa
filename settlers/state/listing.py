"""The Settlers whom a page shows: so many of them, however many there are."""

from dataclasses import dataclass

from django.db.models import Count, Q

from settlers.rules.isle import Settler
from settlers.state.reading import State

A_PAGE = 40


@dataclass(frozen=True, slots=True)
class Listing:
    """Those Settlers of one page of the list by name, and the foremost by number of buildings.

    `total` counts all, `ready` those who are Ready; `page` counts from 1.
    """

    total: int
    ready: int
    page: int
    listed: list[Settler]
    foremost: list[Settler]

    @property
    def pages(self) -> int:
        return max(-(-self.total // A_PAGE), 1)

    @property
    def known(self) -> dict[str, Settler]:
        """All that were read, by name."""
        return {each.name: each for each in (*self.foremost, *self.listed)}


def listing(state: State, page: int, foremost: int) -> Listing:
    """That page of the Settlers (the first where there is no such) and so many of the foremost."""
    counts = state.rows.order_by().aggregate(
        total=Count("pk"), ready=Count("pk", filter=Q(ready=True))
    )
    page = page if (page - 1) * A_PAGE < counts["total"] else 1
    last = page * A_PAGE
    listed = state.read(state.rows.by_name()[last - A_PAGE : last])
    return Listing(counts["total"], counts["ready"], page, listed, state.foremost(foremost))
