"""The documents of a game as plain values: what the API answers."""

from django.db.models import Q

from nomic.documents.models import Document, SealedDocument
from nomic.documents.shapes import DocumentShape, WholeDocumentShape
from nomic.documents.state import is_on, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.passages import passages_of


def documents_state(table: Table, player: Player | None) -> list[DocumentShape] | None:
    """All documents of the game that this player sees, the oldest first and then those that are
    sealed, without their texts; None where the game has no rule that lets documents be, and
    none."""
    state = state_of(table)
    documents = state.documents.order_by("number").defer("text")
    listed = [_line(document) for document in documents]
    listed += [_sealed(document) for document in state.sealed_for(player).defer("text")]
    return listed if listed or is_on(table) else None


def whole_document(table: Table, player: Player | None, number: str) -> WholeDocumentShape | None:
    """The document of that number, whole, as that player sees it; None where there is none. One
    that was opened is found by the number that it had, too."""
    if not (number.isascii() and number.isdecimal() and len(number) < 11):
        return None
    state = state_of(table)
    called = Q(number=int(number)) | Q(sealed_as__number=int(number))
    document = state.documents.filter(called).first()
    if document is None:
        sealed = state.sealed_for(player).filter(number=int(number)).first()
        if sealed is None:
            return None
        passages = [passage.text for passage in passages_of(sealed.text)]
        return {**_sealed(sealed), "text": sealed.text, "passages": passages, "versions": []}
    versions = document.versions.select_related("by")
    return {
        **_line(document),
        "text": document.text,
        "passages": [passage.text for passage in passages_of(document.text)],
        "versions": [
            {
                "number": version.number,
                "title": version.title,
                "by": version.by.name if version.by else document.author_name,
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
        "author": document.author_name,
        "version": document.version,
        "entry": document.entry,
        "withdrawn_in": document.withdrawn_in,
        "doubted_in": document.doubted_in,
        "undoubted_in": document.undoubted_in,
        "visible_to": "everybody",
    }


def _sealed(document: SealedDocument) -> DocumentShape:
    readers = document.readers.values_list("player__name", flat=True)
    return {
        "number": document.number,
        "kind": document.kind,
        "title": document.title,
        "author": document.author.name,
        "version": 1,
        "entry": None,
        "withdrawn_in": None,
        "doubted_in": None,
        "undoubted_in": None,
        "visible_to": [document.author.name, *readers],
    }
