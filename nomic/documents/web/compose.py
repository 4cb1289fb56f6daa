"""Writing a document, with its preview and drafts, and giving one another text."""

import secrets
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST

from nomic.documents.actions import Publish, ReviseDocument
from nomic.documents.models import LONGEST_TEXT, LONGEST_TITLE, Document, DocumentDraft
from nomic.documents.rules import write_refusal
from nomic.documents.state import state_of
from nomic.documents.web.views import document_or_404
from nomic.engine.actions import find_action, legality
from nomic.engine.forms import Text
from nomic.engine.take import take
from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.clock import iso, wall_now
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.record.models import Entry
from nomic.rulebook.rendering.markdown import render
from nomic.web.action_forms import UNDONE, sent_head, why_undone
from nomic.web.game_context import GamePage, open_game
from nomic.web.proof.receipts import tag_of

_ASKED = ("GET", "HEAD", "POST")


class DocumentForm(forms.Form):
    """The fields in which a document is written; the action judges what they say."""

    kind = forms.ChoiceField(label="Kind", required=False)
    title = Text(longest=LONGEST_TITLE, label="Title", required=False)
    text = Text(lines=True, longest=LONGEST_TEXT, strip=False, label="Text", required=False)

    def __init__(self, kinds: list[str], *args: Any, revises: Document | None = None) -> None:
        super().__init__(*args)
        if revises is None:
            self.fields["kind"].choices = [(kind, kind) for kind in kinds]  # type: ignore[attr-defined]
        else:
            del self.fields["kind"]
        self.fields["text"].widget.attrs |= {"rows": 16}


@dataclass
class DocumentSheet:
    """The form as one window has it open. `draft` is the draft that it goes by, `seen` the moment
    at which that was saved when this window got it; `key` makes it count once."""

    game_page: GamePage
    player: Player
    form: DocumentForm
    key: str
    revises: Document | None = None
    draft: DocumentDraft | None = None
    seen: str = ""
    refusal: Refusal | None = None

    @property
    def values(self) -> dict[str, str]:
        """What is written in its fields, as it was typed."""
        return {name: str(self.form[name].value() or "") for name in self.form.fields}

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs of its action."""
        of_one = {"document": self.revises.number} if self.revises else {}
        return {**of_one, **self.values}

    @property
    def action(self) -> str:
        """The name of the action that it is sent to."""
        return ReviseDocument.name if self.revises else Publish.name

    @property
    def address(self) -> str:
        """Where it is sent."""
        slug = self.game_page.game.slug
        if self.revises:
            return reverse("document_revise", args=[slug, self.revises.number])
        return reverse("document_new", args=[slug])

    @property
    def drawn(self) -> str:
        """The text as its page will show it; "" while nothing is written."""
        text = self.values["text"]
        return render(text[:LONGEST_TEXT]) if text.strip() else ""

    def save(self) -> str:
        """Keep what is written as a draft; why it is not kept, as a sentence.

        A draft that another window has saved meanwhile stays as that left it: this one gets its
        own.
        """
        if self.draft is not None and iso(self.draft.saved_at) != self.seen:
            self.draft = None
        if self.draft is None:
            if self.player.document_drafts.count() >= WRITTEN_OF_PLAYER.count:
                return (
                    f"You have {WRITTEN_OF_PLAYER.count} drafts of documents, which is the most"
                    " that are kept for one player: delete one of them first."
                )
            self.draft = DocumentDraft(player=self.player, revises=self.revises)
        for name, words in self.values.items():
            setattr(self.draft, name, words[: LONGEST_TEXT if name == "text" else LONGEST_TITLE])
        self.draft.kind = self.draft.kind[:40]
        self.draft.saved_at = wall_now()
        self.draft.save()
        self.seen = iso(self.draft.saved_at)
        return ""


def _writer(request: HttpRequest, slug: str) -> tuple[GamePage, Player] | HttpResponse:
    """The game's page and the viewer's seat in it; for who cannot write, the way elsewhere."""
    game_page = open_game(request, slug)
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if game_page.player is None or not game_page.seated:
        return redirect("join", slug)
    return game_page, game_page.player


@require_http_methods(_ASKED)
def document_new(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty form (GET), or what was written in it: publish, save or look at it (POST)."""
    return _compose(request, slug)


@require_http_methods(_ASKED)
def document_revise(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The form with the title and text of a document that the viewer may change."""
    return _compose(request, slug, number=number)


@require_http_methods(_ASKED)
def document_draft(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The form with one of the viewer's own drafts; 404 for everybody else's. POST deletes it."""
    if request.method == "POST":
        writer = _writer(request, slug)
        if isinstance(writer, HttpResponse):
            return writer
        _own_draft(writer[1], number).delete()
        messages.success(request, "The draft is deleted.")
        return redirect("documents", slug)
    return _compose(request, slug, draft=number)


@require_POST
def document_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The text that is written, as its page will show it."""
    open_game(request, slug)
    text = request.POST.get("text", "")[:LONGEST_TEXT]
    answer = HttpResponse(render(text) if text.strip() else "")
    add_never_cache_headers(answer)
    return answer


def _compose(
    request: HttpRequest, slug: str, *, number: int | None = None, draft: int | None = None
) -> HttpResponse:
    writer = _writer(request, slug)
    if isinstance(writer, HttpResponse):
        return writer
    sheet = _sheet(request, *writer, number, draft)
    if request.method != "POST":
        action = find_action(sheet.action)
        begun = {"document": sheet.revises.number} if sheet.revises else {}
        sheet.refusal = legality(action, sheet.game_page.table, sheet.player, begun)
        return _draw(sheet)
    pressed = request.POST.get("do", "publish")
    if pressed == "look":
        return _draw(sheet, looks=True)
    if pressed == "save":
        if why_not := sheet.save():
            messages.error(request, why_not)
            return _draw(sheet, status=409)
        assert sheet.draft is not None
        messages.success(request, "Saved as a draft. Nobody but you sees it.")
        return redirect("document_draft", slug, sheet.draft.pk)
    return _publish(request, sheet)


def _publish(request: HttpRequest, sheet: DocumentSheet) -> HttpResponse:
    assert request.user.is_authenticated
    slug = sheet.game_page.game.slug
    try:
        receipt = take(
            slug, request.user, sheet.action, sheet.inputs, sheet.key, saw=sent_head(request)
        )
    except UNDONE as error:
        status, sheet.refusal = why_undone(request, error)
        return _draw(sheet, status=status, looks=True)
    if sheet.draft is not None:
        sheet.draft.delete()
    entry = receipt.entry
    assert isinstance(entry, Entry)
    messages.success(request, entry.text, extra_tags=tag_of(entry))
    return redirect("document", slug, entry.outcome["document"])


def _sheet(
    request: HttpRequest, game_page: GamePage, player: Player, number: int | None, draft: int | None
) -> DocumentSheet:
    """The form as it was sent, or as it begins."""
    sent = request.POST if request.method == "POST" else None
    named = sent.get("draft", "") if sent else str(draft or "")
    own = _own_draft(player, int(named)) if named.isdecimal() and len(named) < 10 else None
    revises = own.revises if own else None
    if number is not None:
        revises = document_or_404(game_page, number)
    begun: dict[str, Any] = {}
    if own:
        begun = {"kind": own.kind, "title": own.title, "text": own.text}
    elif revises:
        begun = {"title": revises.title, "text": revises.text}
    state = state_of(game_page.table)
    offices = state.offices_of(player)
    kinds = [kind.name for kind in state.kinds.values() if not write_refusal(kind, offices)]
    form = DocumentForm(kinds, sent or begun or None, revises=revises)
    seen = sent.get("seen", "")[:40] if sent else iso(own.saved_at) if own else ""
    key = (sent.get("key", "") if sent else "") or secrets.token_urlsafe(12)
    return DocumentSheet(game_page, player, form, key[:80], revises, own, seen)


def _own_draft(player: Player, number: int) -> DocumentDraft:
    draft = player.document_drafts.select_related("revises").filter(pk=number).first()
    if draft is None:
        raise Http404("You have no such draft: it was published or deleted, or is not yours.")
    return draft


def _draw(sheet: DocumentSheet, *, status: int = 200, looks: bool = False) -> HttpResponse:
    answer = sheet.game_page.draw(
        "documents/compose.html", status=status, sheet=sheet, form=sheet.form, looks=looks
    )
    add_never_cache_headers(answer)
    return answer
