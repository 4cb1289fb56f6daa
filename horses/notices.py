"""Whom the races' part of the record concerns."""

from collections.abc import Iterator

from django.urls import reverse

from horses.state import RUN_EVENT
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """The end of a race, of which every player is told."""
    if entry.name == RUN_EVENT and entry.outcome.get("race_ended"):
        url = reverse("horses", args=[table.game.slug])
        yield Concern(NoticeKind.RESULT, f"The race is over. {entry.text}", url)
