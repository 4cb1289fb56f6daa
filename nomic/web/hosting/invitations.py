"""Coming to a game by an invitation link, and asking its host for a seat."""

from collections.abc import Mapping

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.internal.flows.signup import complete_signup
from allauth.core.ratelimit import consume_or_429
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from nomic.engine.forms import Text
from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.take import take
from nomic.games.admission import (
    come_by,
    empty_seats,
    find_invitation,
    seat_given,
    token_of,
    why_closed,
)
from nomic.games.clock import wall_now
from nomic.games.models import Admission, Invitation, JoinedBy
from nomic.games.names import LONGEST_NAME
from nomic.games.presets import PRESETS
from nomic.notices.outbox import to_its_host, write
from nomic.standard.hosting.bringing import CLAIM_SEAT
from nomic.standard.hosting.talk import faces_of
from nomic.standard.motions import JOIN
from nomic.web.game_page import SHOWN_LINKS, open_game
from nomic.web.hosting.host import host_name
from nomic.web.newcomers.guests import not_at_the_door

_MOST_FACES = 12
_MOST_SHOWN = 20
_LONGEST_WORDS = 300


class SeatForm(forms.Form):
    """The name by which somebody sits down."""

    name = Text(longest=LONGEST_NAME, label="Your name in this game")


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password1", "password2")
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page to which the link leads. By POST one sits down at once, under a name alone or with
    an account that is made for it, or, without an account, looks on.

    404 for a link that nobody made, 410 for one that was withdrawn or is used up: a sentence each.
    """
    found = find_invitation(token)
    if found is None or found.game.scratch:
        raise Http404(
            "There is no such invitation. Copy the whole link that you were sent, or ask for"
            " another one."
        )
    user = request.user if isinstance(request.user, User) else None
    closed = why_closed(found, user)
    if closed or request.method != "POST":
        return _page(request, found, closed=closed)
    if user is not None:
        return _come_in(request, found, user, request.POST)
    # Let this browser see the game, and sign up for it, by the link that it was shown.
    shown = [pk for pk in request.session.get(SHOWN_LINKS, []) if pk != found.pk]
    request.session[SHOWN_LINKS] = [*shown[-_MOST_SHOWN + 1 :], found.pk]
    if "password1" not in request.POST:
        return redirect("game", found.game.slug)
    return _sign_up(request, found)


def _page(
    request: HttpRequest,
    found: Invitation,
    form: forms.BaseForm | None = None,
    *,
    closed: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of the link; without a form of what was sent, with an empty one."""
    game, user = found.game, request.user
    seat = found.seat if found.seat in empty_seats(game) else None
    if not isinstance(user, User) and settings.SIGN_UP != "closed":
        form = form or SignupForm(initial={"username": str(seat or "")})
    elif isinstance(user, User) and not _asks_first(found) and seat is None:
        form = form or SeatForm(initial={"name": user.get_username()})
    players = game.players.filter(active=True).order_by("pk")
    names = list(players.values_list("name", flat=True)[:_MOST_FACES])
    context = {
        "invitation": found,
        "closed": closed,
        "form": form,
        "seat": seat,
        "is_in": isinstance(user, User) and players.filter(user=user).exists(),
        "asks_first": _asks_first(found),
        "preset": PRESETS.get(game.preset),
        "host": host_name(game),
        "names": names,
        "faces": faces_of([game.pk])[game.pk],
        "more": players.count() - len(names),
    }
    return render(request, "web/hosting/invitation.html", context, status=410 if closed else status)


def _asks_first(found: Invitation) -> bool:
    """Whether who comes by it has still to be let in by the host."""
    return found.game.joined_by is JoinedBy.HOST and found.seat_id is None


def _come_in(
    request: HttpRequest, found: Invitation, user: User, sent: Mapping[str, str]
) -> HttpResponse:
    """Let that user come by the link, and sit down where nothing else is to be asked."""
    game = found.game
    if closed := come_by(found, user, wall_now()):
        return _page(request, found, closed=closed)
    if game.players.filter(user=user, active=True).exists():
        return redirect("game", game.slug)
    seat = seat_given(game, user)
    if not seat and (_asks_first(found) or "name" not in sent):
        return redirect("join", game.slug)
    form = SeatForm({"name": seat.name} if seat else sent)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    if not_at_the_door(user, game.slug):
        return redirect("join", game.slug)
    try:
        take(game.slug, user, CLAIM_SEAT if seat else JOIN, form.cleaned_data)
    except (Refused, Malformed) as refused:
        form.add_error("name", str(refused))
        return _page(request, found, form, status=422)
    except Busy as busy:
        form.add_error("name", str(busy))
        return _page(request, found, form, status=503)
    messages.success(request, f"You have a seat: you are {form.cleaned_data['name']}.")
    return redirect("game", game.slug)


def _sign_up(request: HttpRequest, found: Invitation) -> HttpResponse:
    """Make an account, and sit down under its name."""
    if not get_adapter().is_open_for_signup(request):
        return render(request, "account/signup_closed.html", status=403)
    form = SignupForm(request.POST)
    if not form.is_valid():
        return _page(request, found, form, status=422)
    if too_often := consume_or_429(request, action="signup"):
        return too_often  # type: ignore[no-any-return]
    user, answer = form.try_save(request)
    if answer is not None:  # the e-mail is somebody's, who is told so by e-mail
        return answer  # type: ignore[no-any-return]
    here = reverse("invitation", args=[token_of(found)])
    answer = complete_signup(request, user=user, redirect_url=here)
    if not request.user.is_authenticated:  # their e-mail has to be verified first
        return answer  # type: ignore[no-any-return]
    return _come_in(request, found, user, {"name": user.get_username()})


@require_POST
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the host to be let in, once, with a few words."""
    game_page = open_game(request, slug)
    game, user = game_page.game, request.user
    if not isinstance(user, User) or game.joined_by is not JoinedBy.HOST:
        return redirect("join", slug)
    words = "".join(each for each in request.POST.get("words", "") if each.isprintable())
    asked = {"state": Admission.State.ASKED, "words": words[:_LONGEST_WORDS], "at": wall_now()}
    admission, is_new = Admission.objects.get_or_create(game=game, user=user, defaults=asked)
    if not is_new and admission.state == Admission.State.INVITED:
        Admission.objects.filter(pk=admission.pk).update(**asked)
    if admission.state == Admission.State.DECLINED:
        messages.warning(request, "The host has declined that you join this game.")
    elif admission.state != Admission.State.ADMITTED:
        asks = f"{admission.user} asks for a seat in {game}."
        told = to_its_host(game, asks, reverse("host", args=[game.slug]))
        write(game_page.table, told, where=f"asks {admission.pk}")
        messages.success(request, "The host is asked. You can join as soon as they let you in.")
    return redirect("join", slug)
