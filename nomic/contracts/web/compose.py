"""Writing a contract, with its preview and drafts, and giving one another text."""

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from nomic.contracts.actions import ChangeContract, MakeContract
from nomic.contracts.models import Contract, ContractDraft
from nomic.contracts.trials import Foreseen, foreseen
from nomic.contracts.web.views import contract_or_404, drafts_of, form_address
from nomic.documents.models import LONGEST_TEXT
from nomic.engine.actions import find_action, legality
from nomic.games.clock import iso
from nomic.web.game_context import GamePage
from nomic.web.paging import number_asked, number_of
from nomic.web.writing import DraftSheet, drawn_text, for_writers, key_of

_ASKED = ("GET", "HEAD", "POST")
_for_writers = for_writers("contract_new")
_EXAMPLE = """\
We share what our horses win.

| CONTRACT | SAYS |
| --- | --- |
| Entered by | all parties |
| Left by | announcement |
| Changed by | all parties |
| Pays by | most parties |
"""


@dataclass
class ContractSheet(DraftSheet):
    """The form by which a contract is made, or gets another text."""

    about = "contract"
    noun = "contracts"
    draft: ContractDraft | None = None
    changes: Contract | None = None

    @property
    def address(self) -> str:
        """Where it is sent, and its draft is found again."""
        return form_address(self.game_page, self.changes)

    @property
    def previewed_at(self) -> str:
        """Where its text is sent to be previewed."""
        address = reverse("contract_preview", args=[self.game_page.game.slug])
        return f"{address}?contract={self.changes.number}" if self.changes else address

    @property
    def foreseen(self) -> Foreseen:
        """What its text would let be done."""
        return _foreseen(self.game_page, str(self.form["text"].value() or ""), self.changes)

    @property
    def drafts(self) -> QuerySet[ContractDraft]:
        """The viewer's own drafts. Nobody else's are ever asked for."""
        return drafts_of(self.game_page)

    def new_draft(self) -> ContractDraft:
        """A draft of a contract, or of another text for that one."""
        return ContractDraft(player=self.game_page.player, changes=self.changes)

    def fill_draft(self) -> None:
        """Let the draft say what is written."""
        for field in self.fields:
            setattr(self.draft, field.name, field.value() or "")


@require_http_methods(_ASKED)
@_for_writers
def contract_new(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """A form with the rows of the terms (GET), or what was written in it: make it or look at it
    (POST)."""
    return _form_page(request, game_page)


@require_http_methods(_ASKED)
@_for_writers
def contract_change(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form with the title and text of a contract, to be given others."""
    return _form_page(request, game_page, contract_or_404(game_page, number))


@require_POST
@_for_writers
def contract_preview(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The text that is written, as its page will show it, and what it would let be done."""
    number, text = number_asked(request, "contract"), request.POST.get("text", "")
    changes = contract_or_404(game_page, number) if number else None
    foreseen = _foreseen(game_page, text, changes)
    return game_page.draw(
        "contracts/_foreseen.html", drawn=drawn_text(text, LONGEST_TEXT), foreseen=foreseen
    )


def _foreseen(game_page: GamePage, text: str, changes: Contract | None) -> Foreseen:
    assert game_page.player is not None
    if len(text) > LONGEST_TEXT:
        return Foreseen()
    return foreseen(game_page.table, game_page.player, text, changes)


def _form_page(
    request: HttpRequest, game_page: GamePage, changes: Contract | None = None
) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    sheet, button = _sheet(request, game_page, changes), request.POST.get("do")
    if request.method == "POST" and button == "delete":
        if sheet.draft is not None:
            sheet.draft.delete()
            messages.success(request, "The draft is deleted.")
        return redirect("contracts", game_page.game.slug)
    if request.method == "POST" and button == "save":
        if status := sheet.keep(request):
            return _draw(sheet, status=status)
        assert sheet.draft is not None
        return redirect(f"{sheet.address}?draft={sheet.draft.pk}")
    if request.method != "POST" or button == "look":
        begun = {"contract": changes.number} if changes else {}
        sheet.refusal = legality(sheet.action, game_page.table, game_page.player, begun)
        return _draw(sheet)
    entry = sheet.send(request)
    if isinstance(entry, int):
        return _draw(sheet, status=entry)
    sheet.delete_draft()
    return redirect("contract", game_page.game.slug, entry.outcome["contract"])


def _sheet(request: HttpRequest, game_page: GamePage, changes: Contract | None) -> ContractSheet:
    """The form as it was sent, or as it begins."""
    table, player = game_page.table, game_page.player
    action = find_action(ChangeContract.name if changes else MakeContract.name)
    of_one = {"contract": changes.number} if changes else {}
    number = request.POST.get("draft") or request.GET.get("draft")
    draft = drafts_of(game_page).filter(changes=changes, pk=number_of(number) or 0).first()
    if request.method == "POST":
        sent = {**request.POST.dict(), **of_one}
        # Who only looks at what is written so far is not told what is missing.
        is_looked_at = sent.get("do") == "look"
        form = action.Form(table, player, **{"initial" if is_looked_at else "data": sent})
        saved_at = request.POST.get("saved_at", "")[:40]
    else:
        begun = draft or (changes.document if changes else None)
        title, text = (begun.title, begun.text) if begun else ("", _EXAMPLE)
        form = action.Form(table, player, initial={"title": title, "text": text, **of_one})
        saved_at = iso(draft.saved_at) if draft else ""
    form.fields["text"].widget.attrs["rows"] = 16
    return ContractSheet(
        *(game_page, action, form, key_of(request)),
        changes=changes,
        draft=draft,
        saved_at=saved_at,
    )


def _draw(sheet: ContractSheet, *, status: int = 200) -> HttpResponse:
    return sheet.game_page.draw("contracts/compose.html", status=status, sheet=sheet)
