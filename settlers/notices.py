"""Whom the isle's part of the record concerns."""

from collections.abc import Iterator

from django.urls import reverse

from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry

_OFFER = "settlers.offer_trade"


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """An offer, for the Settler who got it; it is public like all trades."""
    if entry.name == _OFFER:
        to = table.game.players.filter(name=entry.inputs["to"]).values_list("pk", flat=True)
        url = reverse("settlers", args=[table.game.slug])
        yield Concern(NoticeKind.OFFER, entry.text, url, frozenset(to))
