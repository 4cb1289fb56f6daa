"""The lobby: which games there are, and taking a seat in one."""

from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from nomic.engine.actions import find_action, legality
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.games.presets import PRESETS
from nomic.web.action_forms import PageForm
from nomic.web.game_page import open_game

A_PAGE = 50


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The games with their state, a page at a time; the viewer's own come first."""
    wall = wall_now()
    page = Paginator(_games(request), A_PAGE).get_page(request.GET.get("page"))
    mine = _seats_of(request)
    rows = [
        {
            "game": game,
            "now": game.now(wall),
            "seat": mine.get(game.pk),
            "preset": PRESETS.get(game.preset),
        }
        for game in page
    ]
    return render(request, "web/lobby.html", {"rows": rows, "page": page})


def _games(request: HttpRequest) -> QuerySet[Game]:
    """All games: those in which the viewer plays, then the others, each by its title."""
    games = Game.objects.filter(scratch=False).annotate(
        seats=Count("players", filter=Q(players__active=True))
    )
    if not request.user.is_authenticated:
        return games.order_by("title", "pk")
    seats = Player.objects.filter(game=OuterRef("pk"), user_id=request.user.pk, active=True)
    return games.order_by(Exists(seats).desc(), "title", "pk")


def _seats_of(request: HttpRequest) -> dict[int, Player]:
    if not request.user.is_authenticated:
        return {}
    seats = Player.objects.filter(user_id=request.user.pk, active=True)
    return {seat.game_id: seat for seat in seats}


@require_safe
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """The form to take a seat; what it says is the action games.join."""
    game_page = open_game(request, slug)
    if game_page.seated:
        return redirect("game", slug)
    action = find_action("games.join")
    form = action.Form(game_page.table, game_page.player, initial={"name": _usual_name(request)})
    page_form = PageForm(
        game_page,
        action,
        form,
        refusal=legality(action, game_page.table, game_page.player, {}),
        back=reverse("game", args=[slug]),
        plain=True,
    )
    context = {
        "game_page": game_page,
        "page_form": page_form,
        "preset": PRESETS.get(game_page.game.preset),
    }
    return render(request, "web/join.html", context)


def _usual_name(request: HttpRequest) -> str:
    return request.user.get_username() if request.user.is_authenticated else ""
