"""The isle as a page and in small: how it stands, what I may do now, and how it came to be so."""

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.rulebook.charts import ChartBroken, unless_broken
from nomic.rulebook.last_readable import complaint
from nomic.web.action_forms import choices, filled
from nomic.web.game_page import Coming, GamePage, look_for_news, open_game
from nomic.web.paging import page_asked
from settlers.events.clock import arrives_by, may_produce_from, produces_by
from settlers.models import NOBODY
from settlers.rules.isle import Settler, describe_items
from settlers.rules.titles import DECK, MERCHANT, THUG, VISITORS
from settlers.secrecy import bribes_seen_by, own_bribe
from settlers.state.reading import Listing, State, listing, state_of
from settlers.web import drawing, page
from settlers.web.disclosed import disclosed
from settlers.web.page import foresee, foresee_bribe

_ASKED = ("GET", "HEAD", "POST")
_HARVEST = ("change_", "bonuses_")
_ELSEWHERE = ("settlers.build", "settlers.accept_trade", "settlers.cancel_trade")


@require_safe
def settlers(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did).

    A harvest's blanks in the address are filled in, with what it would bring.
    """
    look_for_news(request)
    game_page, state = _open(request, slug)
    found = listing(state, page_asked(request), drawing.MOST_PLOTS + 1)
    own = state.settler(game_page.player)
    visitor = state.isle.visitor
    is_thug = state.is_visited_by(THUG)
    brings = page.gains(state, own) if own else {}
    return game_page.draw_live(
        "settlers/page.html",
        unkept=True,
        broken=complaint(state.charts.unread, state.charts.faults),
        seat=own,
        is_onlooker=state.is_onlooker(game_page.player),
        **_pictures(game_page, state, found, own),
        visitor="" if visitor == NOBODY else visitor,
        visitor_rule=game_page.rule_url(VISITORS if visitor == NOBODY else visitor),
        is_merchant=state.is_visited_by(MERCHANT),
        is_thug=is_thug,
        merchant=unless_broken(lambda: state.charts.merchant, None),
        deck_rule=game_page.rule_url(DECK),
        timetable=timetable(game_page, state),
        lesson=page.lesson(state) if is_thug else None,
        gains=describe_items(brings) if brings else "",
        built=drawing.counted(own.buildings) if own else [],
        stockpile=own.stockpile.items() if own else (),
        alliance=page.alliance(own, found.known) if own else [],
        **_page_forms(game_page, state, found, own),
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
        words = [(name, str(value)) for name, value in sent.items() if name.startswith(_HARVEST)]
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
    found = disclosed(game_page.game, number)
    if found is None:
        raise Http404(f"What visit {number} may have sealed has not been opened.")
    return game_page.draw("settlers/disclosed.html", disclosed=found)


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
    game_page: GamePage, state: State, found: Listing, own: Settler | None
) -> dict[str, Any]:
    plots = page.homesteads(state, found.foremost, own)
    past = page.past(game_page)
    numbers = sorted(unless_broken(lambda: state.charts.yields, None) or ())
    return {
        "isle": state.isle,
        "results": state.results,
        "wide": drawing.isle(plots),
        "narrow": drawing.isle(plots, width=drawing.NARROW),
        "drawn": len(plots),
        "listing": found,
        "rows": page.rows(state, found, own),
        "before": found.page - 1,
        "after": found.page + 1 if found.page < found.pages else None,
        "deck": page.deck(state, own),
        "past": past,
        "history": drawing.history(past, numbers),
        "entries": page.entries(game_page),
        "wins": page.wins(game_page),
    }


def _page_forms(
    game_page: GamePage, state: State, found: Listing, own: Settler | None
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
    bargains = page.bargains(state, own, found.known) if own else []
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
        "plans": page.plans(state, own) if own else [],
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
    seen = bribes_seen_by(game_page.table, game_page.player) if is_here else None
    told = own_bribe(game_page.table, game_page.player) if is_here and seen is None else None
    return {
        "own_bribe": told,
        "own_bribe_told": describe_items(told.items) if told else "",
        "bribes_seen": None
        if seen is None
        else [(name, describe_items(bribe.items), bribe.value) for name, bribe in seen.items()],
    }


def timetable(game_page: GamePage, state: State) -> dict[str, Coming] | None:
    """The next Production and, where a rule brings visitors, Visitor Arrival, each with its moment;
    None while their rules cannot be read. `may_produce` is left out once a Production may happen.
    """

    def coming(title: str, due: datetime) -> Coming:
        return Coming(title, due, game_page.wall_of(due))

    try:
        earliest, latest, visitor = may_produce_from(state), produces_by(state), next_arrival(state)
    except ChartBroken:
        return None
    found: dict[str, Coming] = {}
    if earliest > game_page.now:
        found["may_produce"] = coming("It may happen as early as", earliest)
    found["production"] = coming("It happens no later than", latest)
    if visitor:
        found["arrival"] = coming("The Visitor arrives no later than", visitor)
    return found


def next_arrival(state: State) -> datetime | None:
    """The game moment of the next Visitor Arrival at the latest: that which is due still, or that
    after the next Production. None while no rule brings visitors. Raises ChartBroken."""
    if not state.table.rules.in_force(VISITORS):
        return None
    return arrives_by(state) or produces_by(state) + state.charts.arrival_after


_DRAWN = 4


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The isle as the game's home shows it, with the foremost Settlers, and what its last results
    bring the viewer still; None while there is none."""
    state = state_of(game_page.table)
    if not state.is_on:
        return None
    isle = state.isle
    own = state.settler(game_page.player)
    brings = page.gains(state, own) if own else {}
    plots = page.homesteads(state, state.foremost(_DRAWN + 1), own, most=_DRAWN)
    return {
        "production": isle.production,
        "results": state.results,
        "visitor": "" if isle.visitor == NOBODY else isle.visitor,
        "own": own,
        "settled": bool(plots),
        "may_settle": own is None and not state.is_onlooker(game_page.player),
        "gains": describe_items(brings) if brings else "",
        "wide": drawing.isle(plots),
        "narrow": drawing.isle(plots, width=drawing.NARROW),
    }
