"""The isle as a page: how it stands, what I may do now, and how it came to be so."""

from __future__ import annotations

import secrets as chance
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.web.action_forms import Deed, choices, filled
from nomic.web.game_page import Frame, nothing_new, open_game
from settlers.models import NOBODY
from settlers.rules.charts import DECK, MERCHANT, THUG, VISITORS, ChartBroken
from settlers.rules.isle import Settler, items_told
from settlers.secrecy import bribes_seen_by, own_bribe
from settlers.state.reading import State, state_of
from settlers.state.viewer_queries import Census, census
from settlers.web import drawing, graphs
from settlers.web import page as scene
from settlers.web.disclosed import disclosed
from settlers.web.preview import foresee, foresee_bribe
from settlers.web.timetable import timetable

_ASKED = ("GET", "HEAD", "POST")
_HARVEST = ("change_", "bonuses_")
_ELSEWHERE = ("settlers.build", "settlers.accept_trade", "settlers.cancel_trade")


@require_safe
def settlers(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did).

    A harvest's blanks in the address are filled in, with what it would bring.
    """
    if (unchanged := nothing_new(request)) is not None:
        return unchanged
    frame, state = _open(request, slug)
    live = bool(getattr(request, "htmx", False))
    found = census(state, frame.player, _page(request), drawing.MOST_PLOTS)
    own = state.settler(frame.player)
    context = {
        "frame": frame,
        "live": live,
        "broken": _broken(state),
        "seat": own,
        "is_onlooker": state.is_onlooker(frame.player),
        **_pictures(frame, state, found, own),
        **_standing(frame, state, found, own),
        **_deeds(frame, state, found, own),
        **_private(frame, state),
    }
    answer = render(request, "settlers/page.html#live" if live else "settlers/page.html", context)
    if frame.player is not None:
        add_never_cache_headers(answer)
    return answer


@require_http_methods(_ASKED)
def harvest_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What the harvest would bring, as a part of the page.

    For a browser that cannot swap parts, the page itself with the blanks filled in.
    """
    if not getattr(request, "htmx", False):
        sent = request.POST if request.method == "POST" else request.GET
        words = [(name, str(value)) for name, value in sent.items() if name.startswith(_HARVEST)]
        return redirect(f"{reverse('settlers', args=[slug])}?{urlencode(words)}#harvest")
    frame, _ = _open(request, slug)
    context = {"frame": frame, "preview": _foreseen(frame, request)}
    answer = render(request, "settlers/_preview.html", context)
    add_never_cache_headers(answer)
    return answer


@require_POST
def bribe_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """What the bribe that is being filled in would be worth, as a part of the page.

    It is sent in the body, so that no address holds it, and is kept nowhere.
    """
    frame, _ = _open(request, slug)
    foreseen = foresee_bribe(frame.table, frame.player, request.POST)
    answer = render(request, "settlers/_bribe_preview.html", {"foreseen": foreseen})
    add_never_cache_headers(answer)
    return answer


@require_safe
def private(request: HttpRequest, slug: str) -> HttpResponse:
    """What the viewer alone may see here: their own bribe, or the Onlooker's book of bribes."""
    frame, state = _open(request, slug)
    context = {"frame": frame, "seat": state.settler(frame.player), **_private(frame, state)}
    answer = render(request, "settlers/_private.html", context)
    add_never_cache_headers(answer)
    return answer


@require_safe
def visit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A past visit whose bribes have been opened; 404 while they are sealed."""
    frame, _ = _open(request, slug)
    found = disclosed(frame.game, number)
    if found is None:
        raise Http404(f"What visit {number} may have sealed has not been opened.")
    return render(request, "settlers/visit.html", {"frame": frame, "disclosed": found})


def _open(request: HttpRequest, slug: str) -> tuple[Frame, State]:
    frame = open_game(request, slug)
    state = state_of(frame.table)
    if not state.is_on:
        raise Http404(
            "No isle is settled in this game. It is when the rulebook has “The Gift of the Isle”"
            " and “The Dice Deck”."
        )
    return frame, state


def _page(request: HttpRequest) -> int:
    asked = request.GET.get("page", "1")
    return max(int(asked), 1) if asked.isdecimal() and len(asked) < 7 else 1


def _pictures(frame: Frame, state: State, found: Census, own: Settler | None) -> dict[str, Any]:
    plots = scene.homesteads(state, found, own)
    entries = scene.happened(frame)
    past = scene.past(entries)
    numbers = sorted(scene.perhaps(lambda: state.charts.yields) or ())
    newest: dict[int, Any] = {entry["seq"]: entry for entry in entries[: 2 * scene.LOGGED]}
    return {
        "isle": state.isle,
        "results": state.results,
        "wide": drawing.isle(plots),
        "narrow": drawing.isle(plots, width=drawing.NARROW),
        "drawn": len(plots),
        "census": found,
        "rows": scene.rows(state, found, own),
        "before": found.page - 1,
        "after": found.page + 1 if found.page < found.pages else None,
        "deck": scene.deck(state, own),
        "past": past,
        "history": graphs.history(past, numbers),
        "entries": list(newest.values())[: scene.LOGGED],
        "wins": entries[0]["wins"] if entries else [],
    }


def _standing(frame: Frame, state: State, found: Census, own: Settler | None) -> dict[str, Any]:
    visitor = state.isle.visitor
    brings = scene.gains(state, own) if own else {}
    return {
        "visitor": "" if visitor == NOBODY else visitor,
        "visitor_rule": frame.rule_url(VISITORS if visitor == NOBODY else visitor),
        "is_merchant": state.is_visited_by(MERCHANT),
        "is_thug": state.is_visited_by(THUG),
        "merchant": scene.perhaps(lambda: state.charts.merchant),
        "deck_rule": frame.rule_url(DECK),
        "timetable": timetable(frame, state),
        "lesson": scene.lesson(state) if state.is_visited_by(THUG) else None,
        "gains": items_told(brings) if brings else "",
        "built": drawing.counted(own.buildings) if own else [],
        "stockpile": own.stockpile.items() if own else (),
        "alliance": scene.alliance(own, found.known) if own else [],
    }


def _deeds(frame: Frame, state: State, found: Census, own: Settler | None) -> dict[str, Any]:
    room = next(iter(choices(frame, "settlers")), None)
    deeds = {deed.action.name: deed for deed in room.deeds} if room else {}
    asked = [deeds.pop(name) for name, deed in list(deeds.items()) if deed.linked]
    harvest, preview = deeds.pop("settlers.harvest", None), None
    if harvest is not None:
        preview = _foreseen(frame, frame.request)
        harvest = _as_asked(frame, harvest)
    for name in _ELSEWHERE:
        deeds.pop(name, None)
    bargains = scene.bargains(state, own, found.known) if own else []
    return {
        "harvest": harvest,
        "preview": preview,
        "join": deeds.pop("settlers.join", None),
        "swap": deeds.pop("settlers.swap_with_merchant", None),
        "tell": deeds.pop("settlers.bribe", None),
        "trade": deeds.pop("settlers.offer_trade", None),
        "ally": deeds.pop("settlers.set_alliance", None),
        "ready": [deeds.pop(name) for name in list(deeds)],
        "asked": asked,
        "not_now": room.not_now if room else [],
        "victory": scene.perhaps(lambda: state.charts.victory),
        "plans": scene.plans(state, own) if own else [],
        "bargains": bargains[: scene.MOST_OFFERS],
        "more_bargains": len(bargains[scene.MOST_OFFERS :]),
        "key": chance.token_urlsafe(12),
    }


def _as_asked(frame: Frame, harvest: Deed) -> Deed:
    """The harvest's form, with its blanks filled where the address has them."""
    if not _asks_for_a_harvest(frame.request):
        return harvest
    return filled(frame, harvest.action, frame.request.GET)


def _foreseen(frame: Frame, request: HttpRequest) -> Any:
    sent = request.GET if _asks_for_a_harvest(request) else None
    return foresee(frame.table, frame.player, sent)


def _asks_for_a_harvest(request: HttpRequest) -> bool:
    return any(name.startswith(_HARVEST) for name in request.GET)


def _private(frame: Frame, state: State) -> dict[str, Any]:
    """The viewer's own bribe, and for the Onlooker everybody's; None where there is none
    to see, and while the Thug is not here."""
    is_here = state.is_visited_by(THUG)
    seen = bribes_seen_by(frame.table, frame.player) if is_here else None
    told = own_bribe(frame.table, frame.player) if is_here and seen is None else None
    return {
        "own_bribe": told,
        "own_bribe_told": items_told(told.items) if told else "",
        "bribes_seen": None
        if seen is None
        else [(name, items_told(bribe.items), bribe.value) for name, bribe in seen.items()],
    }


def _broken(state: State) -> str:
    """What is wrong with the rules' tables, as a sentence; empty while all can be read."""
    try:
        state.charts.check()
    except ChartBroken as broken:
        return broken.sentence
    return ""
