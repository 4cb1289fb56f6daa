"""Trying it as a guest, and keeping the seat under a name and a password of one's own."""

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.internal.flows.signup import complete_signup
from allauth.core.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from nomic.engine.outcomes import Busy, Refused
from nomic.web.demonstration import not_ready, the_demonstration
from nomic.web.newcomers.guests import (
    SESSION,
    TooMany,
    guest_of,
    make_guest,
    seat_guest,
)
from nomic.web.newcomers.tour import DISMISSED
from nomic.web.views.act import page_before
from nomic.web.views.lobby import front

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_POST
@never_cache
def try_it(request: HttpRequest) -> HttpResponse:
    """A seat in the demonstration at once: as a guest, or with the account that is signed in; then
    its page that is asked for as `next`.

    429 with a sentence where too many come, 503 where the demonstration is not ready.
    """
    game = the_demonstration()
    if game is None:
        return front(request, 404, "This site has no demonstration. Join one of its games.")
    if refusal := not_ready(game.slug):
        return front(request, 503, refusal.sentence)
    guest = guest_of(request.user)
    if request.user.is_authenticated and guest is None:
        return redirect("join", game.slug)  # which leads on to the game where they have a seat
    try:
        guest = guest or make_guest(request)
        seat = seat_guest(guest)
    except TooMany as too_many:
        return front(request, 429, str(too_many))
    except Refused as refused:
        return front(request, 409, refused.refusal.sentence)
    except Busy as busy:
        return front(request, 503, str(busy))
    if not request.user.is_authenticated:
        login(request, guest.user, _BACKEND)
    request.session[SESSION] = seat.name
    messages.success(request, f"You have a seat: you are {seat.name}. Everything here is practice.")
    home, asked = reverse("game", args=[game.slug]), request.POST.get("next", "")[:300]
    is_there = asked.startswith(home) and url_has_allowed_host_and_scheme(asked, allowed_hosts=None)
    return redirect(asked if is_there else home)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password1", "password2")
@never_cache
def keep_seat(request: HttpRequest) -> HttpResponse:
    """A guest's signing up: the same user, with a name and a password, and perhaps an e-mail."""
    guest = guest_of(request.user)
    if guest is None:
        return redirect("settings" if request.user.is_authenticated else "account_signup")
    if not get_adapter().is_open_for_signup(request):
        return render(request, "account/signup_closed.html", status=403)
    form = SignupForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "web/newcomers/keep.html", {"form": form}, status=status)
    if too_often := consume_or_429(request, action="signup"):
        return too_often  # type: ignore[no-any-return]
    user, answer = form.try_save(request)  # the adapter's new user is the guest
    if answer is not None:  # the e-mail is somebody's, who is told so by e-mail
        return answer  # type: ignore[no-any-return]
    guest.delete()
    request.session.pop(SESSION, None)
    game = the_demonstration()
    back = reverse("game", args=[game.slug]) if game else "/"
    return complete_signup(request, user=user, redirect_url=back)  # type: ignore[no-any-return]


@require_POST
def dismiss_tour(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first tour of that game no more."""
    request.session[DISMISSED] = sorted({slug, *request.session.get(DISMISSED, ())})
    return redirect(page_before(request, slug))
