"""Writing a document, with its preview and drafts, and giving one another text."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from nomic.documents.actions.publishing import Publish, ReviseDocument
from nomic.documents.actions.sealing import ReviseSealedDocument, SealDocument
from nomic.documents.models import LONGEST_TEXT, Document, DocumentDraft, SealedDocument
from nomic.documents.state import state_of
from nomic.documents.web.views import document_or_404, drafts_of
from nomic.engine.actions import find_action, legality
from nomic.games.clock import iso
from nomic.web.game_context import GamePage
from nomic.web.paging import number_of
from nomic.web.writing import DraftSheet, drawn_text, for_writers, key_of

_ASKED = ("GET", "HEAD", "POST")
_for_writers = for_writers("document_new")


@dataclass
class DocumentSheet(DraftSheet):
    """The form by which a document is written, or gets another text."""

    about = "document"
    noun = "documents"
    draft: DocumentDraft | None = None
    revises: Document | None = None
    reseals: SealedDocument | None = None

    @property
    def address(self) -> str:
        """Where it is sent."""
        slug = self.game_page.game.slug
        if self.reseals:
            return reverse("document_reseal", args=[slug, self.reseals.number])
        if self.revises:
            return reverse("document_revise", args=[slug, self.revises.number])
        return reverse("document_seal" if self.is_sealed else "document_new", args=[slug])

    @property
    def previewed_at(self) -> str:
        """Where its text is sent to be previewed."""
        return reverse("document_preview", args=[self.game_page.game.slug])

    @property
    def is_sealed(self) -> bool:
        """Whether what is written is to be sealed."""
        return isinstance(self.action, SealDocument | ReviseSealedDocument)

    @property
    def drafts(self) -> QuerySet[DocumentDraft]:
        """The viewer's own drafts. Nobody else's are ever asked for."""
        return drafts_of(self.game_page)

    def new_draft(self) -> DocumentDraft:
        """A draft of such a document, or of that one's next version."""
        return DocumentDraft(
            player=self.game_page.player, revises=self.revises, is_sealed=self.is_sealed
        )

    def fill_draft(self) -> None:
        """Let the draft say what is written."""
        for field in self.fields:
            setattr(self.draft, field.name, field.value() or "")


@require_http_methods(_ASKED)
@_for_writers
def document_new(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """An empty form (GET), or what was written in it: publish, save or look at it (POST)."""
    return _form_page(request, _sheet(request, game_page))


@require_http_methods(_ASKED)
@_for_writers
def document_seal(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The form for a document of a kind that not everybody sees."""
    return _form_page(request, _sheet(request, game_page, seals=True))


@require_http_methods(_ASKED)
@_for_writers
def document_revise(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form with the title and text of a document that the viewer may change."""
    document = document_or_404(game_page, number)
    return _form_page(request, _sheet(request, game_page, revises=document))


@require_http_methods(_ASKED)
@_for_writers
def document_reseal(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form with the title and text of a document that the viewer has sealed; no drafts are
    kept of it."""
    table, player = game_page.table, game_page.player
    sealed = state_of(table).sealed_for(player).filter(author=player, number=number).first()
    if sealed is None:
        raise Http404("You have sealed no such document.")
    action = find_action(ReviseSealedDocument.name)
    stored = {"title": sealed.title, "text": sealed.text, "document": number}
    sent = {**request.POST.dict(), "document": number}
    is_sent = request.method == "POST" and request.POST.get("do") != "look"
    as_it_is = sent if request.method == "POST" else stored
    form = action.Form(table, player, **{"data" if is_sent else "initial": as_it_is})
    form.fields["text"].widget.attrs["rows"] = 16
    sheet = DocumentSheet(game_page, action, form, key_of(request), reseals=sealed)
    if not is_sent:
        sheet.refusal = legality(action, table, player, {"document": number})
        return _draw(sheet)
    entry = sheet.send(request)
    if isinstance(entry, int):
        return _draw(sheet, status=entry)
    return redirect("document", game_page.game.slug, number)


@require_http_methods(_ASKED)
@_for_writers
def document_draft(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form with one of the viewer's own drafts; 404 for everybody else's. POST deletes it."""
    draft = drafts_of(game_page).filter(pk=number).first()
    if draft is None:
        raise Http404("You have no such draft: it was published or deleted, or is not yours.")
    if request.method == "POST":
        draft.delete()
        messages.success(request, "The draft is deleted.")
        return redirect("documents", game_page.game.slug)
    return _form_page(
        request, _sheet(request, game_page, draft.revises, draft, seals=draft.is_sealed)
    )


@require_POST
@_for_writers
def document_preview(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The text that is written, as its page will show it."""
    return HttpResponse(drawn_text(request.POST.get("text", ""), LONGEST_TEXT))


def _sheet(
    request: HttpRequest,
    game_page: GamePage,
    revises: Document | None = None,
    draft: DocumentDraft | None = None,
    *,
    seals: bool = False,
) -> DocumentSheet:
    """The form as it was sent, or as it begins."""
    table, player = game_page.table, game_page.player
    assert player is not None
    writes = SealDocument if seals else Publish
    action = find_action(ReviseDocument.name if revises else writes.name)
    of_one = {"document": revises.number} if revises else {}
    if request.method == "POST":
        sent = {**request.POST.dict(), **of_one}
        # Who only looks at what is written so far is not told what is missing.
        is_looked_at = sent.get("do") == "look"
        form = action.Form(table, player, **{"initial" if is_looked_at else "data": sent})
        saved_at = request.POST.get("saved_at", "")[:40]
        draft = drafts_of(game_page).filter(pk=number_of(request.POST.get("draft")) or 0).first()
    else:
        begun = draft or revises
        names = ("kind", "title", "text", *(["readers"] if seals else [])) if begun else ()
        initial = {name: getattr(begun, name) for name in names}
        form = action.Form(table, player, initial={**initial, **of_one})
        saved_at = iso(draft.saved_at) if draft else ""
    form.fields["text"].widget.attrs["rows"] = 16
    if "kind" in form.fields:
        state = state_of(table)
        kinds = [
            kind.name
            for kind in state.kinds.values()
            if kind.is_sealed == seals and not state.write_refusal(kind, player)
        ]
        form.fields["kind"].widget.choices = [(kind, kind) for kind in kinds]
    return DocumentSheet(
        *(game_page, action, form, key_of(request)),
        revises=revises,
        draft=draft,
        saved_at=saved_at,
    )


def _form_page(request: HttpRequest, sheet: DocumentSheet) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    page = sheet.game_page
    if request.method != "POST":
        begun = {"document": sheet.revises.number} if sheet.revises else {}
        sheet.refusal = legality(sheet.action, page.table, page.player, begun)
        return _draw(sheet)
    pressed = request.POST.get("do", "publish")
    if pressed == "look":
        return _draw(sheet)
    if pressed == "save":
        if status := sheet.keep(request):
            return _draw(sheet, status=status)
        assert sheet.draft is not None
        return redirect("document_draft", page.game.slug, sheet.draft.pk)
    entry = sheet.send(request)
    if isinstance(entry, int):
        return _draw(sheet, status=entry)
    sheet.delete_draft()
    return redirect("document", page.game.slug, entry.outcome["document"])


def _draw(sheet: DocumentSheet, *, status: int = 200) -> HttpResponse:
    return sheet.game_page.draw("documents/compose.html", status=status, sheet=sheet)
