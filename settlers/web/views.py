"""The isle as a page and in small: how it stands, what I may do now, and how it came to be so."""

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.rulebook.charts import unless_broken
from nomic.rulebook.last_readable import complaint
from nomic.rulebook.tables import TableBroken
from nomic.web.action_forms import choices, filled
from nomic.web.game_context import GamePage, NextEvent, look_for_news, open_game
from nomic.web.paging import page_asked
from nomic.web.powers import about_viewer
from settlers.events.clock import arrives_by, may_produce_from, produces_by
from settlers.models import NOBODY
from settlers.rules.isle import Settler, describe_items
from settlers.rules.titles import DECK, MERCHANT, THUG, VISITORS
from settlers.secrecy import bribes_seen_by, own_bribe
from settlers.state.reading import Listing, State, list_settlers, state_of
from settlers.web import drawing, page
from settlers.web.disclosed import disclosed_visit
from settlers.web.page import foresee, foresee_bribe

_ASKED = ("GET", "HEAD", "POST")
_DRAWN = 4  # plots that a game's home, and a narrow page, have room for
_HARVEST = ("change_", "bonuses_")
_ELSEWHERE = ("settlers.build", "settlers.accept_trade", "settlers.cancel_trade")


@require_safe
def settlers(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did).

    A harvest's blanks in the address are filled in, with what it would bring.
    """
    look_for_news(request)
    game_page, state = _open(request, slug)
    listing = list_settlers(state, page_asked(request), drawing.MOST_PLOTS + 1)
    viewer = state.settler(game_page.player)
    visitor = state.isle.visitor
    is_thug = state.is_visited_by(THUG)
    brings = page.gains(state, viewer) if viewer else {}
    return game_page.draw_live(
        "settlers/page.html",
        unkept=True,
        broken=complaint(state.charts.unread),
        motions=about_viewer(game_page, "settlers"),
        seat=viewer,
        is_onlooker=state.is_onlooker(game_page.player),
        **_pictures(game_page, state, listing, viewer),
        visitor="" if visitor == NOBODY else visitor,
        visitor_rule=game_page.rule_url(VISITORS if visitor == NOBODY else visitor),
        is_merchant=state.is_visited_by(MERCHANT),
        is_thug=is_thug,
        merchant=unless_broken(lambda: state.charts.merchant, None),
        deck_rule=game_page.rule_url(DECK),
        timetable=timetable(game_page, state),
        lesson=page.lesson(state) if is_thug else None,
        gains=describe_items(brings) if brings else "",
        built=drawing.building_counts(viewer.buildings) if viewer else [],
        stockpile=viewer.stockpile.items() if viewer else (),
        alliance=page.alliance(viewer, listing.by_name) if viewer else [],
        **_page_forms(game_page, state, listing, viewer),
        **_private(game_page, state),
    )


@require_http_methods(_ASKED)
@never_cache
def harvest_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The gain of the harvest that is being filled in, as a part of the page.

    For a browser that cannot swap parts, the page itself with the blanks filled in.
    """
    if not getattr(request, "htmx", False):
        sent = request.POST if request.method == "POST" else request.GET
        words = [(name, str(text)) for name, text in sent.items() if name.startswith(_HARVEST)]
        return redirect(f"{reverse('settlers', args=[slug])}?{urlencode(words)}#harvest")
    game_page, _ = _open(request, slug)
    return game_page.draw("settlers/preview/_preview.html", preview=_foreseen(game_page, request))


@require_POST
@never_cache
def bribe_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The value of the bribe that is being filled in, as a part of the page.

    It is sent in the body, so that no address holds it, and is kept nowhere.
    """
    game_page, _ = _open(request, slug)
    foreseen = foresee_bribe(game_page.table, game_page.player, request.POST)
    return render(request, "settlers/preview/_bribe_preview.html", {"foreseen": foreseen})


@require_safe
@never_cache
def private(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own part of the page: their bribe, or the Onlooker's book of bribes."""
    game_page, state = _open(request, slug)
    return game_page.draw(
        "settlers/page/_private.html",
        seat=state.settler(game_page.player),
        **_private(game_page, state),
    )


@require_safe
def visit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A past visit whose bribes have been opened; 404 while they are sealed."""
    game_page, _ = _open(request, slug)
    past_visit = disclosed_visit(game_page.game, number)
    if past_visit is None:
        raise Http404(f"What visit {number} may have sealed has not been opened.")
    return game_page.draw("settlers/disclosed.html", disclosed=past_visit)


def _open(request: HttpRequest, slug: str) -> tuple[GamePage, State]:
    game_page = open_game(request, slug)
    state = state_of(game_page.table)
    if not state.is_on:
        raise Http404(
            "No isle is settled in this game. It is when the rulebook has “The Gift of the Isle”"
            " and “The Dice Deck”."
        )
    return game_page, state


def _pictures(
    game_page: GamePage, state: State, listing: Listing, viewer: Settler | None
) -> dict[str, Any]:
    plots = page.homesteads(state, listing.foremost, viewer)
    past = page.past(game_page)
    numbers = sorted(unless_broken(lambda: state.charts.yields, None) or ())
    return {
        "isle": state.isle,
        "results": state.results,
        "wide": drawing.isle(plots),
        "narrow": drawing.isle(plots[:_DRAWN], width=drawing.NARROW),
        "drawn": len(plots),
        "drawn_narrow": min(len(plots), _DRAWN),
        "listing": listing,
        "rows": page.rows(state, listing, viewer),
        "before": listing.page - 1,
        "after": listing.page + 1 if listing.page < listing.pages else None,
        "deck": page.deck(state, viewer),
        "past": past,
        "history": drawing.history(past, numbers),
        "entries": page.entries(game_page),
        "wins": page.wins(game_page),
    }


def _page_forms(
    game_page: GamePage, state: State, listing: Listing, viewer: Settler | None
) -> dict[str, Any]:
    room = next(iter(choices(game_page, "settlers")), None)
    page_forms = {page_form.action.name: page_form for page_form in room.page_forms} if room else {}
    asked = [
        page_forms.pop(name) for name, page_form in list(page_forms.items()) if page_form.linked
    ]
    harvest, preview = page_forms.pop("settlers.harvest", None), None
    if harvest is not None:
        preview = _foreseen(game_page, game_page.request)
        if _asks_for_a_harvest(game_page.request):
            harvest = filled(game_page, harvest.action, game_page.request.GET)
    for name in _ELSEWHERE:
        page_forms.pop(name, None)
    bargains = page.bargains(state, viewer, listing.by_name) if viewer else []
    return {
        "harvest": harvest,
        "preview": preview,
        "join": page_forms.pop("settlers.join", None),
        "swap": page_forms.pop("settlers.swap_with_merchant", None),
        "tell": page_forms.pop("settlers.bribe", None),
        "trade": page_forms.pop("settlers.offer_trade", None),
        "ally": page_forms.pop("settlers.set_alliance", None),
        "ready": [page_forms.pop(name) for name in list(page_forms)],
        "asked": asked,
        "not_now": room.not_now if room else [],
        "victory": unless_broken(lambda: state.charts.victory, None),
        "plans": page.plans(state, viewer) if viewer else [],
        "bargains": bargains[: page.MOST_OFFERS],
        "more_bargains": len(bargains[page.MOST_OFFERS :]),
    }


def _foreseen(game_page: GamePage, request: HttpRequest) -> Any:
    sent = request.GET if _asks_for_a_harvest(request) else None
    return foresee(game_page.table, game_page.player, sent)


def _asks_for_a_harvest(request: HttpRequest) -> bool:
    return any(name.startswith(_HARVEST) for name in request.GET)


def _private(game_page: GamePage, state: State) -> dict[str, Any]:
    """The viewer's own bribe, and for the Onlooker everybody's; None where there is none
    to see, and while the Thug is not here."""
    is_here = state.is_visited_by(THUG)
    bribes = bribes_seen_by(game_page.table, game_page.player) if is_here else None
    bribe = own_bribe(game_page.table, game_page.player) if is_here and bribes is None else None
    return {
        "own_bribe": bribe,
        "own_bribe_items": describe_items(bribe.items) if bribe else "",
        "bribes_seen": None
        if bribes is None
        else [
            (name, describe_items(listed.items), listed.value) for name, listed in bribes.items()
        ],
    }


def timetable(game_page: GamePage, state: State) -> dict[str, NextEvent] | None:
    """The next Production and, where a rule brings visitors, Visitor Arrival, each with its moment;
    None while their rules cannot be read. `may_produce` is left out once a Production may happen.
    """

    def coming(title: str, due: datetime) -> NextEvent:
        return NextEvent(title, due, game_page.wall_of(due))

    try:
        earliest, latest, visitor = may_produce_from(state), produces_by(state), next_arrival(state)
    except TableBroken:
        return None
    moments: dict[str, NextEvent] = {}
    if earliest > game_page.now:
        moments["may_produce"] = coming("It may happen as early as", earliest)
    moments["production"] = coming("It happens no later than", latest)
    if visitor:
        moments["arrival"] = coming("The Visitor arrives no later than", visitor)
    return moments


def next_arrival(state: State) -> datetime | None:
    """The game moment of the next Visitor Arrival at the latest: that which is due still, or that
    after the next Production. None while no rule brings visitors. Raises TableBroken."""
    if not state.table.rules.in_force(VISITORS):
        return None
    return arrives_by(state) or produces_by(state) + state.charts.arrival_after


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The isle as the game's home shows it, with the foremost Settlers, and what its last results
    bring the viewer still; None while there is none."""
    state = state_of(game_page.table)
    if not state.is_on:
        return None
    isle = state.isle
    viewer = state.settler(game_page.player)
    brings = page.gains(state, viewer) if viewer else {}
    plots = page.homesteads(state, state.foremost(_DRAWN + 1), viewer, limit=_DRAWN)
    return {
        "production": isle.production,
        "results": state.results,
        "visitor": "" if isle.visitor == NOBODY else isle.visitor,
        "settler": viewer,
        "settled": bool(plots),
        "may_settle": viewer is None and not state.is_onlooker(game_page.player),
        "gains": describe_items(brings) if brings else "",
        "wide": drawing.isle(plots),
        "narrow": drawing.isle(plots, width=drawing.NARROW),
    }
