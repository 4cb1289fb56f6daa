"""What the contest's page shows the beginning of, whole and in pages."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from aceofspades.models import Move, Request
from aceofspades.secrecy.view import View
from aceofspades.web import page
from aceofspades.web.proposals import proposal_rows
from aceofspades.web.views import open_contest
from nomic.web.game_page import GamePage
from nomic.web.paging import page_asked

A_PAGE = 100

type Found = tuple[str, int, dict[str, Any]]


@require_safe
def whole_list(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """A page of all contestants, proposals, moves of cards or requests; 404 for anything else."""
    listing = _LISTS.get(what)
    if listing is None:
        raise Http404(f"The contest has no list of {what[:40]}.")
    game_page, view = open_contest(request, slug)
    number = page_asked(request)
    title, total, found = listing(game_page, view, (number - 1) * A_PAGE)
    return game_page.draw(
        "aceofspades/list.html",
        unkept=True,
        what=what,
        is_reckoned=view.state.is_reckoned,
        title=title,
        total=total,
        page=number,
        before=number - 1,
        after=number + 1,
        pages=max(-(-total // A_PAGE), 1),
        **found,
    )


def _contestants(game_page: GamePage, view: View, first: int) -> Found:
    order = page.ranked(view)
    found = {
        "rows": page.rows(view, order[first : first + A_PAGE]),
        "sees_hands": view.sees_hands,
        "results": page.results(view),
    }
    return "Contestants", len(order), found


def _proposals(game_page: GamePage, view: View, first: int) -> Found:
    order = view.state.proposals[::-1]
    found = {"motions": proposal_rows(game_page, view, order[first : first + A_PAGE])}
    return "Proposals", len(order), found


def _moves(game_page: GamePage, view: View, first: int) -> Found:
    rows = Move.objects.filter(contest=view.state.contest).order_by("-pk")
    return "Cards on the move", rows.count(), {"moves": rows[first : first + A_PAGE]}


def _requests(game_page: GamePage, view: View, first: int) -> Found:
    rows = Request.objects.filter(contest=view.state.contest).order_by("-number")
    found = rows.select_related("by")[first : first + A_PAGE]
    return "Requests for judgement", rows.count(), {"requests": found}


_LISTS: dict[str, Callable[[GamePage, View, int], Found]] = {
    "contestants": _contestants,
    "proposals": _proposals,
    "moves": _moves,
    "requests": _requests,
}
