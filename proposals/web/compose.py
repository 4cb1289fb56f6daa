"""Writing a proposal: the form with its live preview, drafts, and revising what is Pending."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import replace_url

from nomic.engine.actions import legality
from nomic.engine.outcomes import Malformed
from nomic.engine.take import take
from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.refusal import Refusal
from nomic.governance.bots import Shelved, shelves
from nomic.record.models import Entry
from nomic.rulebook.limits import LONGEST_TITLE
from nomic.web.action_forms import UNDONE, sent_head, why_undone
from nomic.web.game_context import GamePage, query_word
from nomic.web.paging import number_asked
from nomic.web.proof.receipts import tag_of
from proposals.actions.players import LONGEST_BODY
from proposals.actions.texts import OPEN_SENTENCES
from proposals.api import links_of
from proposals.models import Draft, Proposal
from proposals.state.offices import RULEBOOK
from proposals.state.reading import state_of
from proposals.web.examples import examples, programmed, shipped_laws
from proposals.web.finding import for_authors, open_proposals, proposal_or_404
from proposals.web.preview.on_paper import on_paper
from proposals.web.preview.preview import preview, recorded, too_long
from proposals.web.sheet import (
    Sheet,
    Written,
    delete_draft,
    drafts_of,
)
from proposals.web.ways import NoWay, bold_ideas, made_of, why_open
from proposals.web.writing import new_text

_IDEAS = 5
_DIGITS = 6
_ASKED = ("GET", "HEAD", "POST")


@require_http_methods(_ASKED)
@for_authors
def proposal_new(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """An empty form (GET), or what was written in it: submit, save or look at it (POST)."""
    chosen = query_word(request, "idea")
    idea = next((idea for idea in _ideas(game_page) if idea.title == chosen), None)
    if request.method != "POST" and idea is not None:
        values = {"title": idea.title, "body": idea.as_proposed()}
        return _form_page(request, Sheet(game_page, Written(values)))
    bold = request.method != "POST" and query_word(request, "bold")
    of_game = bold_ideas(game_page.table) if bold else []
    if change := next((change for change in of_game if change.key == bold), None):
        return _form_page(
            request, Sheet(game_page, Written({"title": change.title, "body": change.body}))
        )
    if request.method != "POST" and (amended := number_asked(request, "amend")):
        values = _amendment(game_page, amended)
        return _form_page(request, Sheet(game_page, Written(values)))
    if request.method != "POST" and (again := query_word(request, "again")):
        return _form_page(request, Sheet(game_page, Written.again(_own_proposal(game_page, again))))
    return _form_page(request, Sheet(game_page, Written.sent(request)))


def _amendment(game_page: GamePage, pk: int) -> dict[str, Any]:
    """The beginning of an amendment of that public rule: its text as it is, to be changed; or of a
    transmutation of an immutable one. Raises Http404."""
    rule = game_page.table.rules.find(pk)
    if rule is None or not rule.is_public:
        raise Http404("No such rule is in force. The rulebook lists those that are.")
    called = game_page.table.rules.called(rule)
    named = f"rule {called}" if called == rule.number else f"the rule “{called}”"
    if rule.is_immutable:
        return {
            "title": f"Transmute {rule.title}"[:LONGEST_TITLE],
            "body": f"Transmute {named} into a mutable rule.",
        }
    begun = {
        "title": f"Amend {rule.title}"[:LONGEST_TITLE],
        "body": new_text(f"Amend {named} to read:", rule.text.strip("\n")),
    }
    if rule.power and rule.power > 1 and state_of(game_page.table).edition.period == "each":
        begun["index"] = f"{rule.power.normalize():f}"  # with less it could not change the rule
    return begun


@require_http_methods(_ASKED)
@for_authors
def proposal_draft(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """The form with one of the viewer's own drafts; 404 for everybody else's."""
    if request.method == "POST":
        return _form_page(request, Sheet(game_page, Written.sent(request)))
    draft = _own_draft(game_page, number)
    if draft.revises is not None:
        return redirect("proposal_revise", game_page.game.slug, draft.revises.handle)
    return _form_page(request, Sheet(game_page, Written.of_draft(draft)))


@require_http_methods(_ASKED)
@for_authors
def proposal_revise(request: HttpRequest, game_page: GamePage, handle: str) -> HttpResponse:
    """The form with the viewer's own proposal, or with the draft of its next version."""
    proposal = _own_proposal(game_page, handle)
    assert game_page.player is not None
    if request.method == "POST":
        return _form_page(request, Sheet(game_page, Written.sent(request), revises=proposal))
    draft = None
    if not request.GET.get("afresh"):
        draft = drafts_of(game_page.player).filter(revises=proposal).first()
    written = Written.of_draft(draft) if draft else Written.of_proposal(proposal)
    return _form_page(
        request, Sheet(game_page, written, revises=proposal, from_draft=draft is not None)
    )


@require_POST
@for_authors
def proposal_preview(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The changes that the text in the form would make, as a part of the page; saves it on the
    way."""
    handle = request.POST.get("proposal", "")
    revises = _own_proposal(game_page, handle) if handle else None
    sheet = Sheet(game_page, Written.sent(request), revises=revises)
    saved = sheet.save()
    answer = game_page.draw(
        "proposals/preview/_preview.html", sheet=sheet, preview=sheet.look(), live=True
    )
    if saved is not None and revises is None:
        return replace_url(answer, reverse("proposal_draft", args=[game_page.game.slug, saved.pk]))
    return answer


@require_safe
@for_authors
def proposal_drafts(request: HttpRequest, game_page: GamePage) -> HttpResponse:
    """The viewer's own drafts, newest first."""
    assert game_page.player is not None
    drafts = list(drafts_of(game_page.player).defer("more"))
    return game_page.draw("proposals/drafts.html", drafts=drafts, most=WRITTEN_OF_PLAYER.count)


@require_POST
@for_authors
def proposal_draft_delete(request: HttpRequest, game_page: GamePage, number: int) -> HttpResponse:
    """Throw away one of the viewer's own drafts."""
    _own_draft(game_page, number).delete()
    messages.success(request, "The draft is deleted.")
    return redirect("proposal_drafts", game_page.game.slug)


@require_safe
def proposal_changes(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """The changes that a proposal would make as of now; of a Historical one, those that it made."""
    game_page, state = open_proposals(request, slug)
    proposal = proposal_or_404(state, handle)
    if proposal.closed_in is not None:
        previewed = recorded(game_page.table, proposal)
    else:
        links = links_of([proposal])[proposal.pk]
        written = proposal.remarks, proposal.units
        previewed = preview(game_page.game, None, proposal.body, links, proposal, *written)
    page = "preview/_preview.html" if getattr(request, "htmx", False) else "changes.html"
    foreseen = None
    if not previewed.changes and not previewed.is_worked_out and not previewed.is_record:
        foreseen = on_paper(game_page.table, proposal)  # until the rest is known
    shown: dict[str, Any] = {"proposal": proposal, "preview": previewed, "foreseen": foreseen}
    return game_page.draw(f"proposals/{page}", live=False, **shown)


# The form


def _form_page(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    if request.method != "POST":
        page = sheet.game_page
        sheet.refusal = legality(sheet.action, page.table, page.player, sheet.named)
        return _show(request, sheet, with_preview=not sheet.written.is_blank)
    pressed = request.POST.get("do", "submit")
    if pressed.startswith("way "):
        return _made(request, sheet, pressed)
    if pressed == "look":
        sheet.save()
        return _show(request, sheet, with_preview=True)
    if pressed in ("save", "another"):
        slug = sheet.game_page.game.slug
        if pressed == "another":
            sheet.written = Written(sheet.written.values, window=sheet.written.window)
            sheet.revises = None
        saved = sheet.save()
        if saved is None:
            sheet.not_saved = sheet.not_saved or "There is nothing to save yet."
            return _show(request, sheet, status=409)
        messages.success(request, "Saved as a draft. Nobody but you sees it.")
        if sheet.revises is not None:
            return redirect("proposal_revise", slug, sheet.revises.handle)
        return redirect("proposal_draft", slug, saved.pk)
    return _submit(request, sheet)


def _made(request: HttpRequest, sheet: Sheet, pressed: str) -> HttpResponse:
    """Make of a sentence what was chosen for it, and show the form with the new text."""
    _, way, place, choice = (*pressed.split(" "), "", "")[:4]
    choice = choice or request.POST.get(f"way_{way}_{place}", "")
    body = sheet.written.values.get("body", "").replace("\r\n", "\n")
    remarks = sheet.written.values.get("remarks", "").splitlines()
    at = int(place) if place.isdecimal() and len(place) < _DIGITS else -1
    try:
        if len(body) > LONGEST_BODY:
            raise NoWay(too_long(body))
        body = made_of(sheet.game_page.table, body, remarks, at, way, choice)
    except NoWay as no_way:
        sheet.refusal = Refusal("no_way", str(no_way))
        sheet.save()
        return _show(request, sheet, status=409, with_preview=True)
    written = {**sheet.written.values, "body": body}
    sheet.written = replace(sheet.written, values=written)
    sheet.save()
    return _show(request, sheet, with_preview=True)


def _submit(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    assert request.user.is_authenticated
    assert sheet.game_page.player is not None
    slug, sheet.bound = sheet.game_page.game.slug, True
    try:
        receipt = take(
            *(slug, request.user, sheet.action.name, sheet.inputs, sheet.written.key),
            saw=sent_head(request), asks=True,
        )  # fmt: skip
    except UNDONE as error:
        status, sheet.refusal = why_undone(request, error)
        if isinstance(error, Malformed) and (sentences := error.errors.get("units")):
            sheet.refusal = Refusal("malformed", " ".join(sentences))
        if sheet.refusal and sheet.refusal.code == OPEN_SENTENCES:
            officer = state_of(sheet.game_page.table).officer(RULEBOOK)
            said = why_open(len(sheet.refusal.sentences), officer)
            sheet.refusal = Refusal(OPEN_SENTENCES, said)
        sheet.save()
        return _show(request, sheet, status=status, with_preview=True)
    delete_draft(sheet.game_page.player, sheet.written.key)
    entry = receipt.entry
    assert isinstance(entry, Entry)
    messages.success(request, entry.text, extra_tags=tag_of(entry))
    return redirect("proposal", slug, entry.outcome["proposal"])


def _show(
    request: HttpRequest, sheet: Sheet, *, status: int = 200, with_preview: bool = False
) -> HttpResponse:
    assert sheet.game_page.player is not None
    state = state_of(sheet.game_page.table)
    rules = sheet.game_page.table.rules.public
    is_blank = sheet.written.is_blank and not sheet.revises
    return sheet.game_page.draw(
        "proposals/compose.html",
        status=status,
        sheet=sheet,
        form=sheet.form,
        edition=state.edition,
        preview=sheet.look() if with_preview else None,
        others=drafts_of(sheet.game_page.player).count(),
        examples=examples(
            rules[-1].title if rules else "", classes=sheet.game_page.table.rules.has_classes
        ),
        gallery=programmed(sheet.game_page.table),
        laws=shipped_laws(sheet.game_page.table),
        bold=bold_ideas(sheet.game_page.table) if is_blank else (),
        ideas=_ideas(sheet.game_page) if is_blank else (),
    )


def _ideas(game_page: GamePage) -> list[Shelved]:
    """A few changes that fit the game's rules as they read now, of all that is played."""
    fitting = shelves(game_page.table)
    return fitting[:: max(len(fitting) // _IDEAS, 1)][:_IDEAS]


def _own_draft(game_page: GamePage, number: int) -> Draft:
    assert game_page.player is not None
    draft = drafts_of(game_page.player).filter(pk=number).first()
    if draft is None:
        raise Http404("You have no such draft: it was submitted or deleted, or is not yours.")
    return draft


def _own_proposal(game_page: GamePage, handle: str) -> Proposal:
    proposal = proposal_or_404(state_of(game_page.table), handle)
    if game_page.player is None or proposal.author_id != game_page.player.pk:
        raise Http404(f"{proposal.label} is {proposal.author}'s: only its author can do this.")
    return proposal
