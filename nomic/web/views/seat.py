"""A player's seat: leaving, offices, and what an office's holder may do."""

import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from nomic.web.action_forms import office_choices, seat_choices
from nomic.web.game_page import open_game, said
from nomic.web.powers import powers


@require_safe
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """What the viewer may do about their seat or, with `office`, in an office that they hold."""
    frame = open_game(request, slug)
    if frame.player is None or not frame.seated:
        return redirect("join", slug)
    held = set(frame.player.offices.values_list("name", flat=True))
    office = said(request, "office")
    shown = office_choices(frame, office, held) if office in held else seat_choices(frame)
    context = {
        "frame": frame,
        "held": sorted(held),
        "office": office,
        "choices": [shown],
        "powers": powers(frame),
        "key": secrets.token_urlsafe(12),
    }
    return render(request, "web/seat.html", context)
