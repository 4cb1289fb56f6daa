"""Something that was announced, with what it will change."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from nomic.standard.previews import preview_of
from nomic.standard.standing import standings
from nomic.web.game_page import open_game


@require_safe
@never_cache
def motion(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One motion, and while it waits what it would change as things are now."""
    game_page = open_game(request, slug)
    announced = game_page.game.motions.select_related("game", "by__holder")
    found = announced.prefetch_related("voices__player").filter(number=number).first()
    if found is None:
        raise Http404(f"Nothing was announced here as Motion {number}.")
    context = {
        "game_page": game_page,
        "standing": standings(game_page.table, game_page.player, [found])[0],
        "preview": preview_of(found, game_page.player),
    }
    return render(request, "web/motion.html", context)
