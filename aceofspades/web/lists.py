"""The lists that the contest's page only begins, whole and in pages."""

from collections.abc import Callable
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from aceofspades.secrecy.view import View
from aceofspades.web import page
from aceofspades.web.proposals import proposal_rows
from aceofspades.web.views import open_contest
from nomic.web.game_page import GamePage
from nomic.web.paging import page_asked

A_PAGE = 100


@require_safe
def whole_list(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    """A page of all contestants, proposals, moves of cards or requests; 404 for anything else."""
    if what not in _LISTS:
        raise Http404(f"The contest has no list of {what[:40]}.")
    title, every, shown = _LISTS[what]
    game_page, view = open_contest(request, slug)
    some = Paginator(every(view), A_PAGE).get_page(page_asked(request))
    return game_page.draw(
        "aceofspades/list.html",
        unkept=True,
        what=what,
        is_reckoned=view.state.is_reckoned,
        is_over=view.state.is_over,
        title=title,
        page=some,
        **shown(game_page, view, some),
    )


type Every = Callable[[View], Any]
type Shown = Callable[[GamePage, View, Page[Any]], dict[str, Any]]
_LISTS: dict[str, tuple[str, Every, Shown]] = {
    "contestants": (
        "Contestants",
        page.ranked,
        lambda _, view, some: {
            "rows": page.rows(view, some),
            "sees_hands": view.sees_hands,
            "results": page.results(view),
        },
    ),
    "proposals": (
        "Proposals",
        lambda view: view.state.proposals[::-1],
        lambda *given: {"motions": proposal_rows(*given)},
    ),
    "moves": ("Cards on the move", page.moves, lambda *given: {"moves": given[-1]}),
    "requests": ("Requests for judgement", page.requests, lambda *given: {"requests": given[-1]}),
}
