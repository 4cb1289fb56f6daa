"""Writing a proposal: the form with its live preview, drafts, and revising what is Pending."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, replace_url

from nomic.engine.actions import legality
from nomic.engine.take import take
from nomic.games.refusal import Refusal
from nomic.record.models import Entry
from nomic.web.action_forms import UNDONE, why_undone
from nomic.web.game_page import GamePage
from proposals.models import Draft, Proposal
from proposals.state.reading import Handle, state_of
from proposals.web import drafts
from proposals.web.examples import examples, programmed
from proposals.web.finding import open_proposals, the_proposal
from proposals.web.preview.preview import preview, recorded
from proposals.web.sheet import Sheet, from_draft, from_proposal, links_of, token, written_in

_ASKED = ("GET", "HEAD", "POST")


@require_http_methods(_ASKED)
def proposal_new(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty form (GET), or what was written in it: submit, save or look at it (POST)."""
    game_page, away = _come_in(request, slug)
    if away is not None:
        return away
    return _desk(request, Sheet(game_page, written_in(request)))


@require_http_methods(_ASKED)
def proposal_draft(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The form with one of the viewer's own drafts; 404 for everybody else's."""
    game_page, away = _come_in(request, slug)
    if away is not None:
        return away
    if request.method == "POST":
        return _desk(request, Sheet(game_page, written_in(request)))
    draft = _own_draft(game_page, number)
    if draft.revises is not None:
        return redirect("proposal_revise", slug, draft.revises.handle)
    return _desk(request, Sheet(game_page, from_draft(draft)))


@require_http_methods(_ASKED)
def proposal_revise(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """The form with the viewer's own proposal, or with the draft of its next version."""
    game_page, away = _come_in(request, slug)
    if away is not None:
        return away
    proposal = _proposal(game_page, handle)
    assert game_page.player is not None
    if proposal.author_id != game_page.player.pk:
        raise Http404(f"{proposal.label} is {proposal.author}'s: only its author revises it.")
    draft = None
    if request.method != "POST" and not request.GET.get("afresh"):
        draft = drafts.drafts_of(game_page.player).filter(revises=proposal).first()
    if request.method == "POST":
        written = written_in(request)
    else:
        written = from_draft(draft) if draft else from_proposal(proposal)
    return _desk(request, Sheet(game_page, written, revises=proposal, from_draft=draft is not None))


@require_POST
def proposal_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What the text in the form would change, as a part of the page; it is saved on the way."""
    game_page, away = _come_in(request, slug)
    if away is not None:
        return away
    handle = request.POST.get("proposal", "")
    revises = _proposal(game_page, handle) if handle else None
    if revises is not None and game_page.player and revises.author_id != game_page.player.pk:
        raise Http404(f"{revises.label} is {revises.author}'s: only its author revises it.")
    sheet = Sheet(game_page, written_in(request), revises=revises)
    saved = sheet.save()
    context = {"game_page": game_page, "sheet": sheet, "preview": sheet.look(), "live": True}
    answer = render(request, "proposals/preview/_preview.html", context)
    add_never_cache_headers(answer)
    if saved is not None and revises is None:
        return replace_url(answer, reverse("proposal_draft", args=[slug, saved.pk]))
    return answer


@require_safe
def proposal_drafts(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own drafts, newest first."""
    game_page, away = _come_in(request, slug)
    if away is not None:
        return away
    assert game_page.player is not None
    own = list(drafts.drafts_of(game_page.player).defer("more"))
    context = {"game_page": game_page, "drafts": own, "most": drafts.MOST_DRAFTS}
    answer = render(request, "proposals/drafts.html", context)
    add_never_cache_headers(answer)
    return answer


@require_POST
def proposal_draft_delete(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Throw away one of the viewer's own drafts."""
    game_page, away = _come_in(request, slug)
    if away is not None:
        return away
    _own_draft(game_page, number).delete()
    messages.success(request, "The draft is deleted.")
    return redirect("proposal_drafts", slug)


@require_safe
def proposal_changes(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """What a proposal would change as of now; of a Historical one, what it did change."""
    game_page, state = open_proposals(request, slug)
    proposal = the_proposal(state, handle)
    if proposal.closed_in is not None:
        found = recorded(game_page, proposal)
    else:
        links = links_of(proposal)
        found = preview(game_page.game, None, proposal.body, links, own=proposal)
    context = {"game_page": game_page, "proposal": proposal, "preview": found, "live": False}
    page = "preview/_preview.html" if getattr(request, "htmx", False) else "changes.html"
    return render(request, f"proposals/{page}", context)


# The form


def _desk(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    if request.method != "POST":
        sheet.refusal = legality(
            sheet.action, sheet.game_page.table, sheet.game_page.player, _whose(sheet)
        )
        return _show(request, sheet, with_preview=not sheet.written.is_blank)
    pressed = request.POST.get("do", "submit")
    if pressed == "look":
        sheet.save()
        return _show(request, sheet, with_preview=True)
    if pressed in ("save", "another"):
        return _save(request, sheet, anew=pressed == "another")
    return _submit(request, sheet)


def _whose(sheet: Sheet) -> dict[str, Handle]:
    return {"proposal": sheet.revises.handle} if sheet.revises else {}


def _save(request: HttpRequest, sheet: Sheet, *, anew: bool) -> HttpResponse:
    slug = sheet.game_page.game.slug
    if anew:
        sheet.written = drafts.Written(sheet.written.values, token(), sheet.written.window)
        sheet.revises = None
    saved = sheet.save()
    if saved is None:
        sheet.not_saved = sheet.not_saved or "There is nothing to save yet."
        return _show(request, sheet, status=409)
    messages.success(request, "Saved as a draft. Nobody but you sees it.")
    if sheet.revises is not None:
        return redirect("proposal_revise", slug, sheet.revises.handle)
    return redirect("proposal_draft", slug, saved.pk)


def _submit(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    assert request.user.is_authenticated
    assert sheet.game_page.player is not None
    slug, sheet.bound = sheet.game_page.game.slug, True
    try:
        receipt = take(slug, request.user, sheet.action.name, sheet.inputs, sheet.written.key)
    except UNDONE as error:
        return _again(request, sheet, *why_undone(error))
    drafts.forget(sheet.game_page.player, sheet.written.key)
    entry = receipt.entry
    assert isinstance(entry, Entry)
    messages.success(request, entry.text, extra_tags=str(entry.seq))
    return redirect("proposal", slug, entry.outcome["proposal"])


def _again(
    request: HttpRequest, sheet: Sheet, status: int, refusal: Refusal | None = None
) -> HttpResponse:
    """The filled form once more, saved meanwhile, with what stands against it."""
    sheet.refusal = refusal
    sheet.save()
    return _show(request, sheet, status=status, with_preview=True)


def _show(
    request: HttpRequest, sheet: Sheet, *, status: int = 200, with_preview: bool = False
) -> HttpResponse:
    assert sheet.game_page.player is not None
    state = state_of(sheet.game_page.table)
    rules = sheet.game_page.table.rules.public
    context = {
        "game_page": sheet.game_page,
        "sheet": sheet,
        "form": sheet.form,
        "edition": state.edition,
        "preview": sheet.look() if with_preview else None,
        "others": drafts.drafts_of(sheet.game_page.player).count(),
        "examples": examples(rules[-1].title if rules else ""),
        "gallery": programmed(sheet.game_page.table),
    }
    answer = render(request, "proposals/compose.html", context, status=status)
    add_never_cache_headers(answer)
    return answer


# Coming in


def _come_in(request: HttpRequest, slug: str) -> tuple[GamePage, HttpResponse | None]:
    """The game's page, and where else those are sent who cannot write proposals here."""
    game_page, _ = open_proposals(request, slug)
    if not request.user.is_authenticated:
        return game_page, _elsewhere(request, redirect_to_login(_home(request, slug)))
    if not game_page.seated:
        return game_page, _elsewhere(request, redirect("join", slug))
    return game_page, None


def _home(request: HttpRequest, slug: str) -> str:
    """Where signing in leads back to: this page, or where nothing is asked for by GET, the new."""
    return (
        request.get_full_path() if request.method == "GET" else reverse("proposal_new", args=[slug])
    )


def _elsewhere(request: HttpRequest, away: HttpResponse) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(away["Location"])
    return away


def _own_draft(game_page: GamePage, number: int) -> Draft:
    assert game_page.player is not None
    draft = drafts.drafts_of(game_page.player).filter(pk=number).first()
    if draft is None:
        raise Http404("You have no such draft: it was submitted or deleted, or is not yours.")
    return draft


def _proposal(game_page: GamePage, handle: str) -> Proposal:
    return the_proposal(state_of(game_page.table), handle)
