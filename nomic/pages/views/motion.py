"""Something that was announced, with what it will change."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from nomic.play.frame import open_game
from nomic.standard.motions import action_of
from nomic.standard.previews import preview_of


@require_safe
def motion(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One motion, and while it waits what it would change as things are now."""
    frame = open_game(request, slug)
    found = frame.game.motions.select_related("game", "by").filter(number=number).first()
    if found is None:
        raise Http404(f"Nothing was announced here as Motion {number}.")
    context = {
        "frame": frame,
        "announced": found,
        "intent": action_of(found).intent(found.inputs),
        "preview": preview_of(found, frame.player),
    }
    response = render(request, "pages/motion.html", context)
    add_never_cache_headers(response)
    return response
