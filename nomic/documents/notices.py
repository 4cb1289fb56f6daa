"""Whom a document concerns when it is published (the rule “Documents”)."""

from collections.abc import Iterator

from django.urls import reverse

from nomic.documents.actions import PUBLISH
from nomic.documents.state import state_of
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """Every player, where documents of its kind are told to players."""
    if entry.name != PUBLISH:
        return
    kind = state_of(table).kinds.get(str(entry.inputs["kind"]))
    if kind is not None and kind.is_told:
        url = reverse("document", args=[table.game.slug, entry.outcome["document"]])
        yield Concern(NoticeKind.REPORT, entry.text, url)
