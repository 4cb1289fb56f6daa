"""A first board as it is now, for the front page: the demonstration's, with one act that is open to
anybody; or that of the game in which the viewer plays and something happens next."""

from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.decorators.http import require_safe

from nomic.engine import watch
from nomic.games.clock import wall_now
from nomic.games.models import CLOSED, Player
from nomic.web.game_page import GamePage, look_for_news
from nomic.web.newcomers.filling import being_filled
from nomic.web.newcomers.guests import SESSION, the_demonstration
from nomic.web.panels import first_panel


def living(request: HttpRequest) -> dict[str, Any] | None:
    """The values of the front page's living part; None where there is no game for it, or none that
    can be shown yet."""
    # whether a tap gives whoever asks a guest's seat, or leads them to the one they have
    tries = not request.user.is_authenticated or SESSION in request.session
    seat: Player | None = None
    if tries:
        game = the_demonstration()
    else:
        seats = Player.objects.filter(user_id=request.user.pk or 0, active=True)
        seats = seats.filter(game__scratch=False, game__paused_at=None).select_related("game")
        seats = seats.exclude(game__settings__contains={CLOSED: True})
        by_next = F("game__wakes_at").asc(nulls_last=True)
        seat = seats.order_by(by_next, "-game__pk").first()
        game = seat.game if seat else None
    if game is None or being_filled(game.slug):
        return None
    game_page = GamePage(request, game, seat)
    template, panel = first_panel(game_page)
    newest = game.entries.order_by("-seq").values_list("text", flat=True).first()
    told = {"board": template, "panel": panel, "newest": newest, "wall": wall_now()}
    return {"game_page": game_page, "front": tries, **told} if template else None


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """That part alone; 204 without a query if nothing has happened. 404 where there is none.

    What asks for it first runs in a browser at which somebody may be: the game wakes up.
    """
    look_for_news(request)
    told = living(request)
    if told is None:
        raise Http404("This site shows no board now.")
    if not request.GET.get("v"):
        watch.look(told["game_page"].game.pk, told["wall"])
    response = render(request, "web/lobby/_living.html", {**told, "live": True})
    if request.user.is_authenticated:  # it may be for the viewer's eyes
        add_never_cache_headers(response)
    return response
