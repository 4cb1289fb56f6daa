"""The lobby: which games there are, and taking a seat in one."""

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS
from nomic.play.actions import find_action, legality
from nomic.play.deeds import Deed
from nomic.play.frame import open_game

_MOST_GAMES = 100


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """All games with their state; the viewer's own come first."""
    wall = wall_now()
    games = list(
        Game.objects.filter(scratch=False)
        .annotate(seats=Count("players", filter=Q(players__active=True)))
        .order_by("title")[:_MOST_GAMES]
    )
    mine = _seats_of(request)
    rows = [
        {
            "game": game,
            "now": game.now(wall),
            "seat": mine.get(game.pk),
            "preset": PRESETS.get(game.preset),
        }
        for game in games
    ]
    rows.sort(key=lambda row: row["seat"] is None)
    return render(request, "pages/lobby.html", {"rows": rows})


def _seats_of(request: HttpRequest) -> dict[int, Player]:
    if not request.user.is_authenticated:
        return {}
    seats = Player.objects.filter(user_id=request.user.pk, active=True)
    return {seat.game_id: seat for seat in seats}


@require_safe
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """The form to take a seat; what it says is the action games.join."""
    frame = open_game(request, slug)
    if frame.seated:
        return redirect("game", slug)
    action = find_action("games.join")
    form = action.Form(frame.table, frame.player, initial={"name": _usual_name(request)})
    deed = Deed(
        frame,
        action,
        form,
        refusal=legality(action, frame.table, frame.player, {}),
        back=reverse("game", args=[slug]),
        plain=True,
    )
    context = {"frame": frame, "deed": deed, "preset": PRESETS.get(frame.game.preset)}
    return render(request, "pages/join.html", context)


def _usual_name(request: HttpRequest) -> str:
    return request.user.get_username() if request.user.is_authenticated else ""
