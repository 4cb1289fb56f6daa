"""Taking an action from a page, with and without JavaScript, and the parts of that page, as the act
changed them, that the answer brings along."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget, trigger_client_event

from nomic.engine.actions import (
    Action,
    NewcomerAction,
    PrivateAction,
    TwoSidedAction,
    all_actions,
    find_action,
    legality,
)
from nomic.engine.outcomes import Receipt, UnknownAction, UnknownGame
from nomic.engine.requests import who_acts
from nomic.games.refusal import Refusal
from nomic.infrastructure.early_answer import EarlyAnswer
from nomic.web.action_forms import (
    UNDONE,
    PageForm,
    chosen,
    filled,
    sent_head,
    sent_inputs,
    sent_key,
    take_as_sent,
    why_undone,
)
from nomic.web.announcement import suggestions, understood_acts
from nomic.web.game_context import GamePage, act_url, no_game, open_game, viewer
from nomic.web.newcomers.guests import joining_refusal
from nomic.web.proof.receipts import tag_of
from nomic.web.proof.witness import doubt_of
from nomic.web.writing import sign_in_first

logger = logging.getLogger(__name__)
_LIVE = "Nomic-Live"  # the header in which a page says where its live parts are


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The form of one action (GET, perhaps prefilled), or the action itself (POST).

    POST answers 303 or a receipt; 409 with the refusal and 422 with the misshapen fields, the
    form still filled; 503 where the game is busy.
    """
    action = _action_named(request, slug, name)
    sent = request.method == "POST" and request.user.is_authenticated
    if sent and (request.POST.get("confirmed") or not action.confirm):
        return _take(request, slug, action)
    game_page = open_game(request, slug)
    if not request.user.is_authenticated:
        return sign_in_first(request, page_before(request, game_page.game.slug))
    if request.method != "POST":
        return _prefilled_form(request, game_page, action, request.GET.dict())
    page_form = _form_as_sent(request, game_page, action)
    if not page_form.form.is_valid():
        return _draw_form(request, page_form, 422)
    refusal = _refusal(game_page, action, page_form.form.chosen())
    if refusal is not None:
        return _draw_form(request, _form_as_sent(request, game_page, action, refusal=refusal), 409)
    return _draw_form(request, _form_as_sent(request, game_page, action, confirming=True), 200)


@require_POST
def outlook(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """An action's gains and costs with what is filled in so far, as a sentence of plain text."""
    action, game_page = _action_named(request, slug, name), open_game(request, slug)
    page_form = filled(game_page, action, sent_inputs(request))
    return HttpResponse(page_form.outlook, content_type="text/plain; charset=utf-8")


@require_http_methods(["GET", "HEAD", "POST"])
def say(request: HttpRequest, slug: str) -> HttpResponse:
    """An announcement in the players' own words becomes a filled form, to be confirmed.

    The box sends it by POST and is answered by the address of the form, so that going back is no
    trouble; for a private act by the form itself, so that it stands in no address.
    """
    game_page = open_game(request, slug)
    if not request.user.is_authenticated:
        return sign_in_first(request, page_before(request, game_page.game.slug))
    submitted = request.POST if request.method == "POST" else request.GET
    announcement = submitted.get("words", "")[:300]
    table = game_page.table
    acts = [
        act for act in all_actions(table) if not (act.office or isinstance(act, NewcomerAction))
    ]
    forms = [(act, act.Form(table, game_page.player)) for act in acts if not act.absence(table)]
    heard = understood_acts(announcement, forms)
    back = page_before(request, slug)
    if len(heard) == 1 and not heard[0].wrong:
        action, inputs = heard[0].action, heard[0].inputs
        if _is_secret(game_page, action, chosen(game_page, action, inputs)):
            return _prefilled_form(request, game_page, action, inputs)
        return _redirect_to(request, act_url(slug, action.name, **{**inputs, "back": back}))
    understood = len(heard) > 1
    page_forms = []  # of several acts each, filled, with what stands against it
    for announced in heard if understood else ():
        form = announced.action.Form(table, game_page.player, initial=dict(announced.inputs))
        refusal = _refusal(
            game_page, announced.action, chosen(game_page, announced.action, announced.inputs)
        )
        page_forms.append(PageForm(game_page, announced.action, form, refusal=refusal, back=back))
    template = "web/act/_unheard.html" if getattr(request, "htmx", False) else "web/act/say.html"
    return game_page.draw(
        template,
        words=announcement,
        page_forms=page_forms,
        heard=heard[0] if heard and not understood else None,
        near=[] if heard else suggestions(announcement, forms),
        back=back,
    )


def _redirect_to(request: HttpRequest, address: str) -> HttpResponse:
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(address)
    return redirect(address)


def _action_named(request: HttpRequest, slug: str, name: str) -> Action:
    """The action of that name, if need be one that this game alone has."""
    with suppress(UnknownAction):
        return find_action(name)
    try:
        return find_action(name, open_game(request, slug).table)
    except UnknownAction as unknown:
        raise Http404(str(unknown)) from None


def _prefilled_form(
    request: HttpRequest, game_page: GamePage, action: Action, prefill: Mapping[str, str]
) -> HttpResponse:
    """The form with what is given in its blanks, and what stands against that.

    Where nothing is given and it is refused all the same, there is only the reason.

    What an address gives for a private act is not shown: it would stand in logs and histories.
    """
    inputs = chosen(game_page, action, prefill)
    if request.method != "POST" and _is_secret(game_page, action, inputs):
        prefill, inputs = {}, {}
    form = action.Form(game_page.table, game_page.player, initial=dict(prefill))
    refusal = _refusal(game_page, action, inputs)
    closed = refusal is not None and not prefill.keys() & action.Form.base_fields.keys()
    back = page_before(request, game_page.game.slug)
    page_form = PageForm(game_page, action, form, refusal=refusal, closed=closed, back=back)
    return _draw_form(request, page_form, 200)


def _refusal(game_page: GamePage, action: Action, inputs: dict[str, Any]) -> Refusal | None:
    """Why the viewer, who has signed in, may not do it; the game's host needs no seat."""
    player, operator = game_page.player, False
    if action.office:
        player, operator = who_acts(game_page.table, viewer(game_page.request), action)
    return legality(action, game_page.table, player, inputs, operator=operator)


def _is_secret(game_page: GamePage, action: Action, chosen: dict[str, Any]) -> bool:
    """Whether any of what is chosen, or who chooses it, is for the sealed book alone."""
    table = game_page.table
    if isinstance(action, PrivateAction) and action.is_private(table, chosen):
        return True
    return isinstance(action, TwoSidedAction) and (
        not chosen.keys().isdisjoint(action.sealed_inputs(table, chosen))
        or action.hides_actor(table, chosen)
    )


def _take(request: HttpRequest, slug: str, action: Action) -> HttpResponse:
    """Take it without a look at the page first: `take` reads all that it needs under the lock."""
    assert request.user.is_authenticated
    if refusal := joining_refusal(request.user, slug, action.name):
        return _form_again(request, slug, action, 409, refusal=refusal)
    try:
        receipt = take_as_sent(request, slug, action.name)
    except UnknownGame:
        raise no_game(slug) from None
    except UnknownAction as unknown:
        raise Http404(str(unknown)) from None
    except UNDONE as error:
        status, refusal = why_undone(request, error)
        return _form_again(
            request, slug, action, status, **({"refusal": refusal} if refusal else {})
        )
    return _show_receipt(request, slug, receipt)


def _form_again(
    request: HttpRequest, slug: str, action: Action, status: int, **page_options: Any
) -> HttpResponse:
    """The form once more, filled, at a fresh look at the game."""
    return _draw_form(
        request, _form_as_sent(request, open_game(request, slug), action, **page_options), status
    )


def _form_as_sent(
    request: HttpRequest, game_page: GamePage, action: Action, **page_options: Any
) -> PageForm:
    # A refused form gets another key, but for its question: the act may have been refused because
    # this one was used for something else, which it would be each time (`key_used`).
    keeps_key = page_options.get("confirming") or not page_options.get("refusal")
    if keeps_key and (key := sent_key(request)):
        page_options["key"] = key
    back = page_before(request, game_page.game.slug)
    return filled(game_page, action, sent_inputs(request), back=back, **page_options)


def _draw_form(request: HttpRequest, page_form: PageForm, status: int) -> HttpResponse:
    template = "web/act/act.html"
    if getattr(request, "htmx", False):
        template = "web/_page_form.html"
    form, table = page_form.form, page_form.game_page.table
    begun = form.chosen() if form.is_bound else form.initial
    # What it says may be for those alone who may do it.
    guide = None if page_form.refusal else page_form.action.guide(table, dict(begun))
    return page_form.game_page.draw(template, page_form=page_form, guide=guide, status=status)


def _show_receipt(request: HttpRequest, slug: str, receipt: Receipt) -> HttpResponse:
    """Say what happened, with the entry's number, hash and signature; a private act's without the
    number. What came to nothing is no success."""
    text, named = receipt.sentences, tag_of(receipt.entry)
    doubt = doubt_of(receipt, sent_head(request))
    level = messages.WARNING if receipt.was_in_vain else messages.SUCCESS
    htmx: Any = getattr(request, "htmx", False)
    own_pages = (request.path, reverse("say", args=[slug]))  # these show nothing else
    if not htmx or urlsplit(htmx.current_url or "").path in own_pages:
        messages.add_message(request, level, text, extra_tags=named)
        if doubt:
            messages.error(request, doubt)
        return _redirect_to(request, page_before(request, slug))
    context = {
        "doubt": doubt,
        "seated": bool(receipt.entry.actor_id) or "part" in receipt.entry.outcome,
        "text": text,
        "tag": named,
        "slug": slug,
        "repeated": receipt.repeated,
        "in_vain": receipt.was_in_vain,
    }
    response = render(request, "web/act/_receipt.html", context)
    parts = live_parts(request, slug)
    response.write(parts)
    add_never_cache_headers(response)
    # A form names itself as the target, to be replaced when it is refused.
    retarget(response, "#receipt")
    reswap(response, "innerHTML")
    # A page whose parts did not come along asks for them itself, at once (_poller.html).
    return response if parts else trigger_client_event(response, "moved")


def page_before(request: HttpRequest, slug: str) -> str:
    """The page that the form stood on; the game's home where it was none of this site's."""
    # The address comes with the form, which anybody may have written: it leads to no other site.
    back = request.POST.get("back") or request.GET.get("back") or ""
    hosts = {request.get_host()}
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=hosts):
        return back
    return reverse("game", args=[slug])


def live_parts(request: HttpRequest, slug: str) -> str:
    """The live parts of the page of that game from which the act was sent, as they are now; "" for
    a page that has none, or is not for the viewer any more."""
    try:
        address = urlsplit(request.headers.get(_LIVE, "")[:2000])
        match = resolve(address.path)
    except (ValueError, Resolver404):
        return ""
    if match.kwargs.get("slug") != slug:
        return ""
    # A copy, for the act's own request goes on to the middleware and to the receipt.
    page_request = copy(request)
    page_request.method, page_request.path, page_request.path_info = (
        "GET",
        address.path,
        address.path,
    )
    asked = QueryDict(address.query, mutable=True)
    asked.pop("v", None)  # it would be told that nothing is new to others
    page_request.GET, page_request.POST = QueryDict(asked.urlencode()), QueryDict()
    page_request.resolver_match = match
    try:
        answer = match.func(page_request, *match.args, **match.kwargs)
    except (Http404, PermissionDenied, EarlyAnswer):
        return ""
    except Exception:  # the act is done: its receipt must not be lost to a page's fault
        logger.exception("The parts of %s cannot be drawn after an act", address.path)
        return ""
    return answer.content.decode() if getattr(answer, "has_live_parts", False) else ""
