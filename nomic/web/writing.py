"""Pages on which a player writes something that is sent as a whole."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django_htmx.http import HttpResponseClientRedirect

from nomic.web.game_context import GamePage, open_game

type View = Callable[..., HttpResponse]


def for_writers(
    empty_form: str, open_page: Callable[[HttpRequest, str], GamePage] = open_game
) -> Callable[[View], View]:
    """A view that gets the game's page, and whose answer nobody keeps; who cannot write in this
    game is sent elsewhere. `empty_form` is the name of the page to which who signs in comes back
    from an address that cannot be asked for by GET."""

    def decorated(view: View) -> View:
        @wraps(view)
        def entered(request: HttpRequest, slug: str, **named: Any) -> HttpResponse:
            game_page = open_page(request, slug)
            if not request.user.is_authenticated:
                new = reverse(empty_form, args=[slug])
                back = request.get_full_path() if request.method == "GET" else new
                return sign_in_first(request, back)
            if not game_page.seated:
                away = redirect("join", slug)
                is_part = getattr(request, "htmx", False)
                return HttpResponseClientRedirect(away["Location"]) if is_part else away
            answer = view(request, game_page, **named)
            add_never_cache_headers(answer)
            return answer

        return entered

    return decorated


def sign_in_first(request: HttpRequest, back: str) -> HttpResponse:
    """The way to the page of sign-in, and from there to that address; where a part of a page was
    asked for, 401, which the page tells in a dialog: it keeps what is written on it."""
    is_part = getattr(request, "htmx", False)
    return HttpResponse(status=401) if is_part else redirect_to_login(back)
