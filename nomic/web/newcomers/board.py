"""The demonstration's first board as it is now, with one act that is open to anybody."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from nomic.engine import watch
from nomic.games.clock import wall_now
from nomic.web.game_page import GamePage, nothing_new
from nomic.web.newcomers.filling import being_filled
from nomic.web.newcomers.guests import the_demonstration
from nomic.web.panels import first_panel
from nomic.web.welcome import SLUG


def living(request: HttpRequest) -> dict[str, Any] | None:
    """What the part of the front page is drawn of; None where there is no demonstration, or none
    that can be shown yet."""
    game = the_demonstration()
    if game is None or being_filled(SLUG):
        return None
    game_page = GamePage(request, game, None)
    template, panel = first_panel(game_page)
    newest = game.entries.order_by("-seq").values_list("text", flat=True).first()
    told = {"board": template, "panel": panel, "newest": newest, "wall": wall_now()}
    return {"game_page": game_page, **told} if template else None


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """That part alone; 204 without a query if nothing has happened. 404 where there is none.

    What asks for it first runs in a browser at which somebody may be: the demonstration wakes up.
    """
    if (unchanged := nothing_new(request)) is not None:
        return unchanged
    told = living(request)
    if told is None:
        raise Http404("This site shows no demonstration now.")
    if not request.GET.get("v"):
        watch.look(told["game_page"].game.pk, told["wall"])
    return render(request, "web/lobby/_living.html", {**told, "live": True})
