"""Officers' acts: filled in, previewed, and then taken like every other action."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import TextInput
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from nomic.engine.actions import Action, TwoSidedAction, find_action, legality
from nomic.engine.dry_run import Seen, rehearse
from nomic.engine.forms import TextChoice
from nomic.engine.outcomes import UnknownAction
from nomic.engine.requests import who_acts
from nomic.games.refusal import Refusal
from nomic.governance.models import Motion
from nomic.governance.motions import AnnouncedAction
from nomic.offices.access import DeskPage, open_desk
from nomic.offices.desk import address, may
from nomic.offices.site import office
from nomic.rulebook.rendering.diff import Differences
from nomic.web.action_forms import UNDONE, PageForm, sent_inputs, sent_key, take_as_sent, why_undone
from nomic.web.game_context import viewer

_LONGEST_LIST = 100
_CHANGE = "change"  # the button that goes back to the form


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The form (GET), what it would change (POST), and, `confirmed`, the act itself.

    Answers 409 with the refusal and 422 with the misshapen fields, the form still filled; 503
    where the game is busy; 303 to the desk when it is done.
    """
    game_page = open_desk(request, slug)
    action = _find(game_page, name)
    if request.method != "POST":
        begun = _beginning(game_page, action)
        player, operator = who_acts(game_page.table, viewer(game_page.request), action)
        refusal = legality(action, game_page.table, player, {}, operator=operator)
        return _show(game_page, _page_form(game_page, action, begun=begun, refusal=refusal), 200)
    if _CHANGE in request.POST:
        inputs, key = sent_inputs(request, _CHANGE), sent_key(request)
        return _show(game_page, _page_form(game_page, action, sent=inputs, key=key), 200)
    try:
        if "confirmed" not in request.POST:
            return _preview(game_page, action)
        receipt = take_as_sent(request, slug, name, _CHANGE)
    except UNDONE as error:
        status, refusal = why_undone(request, error)
        game_page = open_desk(request, slug)  # a fresh look at the game
        key = "" if refusal else sent_key(request)  # a refused one gets a new key
        inputs = sent_inputs(request, _CHANGE)
        again = _page_form(game_page, action, sent=inputs, key=key, refusal=refusal)
        return _show(game_page, again, status)
    entry = reverse("entry", args=[slug, receipt.entry.seq])
    sentence = format_html(
        '{} – <a href="{}">entry {}</a> of the record',
        receipt.sentences,
        entry,
        receipt.entry.seq,
    )
    messages.success(request, sentence)
    return redirect("office:desk", slug)


def _find(game_page: DeskPage, name: str) -> Action:
    try:
        action = find_action(name)
    except UnknownAction as unknown:
        raise Http404(str(unknown)) from None
    if not action.office or action.absence(game_page.table):
        raise Http404(f"“{name[:60]}” is not an act of an office in this game.")
    if not may(game_page, action):
        raise PermissionDenied(f"Only {action.officer(game_page.table)} can do this.")
    return action


def _beginning(game_page: DeskPage, action: Action) -> dict[str, Any]:
    """The inputs in the address, and a rule's present text where its text is to be corrected."""
    begun: dict[str, Any] = game_page.request.GET.dict()
    if isinstance(action, TwoSidedAction):
        for sealed in action.sealed_inputs(game_page.table, begun):
            begun.pop(sealed, None)  # an address stands in logs and histories
    if action.name == "rulebook.amend":
        chosen = begun.get("rule", "")
        texts = (rule.text for rule in game_page.table.rules.public if rule.title == chosen)
        begun.setdefault("text", next(texts, ""))
    return begun


def _page_form(
    game_page: DeskPage,
    action: Action,
    *,
    sent: dict[str, Any] | None = None,
    begun: dict[str, Any] | None = None,
    key: str = "",
    refusal: Refusal | None = None,
) -> PageForm:
    form = action.Form(game_page.table, game_page.player, sent, initial=begun)
    # Let a name be typed where there are too many to choose from.
    for field in form.fields.values():
        if isinstance(field, TextChoice) and len(field.words) > _LONGEST_LIST:
            field.widget = TextInput()
    own_key = {"key": key} if key else {}
    return PageForm(game_page, action, form, refusal=refusal, **own_key)  # type: ignore[arg-type]


def _preview(game_page: DeskPage, action: Action) -> HttpResponse:
    request = game_page.request
    sent = sent_inputs(request, _CHANGE)
    form = action.Form(game_page.table, game_page.player, sent)
    rehearsal: Seen | None = None
    secret, page = "", Differences()
    try:
        rehearsal = rehearse(game_page.game.slug, viewer(request), action.name, sent)
    except LookupError as covered:
        secret = str(covered)
    waits = ""  # until when an announced act waits; it does not where it is done at once
    if isinstance(action, AnnouncedAction):
        player, _ = who_acts(game_page.table, viewer(request), action)
        inputs = form.chosen()
        if terms := action.terms(game_page.table, player, inputs):
            due = None if terms.wait is None else game_page.now + terms.wait
            waits = action.takes(game_page.table, Motion(by=player, inputs=inputs, due=due))
    return _page(
        game_page,
        "offices/preview.html",
        _page_form(game_page, action, sent=sent, key=sent_key(request)),
        waits=waits,
        rehearsal=rehearsal,
        secret=secret,
        rewordings=[
            (rewording.title, page.show(rewording.before, rewording.after))
            for rewording in (rehearsal.rewordings if rehearsal else ())
        ],
        text=rehearsal.figures.get("text", "") if rehearsal else "",
        said=[(name, request.POST.get(name, "")) for name in form.fields if name in sent],
    )


def _show(game_page: DeskPage, page_form: PageForm, status: int) -> HttpResponse:
    """The page of the form, and beside it the guide of its act, if there is one, with the addresses
    of acts that it leads to."""
    form, rules = page_form.form, list[str]()
    is_begun = form.is_bound or "rule" in form.initial
    if page_form.action.name == "rulebook.amend" and not is_begun:
        rules = form.shaped()["rule"].words  # type: ignore[attr-defined]
    begun = form.chosen() if form.is_bound else form.initial
    guide = page_form.action.guide(game_page.table, dict(begun))
    steps = guide.steps if guide else ()
    return _page(
        game_page,
        "offices/act.html",
        page_form,
        status=status,
        rules=rules,
        guide=guide,
        steps=[(step, address(game_page, name, **inputs)) for step, name, inputs in steps],
    )


def _page(game_page: DeskPage, template: str, page_form: PageForm, **context: Any) -> HttpResponse:
    request, action = game_page.request, page_form.action
    shown = {"game_page": game_page, "page_form": page_form, "about": action.about, **context}
    return office.draw(request, template, action.title, **shown)
