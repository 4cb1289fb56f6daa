"""Writing a proposal: the form with its live preview, drafts, and revising what is Pending."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, replace_url

from nomic.games.clock import iso
from nomic.games.refusal import Refusal
from nomic.play.actions import Action, find_action, legality
from nomic.play.frame import Frame
from nomic.play.outcomes import Busy, Malformed, Refused
from nomic.play.take import take
from nomic.record.models import Entry
from proposals import drafts
from proposals.actions import ContentForm
from proposals.examples import EXAMPLES
from proposals.models import Draft, Link, LinkKind, Proposal
from proposals.preview import Preview, preview, recorded
from proposals.state import Handle, read_handle, state_of
from proposals.views.finding import open_proposals, the_proposal

_KEY = re.compile(r"[\w-]{8,60}", re.ASCII)
_ASKED = ("GET", "HEAD", "POST")


@require_http_methods(_ASKED)
def proposal_new(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty form (GET), or what was written in it: submit, save or look at it (POST)."""
    frame, away = _come_in(request, slug)
    if away is not None:
        return away
    return _desk(request, Sheet(frame, _written(request)))


@require_http_methods(_ASKED)
def proposal_draft(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The form with one of the viewer's own drafts; 404 for everybody else's."""
    frame, away = _come_in(request, slug)
    if away is not None:
        return away
    if request.method == "POST":
        return _desk(request, Sheet(frame, _written(request)))
    draft = _own_draft(frame, number)
    if draft.revises is not None:
        return redirect("proposal_revise", slug, draft.revises.handle)
    return _desk(request, Sheet(frame, _from_draft(draft)))


@require_http_methods(_ASKED)
def proposal_revise(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """The form with the viewer's own proposal, or with the draft of its next version."""
    frame, away = _come_in(request, slug)
    if away is not None:
        return away
    proposal = _proposal(frame, handle)
    assert frame.player is not None
    if proposal.author_id != frame.player.pk:
        raise Http404(f"{proposal.label} is {proposal.author}'s: only its author revises it.")
    draft = None
    if request.method != "POST" and not request.GET.get("afresh"):
        draft = drafts.drafts_of(frame.player).filter(revises=proposal).first()
    if request.method == "POST":
        written = _written(request)
    else:
        written = _from_draft(draft) if draft else _from_proposal(proposal)
    return _desk(request, Sheet(frame, written, revises=proposal, from_draft=draft is not None))


@require_POST
def proposal_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What the text in the form would change, as a part of the page; it is saved on the way."""
    frame, away = _come_in(request, slug)
    if away is not None:
        return away
    handle = request.POST.get("proposal", "")
    revises = _proposal(frame, handle) if handle else None
    if revises is not None and frame.player and revises.author_id != frame.player.pk:
        raise Http404(f"{revises.label} is {revises.author}'s: only its author revises it.")
    sheet = Sheet(frame, _written(request), revises=revises)
    saved = sheet.save()
    context = {"frame": frame, "sheet": sheet, "preview": sheet.look(), "live": True}
    answer = render(request, "proposals/_preview.html", context)
    add_never_cache_headers(answer)
    if saved is not None and revises is None:
        return replace_url(answer, reverse("proposal_draft", args=[slug, saved.pk]))
    return answer


@require_safe
def proposal_drafts(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own drafts, newest first."""
    frame, away = _come_in(request, slug)
    if away is not None:
        return away
    assert frame.player is not None
    own = list(drafts.drafts_of(frame.player).defer("more"))
    context = {"frame": frame, "drafts": own, "most": drafts.MOST_DRAFTS}
    answer = render(request, "proposals/drafts.html", context)
    add_never_cache_headers(answer)
    return answer


@require_POST
def proposal_draft_delete(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Throw away one of the viewer's own drafts."""
    frame, away = _come_in(request, slug)
    if away is not None:
        return away
    _own_draft(frame, number).delete()
    messages.success(request, "The draft is deleted.")
    return redirect("proposal_drafts", slug)


@require_safe
def proposal_changes(request: HttpRequest, slug: str, handle: str) -> HttpResponse:
    """What a proposal would change as of now; of a Historical one, what it did change."""
    frame, state = open_proposals(request, slug)
    proposal = the_proposal(state, handle)
    if proposal.closed_in is not None:
        found = recorded(frame, proposal)
    else:
        links = _links_of(proposal)
        found = preview(frame.game, None, proposal.body, links, own=proposal)
    context = {"frame": frame, "proposal": proposal, "preview": found, "live": False}
    page = "_preview.html" if getattr(request, "htmx", False) else "changes.html"
    return render(request, f"proposals/{page}", context)


# The form


@dataclass
class Sheet:
    """The form as one window has it open, with what the page says of it."""

    frame: Frame
    written: drafts.Written
    revises: Proposal | None = None
    from_draft: bool = False
    refusal: Refusal | None = None
    not_saved: str = ""
    changed_elsewhere: bool = False
    saved: Draft | None = None
    bound: bool = False

    @property
    def action(self) -> Action:
        """What sending it does."""
        return find_action("proposals.revise" if self.revises else "proposals.submit")

    @property
    def inputs(self) -> dict[str, Any]:
        """What the action gets."""
        own = {"proposal": self.revises.handle} if self.revises else {}
        return {**self.written.values, **own}

    @property
    def form(self) -> ContentForm:
        """The action's own form, filled; with its faults once it was sent."""
        table, player = self.frame.table, self.frame.player
        filled = {"data": self.inputs} if self.bound else {"initial": self.inputs}
        form = self.action.Form(table, player, auto_id="compose-%s", **filled)
        assert isinstance(form, ContentForm)
        form.fields.pop("proposal", None)
        for name, field in form.fields.items():
            field.widget.attrs["form"] = "compose"
            field.widget.attrs["autocomplete"] = "off"
            if name in ("body", "conflicts", "dependencies", "coauthors"):
                field.widget.attrs.pop("maxlength", None)
        form.fields["body"].widget.attrs |= {"rows": 16, "spellcheck": "true"}
        return form

    @property
    def other_fields(self) -> list[Any]:
        """The fields beside title and body."""
        return [bound for bound in self.form if bound.name not in ("title", "body")]

    @property
    def address(self) -> str:
        """Where the form is sent."""
        slug = self.frame.game.slug
        if self.revises is not None:
            return reverse("proposal_revise", args=[slug, self.revises.handle])
        return reverse("proposal_new", args=[slug])

    @property
    def rule_url(self) -> str:
        """The page of the rule that refused it."""
        return self.frame.rule_url(self.refusal.rule) if self.refusal else ""

    @property
    def seen(self) -> str:
        """The moment of the draft that this window has."""
        return iso(self.saved.saved_at) if self.saved else self.written.seen

    def save(self) -> Draft | None:
        """Save what was written as a draft, or note why not."""
        assert self.frame.player is not None
        try:
            self.saved = drafts.keep(self.frame.player, self.written, self.revises)
        except drafts.NotKept as not_kept:
            self.not_saved = str(not_kept)
            self.changed_elsewhere = isinstance(not_kept, drafts.ChangedElsewhere)
        return self.saved

    def look(self) -> Preview:
        """What the text would change as of now."""
        values = self.written.values
        links = {
            kind: _handles(values.get(name, ""))
            for kind, name in (
                (LinkKind.CONFLICT, "conflicts"),
                (LinkKind.DEPENDENCY, "dependencies"),
            )
        }
        body = values.get("body", "").replace("\r\n", "\n")
        return preview(self.frame.game, self.frame.player, body, links, own=self.revises)


def _desk(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Do what the pressed button says, and show the form."""
    if request.method != "POST":
        sheet.refusal = legality(sheet.action, sheet.frame.table, sheet.frame.player, _whose(sheet))
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
    slug = sheet.frame.game.slug
    if anew:
        sheet.written = drafts.Written(sheet.written.values, _token(), sheet.written.window)
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
    assert sheet.frame.player is not None
    slug, sheet.bound = sheet.frame.game.slug, True
    try:
        receipt = take(slug, request.user, sheet.action.name, sheet.inputs, sheet.written.key)
    except Refused as refused:
        return _again(request, sheet, 409, refused.refusal)
    except Malformed:
        return _again(request, sheet, 422)
    except Busy as busy:
        return _again(request, sheet, 503, Refusal("busy", str(busy)))
    drafts.forget(sheet.frame.player, sheet.written.key)
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
    assert sheet.frame.player is not None
    state = state_of(sheet.frame.table)
    context = {
        "frame": sheet.frame,
        "sheet": sheet,
        "form": sheet.form,
        "edition": state.edition,
        "preview": sheet.look() if with_preview else None,
        "others": drafts.drafts_of(sheet.frame.player).count(),
        "examples": EXAMPLES,
    }
    answer = render(request, "proposals/compose.html", context, status=status)
    add_never_cache_headers(answer)
    return answer


# Coming in


def _come_in(request: HttpRequest, slug: str) -> tuple[Frame, HttpResponse | None]:
    """The frame, and where else those are sent who cannot write proposals here."""
    frame, _ = open_proposals(request, slug)
    if not request.user.is_authenticated:
        return frame, _elsewhere(request, redirect_to_login(_home(request, slug)))
    if not frame.seated:
        return frame, _elsewhere(request, redirect("join", slug))
    return frame, None


def _home(request: HttpRequest, slug: str) -> str:
    """Where signing in leads back to: this page, or where nothing is asked for by GET, the new."""
    return (
        request.get_full_path() if request.method == "GET" else reverse("proposal_new", args=[slug])
    )


def _elsewhere(request: HttpRequest, away: HttpResponse) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(away["Location"])
    return away


def _own_draft(frame: Frame, number: int) -> Draft:
    assert frame.player is not None
    draft = drafts.drafts_of(frame.player).filter(pk=number).first()
    if draft is None:
        raise Http404("You have no such draft: it was submitted or deleted, or is not yours.")
    return draft


def _proposal(frame: Frame, handle: str) -> Proposal:
    return the_proposal(state_of(frame.table), handle)


# What was written


def _written(request: HttpRequest) -> drafts.Written:
    names = ("title", "body", *drafts.MORE)
    said = {name: request.POST[name] for name in names if name in request.POST}
    return drafts.Written(
        said,
        key=_token(request.POST.get("key", "")),
        window=_token(request.POST.get("window", "")),
        seen=request.POST.get("seen", "")[:40],
    )


def _from_draft(draft: Draft) -> drafts.Written:
    key = _token(str(draft.more.get("key", "")))
    return drafts.Written(drafts.typed_in(draft), key, _token(), iso(draft.saved_at))


def _from_proposal(proposal: Proposal) -> drafts.Written:
    links = _links_of(proposal)
    values = {
        "title": proposal.title,
        "body": proposal.body,
        "conflicts": _listed(links[LinkKind.CONFLICT]),
        "dependencies": _listed(links[LinkKind.DEPENDENCY]),
        "index": str(proposal.index),
        "proposal_class": proposal.proposal_class,
        "coauthors": _listed(proposal.coauthors),
    }
    return drafts.Written(values, _token(), _token())


def _links_of(proposal: Proposal) -> dict[str, list[Handle]]:
    found: dict[str, list[Handle]] = {LinkKind.CONFLICT: [], LinkKind.DEPENDENCY: []}
    rows = Link.objects.filter(proposal=proposal).select_related("other").order_by("other__serial")
    for link in rows:
        found[link.kind].append(link.other.handle)
    return found


def _handles(written: str) -> list[Handle]:
    """The proposals that a list names; what names none is the form's to refuse."""
    found: list[Handle] = []
    for part in written.split(",")[:100]:
        try:
            found.append(read_handle(part))
        except ValueError:
            continue
    return found


def _listed(names: Mapping[str, Any] | list[Any]) -> str:
    return ", ".join(str(each) for each in names)


def _token(given: str = "") -> str:
    return given if _KEY.fullmatch(given) else secrets.token_urlsafe(12)
