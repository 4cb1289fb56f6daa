"""A player's seat: leaving, offices, and what an office's holder may do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from nomic.web.action_forms import office_choices, seat_choices
from nomic.web.game_page import open_game, said
from nomic.web.powers import powers


@require_safe
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """What the viewer may do about their seat or, with `office`, in an office that they hold."""
    game_page = open_game(request, slug)
    if game_page.player is None or not game_page.seated:
        return redirect("join", slug)
    held = set(game_page.player.offices.values_list("name", flat=True))
    office = said(request, "office")
    shown = office_choices(game_page, office, held) if office in held else seat_choices(game_page)
    return game_page.draw(
        "web/seat.html", held=sorted(held), office=office, choices=[shown], powers=powers(game_page)
    )
