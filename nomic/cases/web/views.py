"""The docket and the archive of a game's cases, and each of them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from nomic.cases.models import Case
from nomic.cases.state import is_on, state_of
from nomic.games.models import Game
from nomic.web.game_context import GamePage, open_game
from nomic.web.hosting.talk import beside
from nomic.web.paging import newest_before, number_asked

_SHOWN = 40


@require_safe
def cases(request: HttpRequest, slug: str) -> HttpResponse:
    """The open cases, and those that are judged, the newest first."""
    game_page = open_game(request, slug)
    state = state_of(game_page.table)
    if not is_on(game_page.table) and not state.cases.exists():
        raise Http404("No rule of this game lets cases be.")
    shown, older = newest_before(state.cases, "number", number_asked(request, "before"), _SHOWN)
    return game_page.draw("cases/page.html", cases=shown, older=older)


@require_safe
def case(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A case: its statement, its texts, its judgement."""
    game_page = open_game(request, slug)
    row = case_or_404(game_page, number)
    texts = row.texts.select_related("by").prefetch_related("exhibits")
    return game_page.draw(
        "cases/case.html", case=row, texts=texts, **beside(game_page, f"case {row.number}")
    )


def case_or_404(game_page: GamePage, number: int) -> Case:
    """The case of that number; raises Http404."""
    row = state_of(game_page.table).cases.filter(number=min(number, 2**31 - 1)).first()
    if row is None:
        raise Http404(f"This game has no case {number}.")
    return row


def is_case(game: Game, number: int) -> bool:
    """Whether the game has a case of that number."""
    return game.cases.filter(number=number).exists()
