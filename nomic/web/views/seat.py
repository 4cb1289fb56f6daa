"""A player's seat: leaving, offices, and what an office's holder may do."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from nomic.standard.hosting.talk import choose_face
from nomic.web.action_forms import office_choices, seat_choices
from nomic.web.game_page import open_game, said
from nomic.web.newcomers.faces import face_of, is_face, offered
from nomic.web.powers import powers


@require_safe
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's acts about their seat or, with `office`, in an office that they hold."""
    game_page = open_game(request, slug)
    if game_page.player is None or not game_page.seated:
        return redirect("join", slug)
    held = set(game_page.player.offices.values_list("name", flat=True))
    office = said(request, "office")
    shown = office_choices(game_page, office, held) if office in held else seat_choices(game_page)
    own = game_page.player.name
    return game_page.draw(
        "web/seat.html",
        held=sorted(held),
        office=office,
        choices=[shown],
        powers=powers(game_page),
        faces_offered=offered(own) if office not in held else (),
        own_face=game_page.faces.get(own) or face_of(own),
    )


@require_POST
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the face of one's seat; 404 for what is none."""
    game_page = open_game(request, slug)
    face = request.POST.get("face", "")
    if game_page.player is None or not game_page.seated:
        return redirect("join", slug)
    if not is_face(face):
        raise Http404("There is no such face. Choose one of those on the page of your seat.")
    choose_face(game_page.player, "" if face == face_of(game_page.player.name) else face)
    messages.success(request, "That is your face here from now on.")
    return redirect("seat", slug)
