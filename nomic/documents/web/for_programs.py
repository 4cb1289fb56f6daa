"""Drafts of documents, for programs."""

from typing import Any

from ninja import Schema
from pydantic import ConfigDict, Field

from nomic.documents.models import (
    LONGEST_READERS,
    LONGEST_TEXT,
    LONGEST_TITLE,
    Document,
    DocumentDraft,
)
from nomic.documents.rules import LONGEST_KIND
from nomic.documents.web.views import document_or_404
from nomic.web.api.drafts import DraftsOfRoom, add_drafts
from nomic.web.api.rooms import HIGHEST, room
from nomic.web.game_context import GamePage
from nomic.web.record_shapes import Moment

router = room("subgames")
_TEXTS = ("kind", "title", "text", "readers", "is_sealed")


class DocumentText(Schema):
    """What is written of a document, as `documents.publish` takes it, or `documents.seal` for the
    `readers` where it is to be sealed. `revises` is the document that is to get it as its text."""

    model_config = ConfigDict(extra="forbid")

    kind: str = Field("", max_length=LONGEST_KIND)
    title: str = Field("", max_length=LONGEST_TITLE)
    text: str = Field("", max_length=LONGEST_TEXT)
    readers: str = Field("", max_length=LONGEST_READERS)
    is_sealed: bool = False
    revises: int | None = Field(None, ge=1, le=HIGHEST)


class OwnDocumentDraft(DocumentText):
    """A draft, which its author alone is told. `saved_at` is a wall moment."""

    number: int
    saved_at: Moment


def _write(page: GamePage, draft: DocumentDraft, text: DocumentText) -> None:
    revises: Document | None = document_or_404(page, text.revises) if text.revises else None
    for name in _TEXTS:
        setattr(draft, name, getattr(text, name))
    draft.revises = revises


def _draft_to_dict(draft: DocumentDraft) -> dict[str, Any]:
    return {
        **{name: getattr(draft, name) for name in _TEXTS},
        "number": draft.pk,
        "saved_at": draft.saved_at,
        "revises": draft.revises and draft.revises.number,
    }


add_drafts(
    router,
    DraftsOfRoom(
        name="document",
        noun="documents",
        text_shape=DocumentText,
        draft_shape=OwnDocumentDraft,
        rows=lambda player: player.document_drafts.select_related("revises"),
        new=lambda player: DocumentDraft(player=player),
        write=_write,
        to_dict=_draft_to_dict,
    ),
)
