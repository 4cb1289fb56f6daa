"""Documents by their words, and those that stand behind an entry."""

from django.db.models import QuerySet
from django.urls import reverse

from nomic.documents.models import Document
from nomic.documents.state import state_of
from nomic.engine.subgames import Trace
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.search import Hit, marked, matching
from nomic.governance.reports import PUBLISH_DOCUMENT
from nomic.record.models import Entry


def search_hits(games: QuerySet[Game], words: str, limit: int) -> list[Hit]:
    """The documents of these games that say the words, as they read now, the best first."""
    rows = Document.objects.filter(game__in=games).select_related("game")
    return [
        Hit(
            document.game.slug,
            document.game.title,
            f"{document}: {document.title}",
            reverse("document", args=[document.game.slug, document.number]),
            marked(document.excerpt),  # type: ignore[attr-defined]
        )
        for document in matching(rows, ("title", "text"), words, limit)
    ]


def document_named(table: Table, player: Player | None, name: str) -> Trace | None:
    """The document of that number."""
    if not (name.isascii() and name.isdecimal() and len(name) < 10):
        return None
    document = state_of(table).documents.filter(number=int(name)).defer("text").first()
    if document is None:
        return None
    url = reverse("document", args=[table.game.slug, document.number])
    return Trace(document.entry, str(document), url, document.title)


def traces_of(game: Game, entry: Entry) -> list[Trace]:
    """The document that the entry published, changed, withdrew or opened, or that is a report."""
    is_of_one = entry.name.startswith("documents.") or entry.name == PUBLISH_DOCUMENT
    number = entry.outcome.get("document") if is_of_one else None
    document = Document.objects.filter(game=game, number=number).first() if number else None
    if document is None:
        return []
    url = reverse("document", args=[game.slug, document.number])
    return [Trace(entry.seq, str(document), url, document.title)]
