"""Drafts of documents, for programs."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Schema, Status
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
from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.clock import iso, wall_now
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.web.api import shapes
from nomic.web.api.messages import sent
from nomic.web.api.rooms import (
    ANY_READ,
    GAME,
    HIGHEST,
    reading,
    room,
    sends,
    somebody,
    the_player,
    the_token,
)
from nomic.web.game_context import GamePage
from nomic.web.record_shapes import Moment

router = room("subgames")
_ALL = f"{GAME}/documents/drafts"
_NO_DRAFT = "You have no such draft: it was published or deleted, or is not yours."
_FULL = "You have {} drafts of documents, which is the most that are kept: delete one first."
_CHANGED = "This draft was changed at {} meanwhile. Read it, and save yours with its `saved_at`."


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


class DocumentTextSeen(DocumentText):
    """The same; with `seen`, the `saved_at` of the draft that the program has, it is refused where
    that was changed meanwhile."""

    seen: str = Field("", max_length=40)


class OwnDocumentDraft(DocumentText):
    """A draft, which its author alone is told. `saved_at` is a wall moment."""

    number: int
    saved_at: Moment


@router.get(_ALL, response=reading(list[OwnDocumentDraft]), auth=somebody)
def document_drafts(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """The caller's own drafts of documents, the newest first."""
    _, player = the_player(request, slug)
    return [*map(_draft_to_dict, player.document_drafts.select_related("revises"))]


@router.post(
    _ALL,
    response={201: OwnDocumentDraft, **ANY_READ, 409: shapes.Refused},
    openapi_extra=sends(DocumentText),
    auth=the_token,
)
def save_document_draft(request: HttpRequest, slug: str) -> Status[Any]:
    """Save a text as a draft, which nobody but the caller sees; 409 where there are too many."""
    page, player = the_player(request, slug)
    text = sent(request, DocumentText)
    if player.document_drafts.count() >= WRITTEN_OF_PLAYER.count:
        return Status(409, Refusal("not_kept", _FULL.format(WRITTEN_OF_PLAYER.count)))
    return Status(201, _save(page, DocumentDraft(player=player), text))


@router.get(f"{_ALL}/{{int:number}}", response=reading(OwnDocumentDraft), auth=somebody)
def document_draft(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """One of the caller's own drafts."""
    _, player = the_player(request, slug)
    return _draft_to_dict(_own_draft(player, number))


@router.put(
    f"{_ALL}/{{int:number}}",
    response={200: OwnDocumentDraft, **ANY_READ, 409: shapes.Refused},
    openapi_extra=sends(DocumentTextSeen),
    auth=the_token,
)
def change_document_draft(request: HttpRequest, slug: str, number: int) -> Status[Any]:
    """Save another text in the place of that draft's."""
    page, player = the_player(request, slug)
    draft, text = _own_draft(player, number), sent(request, DocumentTextSeen)
    if text.seen and text.seen != iso(draft.saved_at):
        refusal = Refusal("changed_elsewhere", _CHANGED.format(iso(draft.saved_at)))
        return Status(409, refusal)
    return Status(200, _save(page, draft, text))


@router.delete(f"{_ALL}/{{int:number}}", response=reading(OwnDocumentDraft), auth=the_token)
def delete_document_draft(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Throw one of the caller's own drafts away."""
    _, player = the_player(request, slug)
    draft = _own_draft(player, number)
    answer = _draft_to_dict(draft)
    draft.delete()
    return answer


def _own_draft(player: Player, number: int) -> DocumentDraft:
    drafts = player.document_drafts.select_related("revises")
    draft = drafts.filter(pk=min(number, HIGHEST)).first()
    if draft is None:
        raise Http404(_NO_DRAFT)
    return draft


def _save(page: GamePage, draft: DocumentDraft, text: DocumentText) -> dict[str, Any]:
    revises: Document | None = document_or_404(page, text.revises) if text.revises else None
    for name in ("kind", "title", "text", "readers", "is_sealed"):
        setattr(draft, name, getattr(text, name))
    draft.revises, draft.saved_at = revises, wall_now()
    draft.save()
    return _draft_to_dict(draft)


def _draft_to_dict(draft: DocumentDraft) -> dict[str, Any]:
    columns = ("kind", "title", "text", "readers", "is_sealed", "saved_at")
    return {
        **{name: getattr(draft, name) for name in columns},
        "number": draft.pk,
        "revises": draft.revises and draft.revises.number,
    }
