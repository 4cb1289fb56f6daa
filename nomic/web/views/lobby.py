"""The front page: what this is, a first board as it is now, what waits, which games there are; and
taking a seat in one, as a guest too, who keeps it under a name and a password of their own."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.internal.flows.signup import complete_signup
from allauth.core.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.postgres.expressions import ArraySubquery
from django.core.paginator import Paginator
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.engine import watch
from nomic.engine.actions import find_action, legality
from nomic.engine.outcomes import Busy, Refused
from nomic.games.admission import may_join, seat_given, to_join
from nomic.games.clock import wall_now
from nomic.games.models import CLOSED, IS_CLOSED, Admission, Game, JoinedBy, Player
from nomic.games.presets import PRESETS
from nomic.games.wins import as_won, newest_wins
from nomic.governance.hosting.moving_in import CLAIM_SEAT
from nomic.governance.hosting.talk import faces_of
from nomic.governance.motions import JOIN
from nomic.record.models import Entry
from nomic.web.action_forms import PageForm
from nomic.web.demonstration import SLUG, being_filled, not_ready, the_demonstration
from nomic.web.game_context import NEWLY_WON, GamePage, games_seen, look_for_news, open_game
from nomic.web.models import Filling
from nomic.web.newcomers.guests import (
    SESSION,
    TooMany,
    guest_of,
    joining_refusal,
    make_guest,
    seat_guest,
)
from nomic.web.newcomers.tour import DISMISSED
from nomic.web.panels import first_panel
from nomic.web.seat_names import name_complaints, rename_seats
from nomic.web.views.take_action import page_before
from nomic.web.waiting import waiting_everywhere

A_PAGE = 50
_FACES = 6
_QUIET = timedelta(days=3)
_NEVER_FOLDED = 4  # of each group, the liveliest
_MINE, _OPEN, _OTHERS = "Games you play in", "Games you can join", "Games you can watch"


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The front page: what this is, or what waits for the viewer; then the games."""
    return front(request)


def front(request: HttpRequest, status: int = 200, refused: str = "") -> HttpResponse:
    """That page, with the sentence that a guest seat was refused with."""
    page = Paginator(_games(request), A_PAGE).get_page(request.GET.get("page"))
    fillings = {filling.slug: filling for filling in Filling.objects.all()}
    # How many people ask for a seat in each game that the viewer hosts.
    asking: list[Mapping[str, object]] = []
    if request.user.is_authenticated:
        asked = Admission.objects.filter(state=Admission.State.ASKED, game__host=request.user.pk)
        asked = asked.exclude(game__settings__contains={CLOSED: True})
        by_game = asked.values("game__slug", "game__title").annotate(many=Count("pk"))
        asking += by_game.order_by("game__title")
    context = {
        "groups": _groups(request, list(page), fillings),
        "page": page,
        "asking": asking,
        "demonstration": the_demonstration(),
        "living": living(request),
        "being_filled": fillings.get(SLUG),
        "waiting": waiting_everywhere(request),
        "refused": refused,
    }
    response = render(request, "web/lobby/lobby.html", context, status=status)
    if request.user.is_authenticated:  # what waits may be for the viewer's eyes
        add_never_cache_headers(response)
    return response


def living(request: HttpRequest) -> dict[str, Any] | None:
    """The values of the front page's living part; None where there is no game for it, or none that
    can be shown yet."""
    # whether a tap gives whoever asks a guest's seat, or leads them to the one they have
    tries = not request.user.is_authenticated or SESSION in request.session
    seat: Player | None = None
    if tries:
        game = the_demonstration()
    else:
        seats = Player.objects.filter(user_id=request.user.pk or 0, active=True)
        seats = seats.filter(game__scratch=False, game__paused_at=None).select_related("game")
        seats = seats.exclude(game__settings__contains={CLOSED: True})
        by_next = F("game__wakes_at").asc(nulls_last=True)
        seat = seats.order_by(by_next, "-game__pk").first()
        game = seat.game if seat else None
    if game is None or being_filled(game.slug):
        return None
    game_page = GamePage(request, game, seat)
    template, panel = first_panel(game_page)
    newest = game.entries.order_by("-seq").values_list("text", flat=True).first()
    values = {"board": template, "panel": panel, "newest": newest, "wall": wall_now()}
    return {"game_page": game_page, "front": tries, **values} if template else None


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """That part alone; 204 without a query if nothing has happened. 404 where there is none.

    What asks for it first runs in a browser at which somebody may be: the game wakes up.
    """
    look_for_news(request)
    values = living(request)
    if values is None:
        raise Http404("This site shows no board now.")
    if not request.GET.get("v"):
        watch.look(values["game_page"].game.pk, values["wall"])
    response = render(request, "web/lobby/_living.html", {**values, "live": True})
    if request.user.is_authenticated:  # it may be for the viewer's eyes
        add_never_cache_headers(response)
    return response


def _groups(
    request: HttpRequest, games: list[Game], fillings: dict[str, Filling]
) -> list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]]:
    """The games under the headings of what the viewer can do there, and those of them that are
    folded since they are quiet; no heading without a game."""
    wall, open_ = wall_now(), to_join(games, request.user)
    # With None for somebody who has not signed in it would find the seats that no user has.
    mine = Player.objects.filter(user_id=request.user.pk or 0)  # those that they left among them
    seats = {seat.game_id: seat for seat in mine} if request.user.is_authenticated else {}
    chosen = faces_of([game.pk for game in games])
    groups: dict[str, list[dict[str, Any]]] = {heading: [] for heading in (_MINE, _OPEN, _OTHERS)}
    for game in games:
        seat = seats.get(game.pk)
        plays = seat is not None and seat.active
        joins = not seat.removed if seat else game.pk in open_
        moved_at = getattr(game, "moved_at", None)
        row = {
            "game": game,
            "chosen": chosen[game.pk],
            "now": game.now(wall),
            "seat": seat if plays else None,
            "joins": joins,
            "asks": not joins and seat is None and game.joined_by is JoinedBy.HOST,
            "preset": PRESETS.get(game.preset),
            "next": game.wakes_at if game.rate and not game.is_closed else None,
            "next_due": game.wakes_at and game.now(game.wakes_at),
            "wall": wall,
            "quiet": not plays and moved_at is not None and moved_at < wall - _QUIET,
            "filling": fillings.get(game.slug),
            "won": as_won(getattr(game, NEWLY_WON), 1),
        }
        groups[_MINE if plays else _OPEN if joins else _OTHERS].append(row)
    for rows in groups.values():
        for row in rows[:_NEVER_FOLDED]:
            row["quiet"] = False
    return [
        (heading, rows, [row for row in rows if row["quiet"]])
        for heading, rows in groups.items()
        if rows
    ]


def _games(request: HttpRequest) -> QuerySet[Game]:
    """The games: those in which the viewer plays, then the others that are not closed, the
    demonstration first and then the liveliest.

    As lively as a game is counts the moment of its last entry.
    """
    last = Entry.objects.filter(game=OuterRef("pk"), seq=OuterRef("last_entry"))
    games = games_seen(request).annotate(
        seats=Count("players", filter=Q(players__active=True)),
        moved_at=Subquery(last.values("recorded_at")[:1]),
        last_text=Subquery(last.values("text")[:1]),
        faces=ArraySubquery(
            Player.objects.filter(game=OuterRef("pk"), active=True)
            .order_by("-pk")
            .values("name")[:_FACES]
        ),
        **{NEWLY_WON: newest_wins("pk", 1)},
    )
    games = games.annotate(is_demonstration=Q(slug=SLUG))
    order = "-is_demonstration", F("moved_at").desc(nulls_last=True), "title", "pk"
    if not request.user.is_authenticated:
        return games.filter(~IS_CLOSED).order_by(*order)
    seats = Player.objects.filter(game=OuterRef("pk"), user_id=request.user.pk, active=True)
    return games.filter(~IS_CLOSED | Exists(seats)).order_by(Exists(seats).desc(), *order)


@require_safe
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """The form to take a seat; what it says is the action games.join."""
    game_page = open_game(request, slug)
    if game_page.seated or game_page.game.is_closed:
        return redirect("end" if game_page.game.is_closed else "game", slug)
    user = request.user
    seat = seat_given(game_page.game, user) if isinstance(user, User) else None
    action = find_action(CLAIM_SEAT if seat else JOIN)
    initial = {"name": seat.name if seat else user.get_username()}
    form = action.Form(game_page.table, game_page.player, initial=initial)
    page_form = PageForm(
        game_page,
        action,
        form,
        refusal=joining_refusal(request.user, slug)
        or legality(action, game_page.table, game_page.player, {}),
        back=reverse("game", args=[slug]),
        plain=True,
    )
    return game_page.draw(
        "web/lobby/join.html",
        page_form=page_form,
        preset=PRESETS.get(game_page.game.preset),
        guest=guest_of(request.user),
        demonstration=slug == SLUG and not being_filled(slug),
        asks="" if seat else _admission_state(game_page),
        seat=seat,
    )


def _admission_state(game_page: GamePage) -> str:
    """The state of a viewer who needs the host's word: `ask`, `asked` or `declined`; "" for
    others."""
    game, user = game_page.game, game_page.request.user
    if not isinstance(user, User) or game.joined_by is not JoinedBy.HOST:
        return ""
    if game_page.player or may_join(game, user):
        return ""
    state = game.admissions.filter(user=user).values_list("state", flat=True).first()
    return state if state in (Admission.State.ASKED, Admission.State.DECLINED) else "ask"


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
        login(request, guest.user)
    request.session[SESSION] = seat.name
    messages.success(request, f"You have a seat: you are {seat.name}. Everything here is practice.")
    home, asked = reverse("game", args=[game.slug]), request.POST.get("next", "")[:300]
    return redirect(asked if asked.startswith(home) else home)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("password1", "password2")
@never_cache
def keep_seat(request: HttpRequest) -> HttpResponse:
    """A guest's signing up: the same user, with a name, by which their seat goes as well, and a
    password, and perhaps an e-mail."""
    guest = guest_of(request.user)
    if guest is None:
        return redirect("settings" if request.user.is_authenticated else "account_signup")
    if not get_adapter().is_open_for_signup(request):
        return render(request, "account/signup_closed.html", status=403)
    if request.method == "POST" and (too_often := consume_or_429(request, action="signup")):
        return too_often  # type: ignore[no-any-return]
    form = SignupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        for complaint in name_complaints(guest.user, form.cleaned_data["username"]):
            form.add_error("username", complaint)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "web/newcomers/keep.html", {"form": form}, status=status)
    user, _ = form.try_save(request)  # the adapter's new user is the guest
    guest.delete()
    for complaint in rename_seats(user, user.username):
        messages.warning(request, complaint)
    request.session.pop(SESSION, None)
    game = the_demonstration()
    back = reverse("game", args=[game.slug]) if game else "/"
    return complete_signup(request, user=user, redirect_url=back)  # type: ignore[no-any-return]


@require_POST
def dismiss_tour(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first tour of that game no more."""
    request.session[DISMISSED] = sorted({slug, *request.session.get(DISMISSED, ())})
    return redirect(page_before(request, slug))
