"""Whom a document concerns when it is published (the rule “Documents”)."""

from collections.abc import Iterator

from django.urls import reverse

from nomic.documents.actions.publishing import PUBLISH
from nomic.documents.actions.sealing import OPEN
from nomic.documents.actions.undoubted import DOUBT
from nomic.documents.models import Document, SealedDocument
from nomic.documents.state import state_of
from nomic.engine.outcomes import Concern, NoticeKind
from nomic.engine.table import Table
from nomic.record.models import Entry


def concerns(table: Table, entry: Entry) -> Iterator[Concern]:
    """Every player, where documents of its kind are told to players, whoever or whatever publishes
    them; of one that is opened, for whom it was sealed."""
    if "programs" in entry.outcome:
        documents = Document.objects.filter(game=table.game, entry=entry.seq, author=None)
        for document in documents.order_by("number"):
            text = f"“{document.rule}” publishes {document} ({document.kind}), “{document.title}”."
            yield from _for_every_player(table, document.kind, document.number, text)
    if entry.name == PUBLISH:
        kind, number = str(entry.inputs["kind"]), entry.outcome["document"]
        yield from _for_every_player(table, kind, number, entry.text)
    elif entry.name == DOUBT:
        doubted = Document.objects.filter(game=table.game, number=entry.outcome["document"])
        url = reverse("document", args=[table.game.slug, entry.outcome["document"]])
        authors = frozenset(filter(None, doubted.values_list("author", flat=True)))
        yield Concern(NoticeKind.NAMED, f"This is about you: {entry.text}", url, authors)
    elif entry.name == OPEN:
        sealed = SealedDocument.objects.filter(game=table.game, number=entry.inputs["document"])
        readers = sealed.values_list("readers__player", flat=True)
        url = reverse("document", args=[table.game.slug, entry.outcome["document"]])
        yield Concern(NoticeKind.REPORT, entry.text, url, frozenset(filter(None, readers)))


def _for_every_player(table: Table, kind: str, number: int, text: str) -> Iterator[Concern]:
    """The text for every player, where the table says that documents of that kind are told."""
    kind_of_document = state_of(table).kinds.get(kind)
    if kind_of_document is not None and kind_of_document.is_told:
        url = reverse("document", args=[table.game.slug, number])
        yield Concern(NoticeKind.REPORT, text, url, about=f"document/{number}")
