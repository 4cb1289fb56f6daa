"""Coming to a game by an invitation link, and asking its host for a seat."""

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from nomic.engine.outcomes import Concern, NoticeKind
from nomic.games.admission import come_by, find_invitation, has_come, why_closed
from nomic.games.clock import wall_now
from nomic.games.models import Admission, Invitation, JoinedBy
from nomic.games.presets import PRESETS
from nomic.notices.outbox import write
from nomic.web.game_page import SHOWN_LINKS, GamePage, open_game

_MOST_SHOWN = 20
_LONGEST_WORDS = 300


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What the link leads to; by POST one comes in, or, without an account, looks on.

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
    if not closed and request.method == "POST":
        closed = _come_in(request, found, user)
        if not closed:
            return redirect(_next(found, user))
    context = {
        "invitation": found,
        "closed": closed,
        "preset": PRESETS.get(found.game.preset),
        "is_in": user is not None and has_come(found.game, user),
    }
    return render(request, "web/hosting/invitation.html", context, status=410 if closed else 200)


def _come_in(request: HttpRequest, found: Invitation, user: User | None) -> str:
    if user is not None:
        return come_by(found, user, wall_now())
    shown = [pk for pk in request.session.get(SHOWN_LINKS, []) if pk != found.pk]
    request.session[SHOWN_LINKS] = [*shown[-_MOST_SHOWN + 1 :], found.pk]
    return ""


def _next(found: Invitation, user: User | None) -> str:
    """Where one goes who has come in: to a seat, or where they have one or no account, the game."""
    slug = found.game.slug
    if user is None or found.game.players.filter(user=user, active=True).exists():
        return reverse("game", args=[slug])
    return reverse("join", args=[slug])


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
        _tell_the_host(game_page, admission)
        messages.success(request, "The host is asked. You can join as soon as they let you in.")
    return redirect("join", slug)


def _tell_the_host(game_page: GamePage, admission: Admission) -> None:
    """Let a host who plays be told, once, that somebody asks."""
    game = game_page.game
    seats = game.players.filter(user_id=game.host_id or 0, active=True)
    to = frozenset(seats.values_list("pk", flat=True))
    url = reverse("host", args=[game.slug])
    asks = Concern(NoticeKind.DUTY, f"{admission.user} asks for a seat in {game}.", url, to)
    write(game_page.table, [asks], where=f"asks {admission.pk}")
