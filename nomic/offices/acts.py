"""Officers' acts: filled in, previewed, and then taken like every other action."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.forms import TextInput
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from nomic.engine.actions import Action, find_action, legality
from nomic.engine.dry_run import Rehearsal, rehearse
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.outcomes import Busy, Malformed, Refused, UnknownAction
from nomic.engine.take import take, who_acts
from nomic.games.refusal import Refusal
from nomic.offices.access import DeskFrame, open_desk
from nomic.offices.desk import address, may
from nomic.rulebook.differences import differences, render_differences
from nomic.standard.motions import AnnouncedAction, takes
from nomic.web.action_forms import Deed

_OURS = frozenset({"csrfmiddlewaretoken", "key", "confirmed", "change"})
_LONGEST_LIST = 100


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The form (GET), what it would change (POST), and, `confirmed`, the act itself.

    Answers 409 with the refusal and 422 with the misshapen fields, the form still filled; 503
    where the game is busy; 303 to the desk when it is done.
    """
    frame = open_desk(request, slug)
    action = _find(frame, name)
    if request.method != "POST":
        return _form(frame, action, _beginning(frame, action))
    if "change" in request.POST:
        return _show(frame, _deed(frame, action, data=_inputs(request), key=_key(request)), 200)
    try:
        if "confirmed" not in request.POST:
            return _preview(frame, action)
        receipt = take(slug, _visitor(frame), name, _inputs(request), _key(request))
    except Refused as refused:
        return _again(request, slug, action, 409, refused.refusal)
    except Malformed:
        return _again(request, slug, action, 422)
    except Busy as busy:
        return _again(request, slug, action, 503, Refusal("busy", str(busy)))
    entry = reverse("entry", args=[slug, receipt.entry.seq])
    said = format_html(
        '{} – <a href="{}">entry {}</a> of the record',
        receipt.said,
        entry,
        receipt.entry.seq,
    )
    messages.success(request, said)
    return redirect("office:desk", slug)


def _visitor(frame: DeskFrame) -> User:
    assert isinstance(frame.request.user, User)  # the site lets nobody else in
    return frame.request.user


def _find(frame: DeskFrame, name: str) -> Action:
    try:
        action = find_action(name)
    except UnknownAction as unknown:
        raise Http404(str(unknown)) from None
    if not action.office or not action.applies(frame.table):
        raise Http404(f"“{name[:60]}” is not an act of an office in this game.")
    if not may(frame, action):
        raise PermissionDenied(f"Only {action.officer(frame.table)} can do this.")
    return action


def _beginning(frame: DeskFrame, action: Action) -> dict[str, Any]:
    """What the address says, and a rule's present text where its text is to be corrected."""
    begun: dict[str, Any] = frame.request.GET.dict()
    for sealed in action.sealed_inputs(frame.table, begun):
        begun.pop(sealed, None)  # an address stands in logs and histories
    if action.name == "rulebook.amend":
        chosen = begun.get("rule", "")
        texts = (rule.text for rule in frame.table.rules.public if rule.title == chosen)
        begun.setdefault("text", next(texts, ""))
    return begun


def _form(frame: DeskFrame, action: Action, begun: dict[str, Any]) -> HttpResponse:
    player, operator = who_acts(frame.table, _visitor(frame), action)
    refusal = legality(action, frame.table, player, {}, operator=operator)
    return _show(frame, _deed(frame, action, begun=begun, refusal=refusal), 200)


def _deed(
    frame: DeskFrame,
    action: Action,
    *,
    data: dict[str, Any] | None = None,
    begun: dict[str, Any] | None = None,
    key: str = "",
    refusal: Refusal | None = None,
) -> Deed:
    form = action.Form(frame.table, frame.player, data, initial=begun)
    _shorten(form)
    kept = {"key": key} if key else {}
    return Deed(frame, action, form, refusal=refusal, **kept)  # type: ignore[arg-type]


def _shorten(form: ActionForm) -> None:
    """Let a name be typed where there are too many to choose from."""
    for field in form.fields.values():
        if isinstance(field, TextChoice) and len(field.words) > _LONGEST_LIST:
            field.widget = TextInput()


def _preview(frame: DeskFrame, action: Action) -> HttpResponse:
    request = frame.request
    data = _inputs(request)
    form = action.Form(frame.table, frame.player, data)
    found: Rehearsal | None = None
    secret = ""
    try:
        found = rehearse(frame.game.slug, _visitor(frame), action.name, data)
    except LookupError as covered:
        secret = str(covered)
    context = {
        "deed": _deed(frame, action, data=data, key=_key(request)),
        "waits": _waits(frame, action, form),
        "rehearsal": found,
        "secret": secret,
        "rewordings": [
            (each.title, render_differences(differences(each.before, each.after)))
            for each in (found.rewordings if found else ())
        ],
        "confirmed_rule": _confirmed_rule(frame, action, form.chosen()),
        "text": found.figures.get("text", "") if found else "",
        "said": [(name, request.POST.get(name, "")) for name in form.fields if name in data],
    }
    return _page(frame, "offices/preview.html", context, 200)


def _waits(frame: DeskFrame, action: Action, form: ActionForm) -> str:
    """What the act waits for once it is announced, as a sentence; "" where it is done at once."""
    if not isinstance(action, AnnouncedAction):
        return ""
    player, _ = who_acts(frame.table, _visitor(frame), action)
    terms = action.terms(frame.table, player, form.chosen())
    return takes(frame.now, terms) if terms else ""


def _confirmed_rule(frame: DeskFrame, action: Action, chosen: dict[str, Any]) -> Any:
    """What an amendment changed that an officer now says the game fits."""
    if action.name != "rulebook.confirm" or "rule" not in chosen:
        return None
    rules = frame.game.rules.filter(repealed_in__isnull=True, visibility="public")
    rule = rules.filter(title=chosen["rule"]).first()
    if rule is None:
        return None
    played = rule.versions.filter(number=rule.played_as).values_list("text", flat=True).first()
    return render_differences(differences(played or "", rule.text))


def _again(
    request: HttpRequest, slug: str, action: Action, status: int, refusal: Refusal | None = None
) -> HttpResponse:
    """The form once more, filled, at a fresh look at the game; a refused one gets a new key."""
    key = "" if refusal else _key(request)
    frame = open_desk(request, slug)
    return _show(
        frame, _deed(frame, action, data=_inputs(request), key=key, refusal=refusal), status
    )


def _show(frame: DeskFrame, deed: Deed, status: int) -> HttpResponse:
    rules: list[str] = []
    if (
        deed.action.name == "rulebook.amend"
        and not deed.form.is_bound
        and "rule" not in deed.form.initial
    ):
        rules = deed.form.shaped()["rule"].words  # type: ignore[attr-defined]
    context = {"deed": deed, "rules": rules, **_guide(frame, deed)}
    return _page(frame, "offices/act.html", context, status)


def _guide(frame: DeskFrame, deed: Deed) -> dict[str, Any]:
    """What the act says beside its form, and the addresses of the acts that it leads to."""
    begun = deed.form.chosen() if deed.form.is_bound else deed.form.initial
    guide = deed.action.guide(frame.table, dict(begun))
    steps = guide.steps if guide else ()
    return {
        "guide": guide,
        "steps": [(what, address(frame, name, **inputs)) for what, name, inputs in steps],
    }


def _page(frame: DeskFrame, template: str, context: dict[str, Any], status: int) -> HttpResponse:
    from nomic.offices.urls import office

    deed: Deed = context["deed"]
    whole = {
        **office.each_context(frame.request),
        "title": deed.action.title,
        "frame": frame,
        "about": deed.action.about,
        **context,
    }
    return render(frame.request, template, whole, status=status)


def _inputs(request: HttpRequest) -> dict[str, Any]:
    return {name: value for name, value in request.POST.items() if name not in _OURS}


def _key(request: HttpRequest) -> str:
    return request.POST.get("key", "")[:60]
