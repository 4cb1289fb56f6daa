"""What was announced in a game: what waits for time or support, and what became of the rest."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nomic.standard.standing import most_urgent_first, standings
from nomic.web.game_page import open_game
from nomic.web.paging import newest_before, number_asked

SHOWN = 30


@require_safe
@never_cache
def motions(request: HttpRequest, slug: str) -> HttpResponse:
    """A page of the open motions, the most urgent first; and those that have ended, the newest
    first, or those before a number."""
    game_page = open_game(request, slug)
    ended = game_page.game.motions.exclude(end="").select_related("by__holder")
    ended = ended.prefetch_related("voices__player")
    rows, older = newest_before(ended, "number", number_asked(request, "before"), SHOWN)
    waiting = Paginator(most_urgent_first(game_page.table), SHOWN).get_page(request.GET.get("open"))
    context = {
        "game_page": game_page,
        "waiting": waiting,
        "open": standings(game_page.table, game_page.player, waiting.object_list),
        "ended": standings(game_page.table, game_page.player, rows),
        "older": older,
    }
    return render(request, "web/motions.html", context)
