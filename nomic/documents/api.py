"""The documents of a game as plain values: what the API answers."""

from nomic.documents.models import Document
from nomic.documents.shapes import DocumentShape, WholeDocumentShape
from nomic.documents.state import is_on, state_of
from nomic.engine.table import Table
from nomic.rulebook.passages import passages_of


def documents_state(table: Table) -> list[DocumentShape] | None:
    """All documents of the game, the oldest first, without their texts; None where the game has no
    rule that lets documents be, and none."""
    documents = state_of(table).documents.order_by("number").defer("text")
    listed = [_line(document) for document in documents]
    return listed if listed or is_on(table) else None


def whole_document(table: Table, number: str) -> WholeDocumentShape | None:
    """The document of that number, whole; None where there is none."""
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    document = state_of(table).documents.filter(number=int(number)).first()
    if document is None:
        return None
    versions = document.versions.select_related("by")
    return {
        **_line(document),
        "text": document.text,
        "passages": [passage.text for passage in passages_of(document.text)],
        "versions": [
            {
                "number": version.number,
                "title": version.title,
                "by": version.by.name,
                "entry": version.entry,
            }
            for version in versions
        ],
    }


def _line(document: Document) -> DocumentShape:
    return {
        "number": document.number,
        "kind": document.kind,
        "title": document.title,
        "author": document.author.name,
        "version": document.version,
        "entry": document.entry,
        "withdrawn_in": document.withdrawn_in,
        "visible_to": "everybody",
    }
