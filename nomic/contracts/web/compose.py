"""Writing a contract, with its preview, and giving one another text."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST

from nomic.contracts.actions import ChangeContract, MakeContract
from nomic.contracts.models import Contract
from nomic.contracts.trials import Foreseen, foreseen
from nomic.contracts.web.views import contract_or_404
from nomic.documents.models import LONGEST_TEXT
from nomic.documents.web.compose import drawn_text
from nomic.engine.actions import find_action, legality
from nomic.web.game_context import GamePage
from nomic.web.paging import number_asked
from nomic.web.writing import ActionSheet, for_writers, key_of

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
class ContractSheet(ActionSheet):
    """The form by which a contract is made, or gets another text."""

    about = "contract"
    changes: Contract | None = None

    @property
    def address(self) -> str:
        """Where it is sent."""
        slug = self.game_page.game.slug
        if self.changes:
            return reverse("contract_change", args=[slug, self.changes.number])
        return reverse("contract_new", args=[slug])

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
    def drawn(self) -> SafeString | str:
        """The text as its page will show it; "" while nothing is written."""
        return drawn_text(str(self.form["text"].value() or ""))


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
    return game_page.draw("contracts/_foreseen.html", drawn=drawn_text(text), foreseen=foreseen)


def _foreseen(game_page: GamePage, text: str, changes: Contract | None) -> Foreseen:
    assert game_page.player is not None
    if len(text) > LONGEST_TEXT:
        return Foreseen()
    return foreseen(game_page.table, game_page.player, text, changes)


def _form_page(
    request: HttpRequest, game_page: GamePage, changes: Contract | None = None
) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    table, player = game_page.table, game_page.player
    assert player is not None
    action = find_action(ChangeContract.name if changes else MakeContract.name)
    of_one = {"contract": changes.number} if changes else {}
    is_looked_at = request.POST.get("do") == "look"
    if request.method == "POST":
        sent = {**request.POST.dict(), **of_one}
        # Who only looks at what is written so far is not told what is missing.
        form = action.Form(table, player, **{"initial" if is_looked_at else "data": sent})
    else:
        text = changes.document.text if changes else _EXAMPLE
        title = changes.document.title if changes else ""
        form = action.Form(table, player, initial={"title": title, "text": text, **of_one})
    form.fields["text"].widget.attrs["rows"] = 16
    sheet = ContractSheet(game_page, action, form, key_of(request), changes=changes)
    if request.method == "POST" and not is_looked_at:
        entry = sheet.send(request)
        if isinstance(entry, int):
            return _draw(sheet, status=entry)
        return redirect("contract", game_page.game.slug, entry.outcome["contract"])
    sheet.refusal = legality(action, table, player, of_one)
    return _draw(sheet)


def _draw(sheet: ContractSheet, *, status: int = 200) -> HttpResponse:
    return sheet.game_page.draw("contracts/compose.html", status=status, sheet=sheet)
