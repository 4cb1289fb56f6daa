"""A player's seat: leaving, offices, and what an office's holder may do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from nomic.play.deeds import seat_choices
from nomic.play.frame import open_game


@require_safe
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """What the viewer may do about their seat and in their offices."""
    frame = open_game(request, slug)
    if not frame.seated:
        return redirect("join", slug)
    context = {"frame": frame, "choices": seat_choices(frame)}
    return render(request, "pages/seat.html", context)
