"""The host's page of a game: what a host may do, for everybody; and the host's own settings. Coming
to a game: by an invitation link, or by asking its host for a seat."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import qrcode
from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.internal.flows.signup import complete_signup
from allauth.core.ratelimit import consume_or_429
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from qrcode.image.svg import SvgPathImage

from nomic.engine.actions import find_action, legality
from nomic.engine.forms import Text
from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.requests import runs
from nomic.engine.subgames import rulemaker_of
from nomic.engine.take import take
from nomic.games.admission import (
    MOST_INVITATIONS,
    come_by,
    empty_seats,
    find_invitation,
    seat_given,
    token_of,
    why_closed,
)
from nomic.games.admission import let_in as admit
from nomic.games.clock import wall_now
from nomic.games.models import Admission, Game, Invitation, JoinedBy
from nomic.games.names import LONGEST_NAME
from nomic.games.powers import Offices, Voters, offices_of, voters_of
from nomic.games.presets import PRESETS
from nomic.governance.bots import ADD_BOT, REMOVE_BOT
from nomic.governance.hosting.acts import (
    CLOSE,
    DECLINE_OFFER,
    HAND_OVER,
    OPEN_TO,
    TAKE_OVER,
    WITHDRAW_OFFER,
    offered_to,
)
from nomic.governance.hosting.moving_in import (
    BRING_BALANCE,
    BRING_DUTY,
    BRING_OFFICE,
    BRING_PLAYER,
    BRING_PROPOSAL,
    BRING_SWITCH,
    CLAIM_SEAT,
    FREE_SEAT,
    TAKE_RULES_BACK,
)
from nomic.governance.hosting.players import ACCEPT, REMOVE, TAKE_BACK
from nomic.governance.hosting.program_switches import SWITCH_OFF
from nomic.governance.hosting.talk import faces_of
from nomic.governance.motions import JOIN
from nomic.governance.offices import APPOINT
from nomic.notices.mail import absolute
from nomic.notices.outbox import host_concerns, write
from nomic.quotas import disk
from nomic.quotas.holds import locked_out
from nomic.quotas.models import UsageKind
from nomic.web.action_forms import PageForm
from nomic.web.game_context import SHOWN_LINKS, GamePage, open_game, viewer
from nomic.web.newcomers.guests import joining_refusal

_SETTINGS = {
    "Who sees the game, and who joins it": (OPEN_TO, ACCEPT),
    "Practice players": (ADD_BOT, REMOVE_BOT),
    "Offices and players": (APPOINT, TAKE_BACK, FREE_SEAT),
    "Programs of rules": (SWITCH_OFF,),
    "What comes in from elsewhere": (
        *(BRING_PLAYER, BRING_OFFICE, BRING_DUTY, BRING_BALANCE, BRING_SWITCH, BRING_PROPOSAL),
        TAKE_RULES_BACK,
    ),
    "Hand the game over, or close it": (HAND_OVER, WITHDRAW_OFFER, CLOSE),
}
"""The host's acts on the record, by what they are about."""
_SHOWN = 100
_MOST_SEATS = 200
_MOST_FACES = 12
_MOST_LINKS = 20  # each stays in the session, and is asked for with every list of games
_LONGEST_WORDS = 300
MOST_INVITED = 100  # by one link


class InvitationForm(forms.Form):
    """A new invitation link: its name for the host, and how many people it lets in."""

    name = Text(
        longest=60,
        label="For whom?",
        help_text="A name by which you will know it, such as “friends”. Nobody else sees it.",
    )
    most = forms.IntegerField(
        min_value=1,
        max_value=MOST_INVITED,
        initial=10,
        label="How many people it lets in",
        error_messages={
            "min_value": "It lets in at least one.",
            "max_value": f"It lets in at most {MOST_INVITED}.",
            "invalid": "This is a whole number.",
        },
    )


@require_safe
def host(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a host's powers in this game; for its host also the forms that do it."""
    return _host_page(open_game(request, slug), InvitationForm(), 200)


@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an invitation link."""
    game_page, form = _for_the_host(request, slug), InvitationForm(request.POST)
    game, user = game_page.game, viewer(request)
    if "seat" in request.POST:
        link_to_seat(game, user, request.POST["seat"])
        return redirect(reverse("host", args=[slug]) + "#seats")
    if new_link(game, user, form) is None:
        return _host_page(game_page, form, 422)
    return redirect(reverse("host", args=[slug]) + "#invitations")


def new_link(game: Game, user: User, form: InvitationForm) -> Invitation | None:
    """The link that the form asks for, made by that user; None where the form says now why there is
    none."""
    good = game.invitations.filter(withdrawn_at=None, seat=None)
    if form.is_valid() and good.count() >= MOST_INVITATIONS:
        form.add_error(None, f"A game has at most {MOST_INVITATIONS} links. Withdraw one first.")
    if not form.is_valid():
        return None
    about = {"game": game, "made_by": user, "made_at": wall_now()}
    return Invitation.objects.create(**about, **form.cleaned_data)


def link_to_seat(game: Game, user: User, name: str) -> Invitation:
    """A link for whoever had that seat where the game comes from, in place of one before; raises
    Http404."""
    seat = empty_seats(game).filter(name=name).first() if name.isprintable() else None
    if seat is None:
        raise Http404("There is no such empty seat in this game.")
    game.invitations.filter(seat=seat, withdrawn_at=None).update(withdrawn_at=wall_now())
    return Invitation.objects.create(
        game=game, made_by=user, made_at=wall_now(), name=seat.name, seat=seat, most=1
    )


def link_of(invitation: Invitation) -> str:
    """The whole address of that link."""
    return absolute(reverse("invitation", args=[token_of(invitation)]))


@require_POST
def withdraw(request: HttpRequest, slug: str, nonce: str) -> HttpResponse:
    """Let one of the game's links lead nowhere any more. Who came by it stays."""
    game_page = _for_the_host(request, slug)
    invitations = game_page.game.invitations.filter(nonce=nonce, withdrawn_at=None)
    if not invitations.update(withdrawn_at=wall_now()):
        raise Http404("There is no such link in this game.")
    messages.success(request, "The link is withdrawn.")
    return redirect(reverse("host", args=[slug]) + "#invitations")


@require_POST
def answer(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Let somebody in who asks, or not."""
    game_page = _for_the_host(request, slug)
    user = answer_asking(game_page.game, name, let_in="yes" in request.POST)
    is_in = "can join now" if "yes" in request.POST else "is declined"
    messages.success(request, f"{user} {is_in}.")
    return redirect("host", slug)


def answer_asking(game: Game, name: str, *, let_in: bool) -> User:
    """Let the user of that name join who asks to, or not; raises Http404."""
    asks = game.admissions.filter(user__username=name).select_related("user").first()
    if asks is None:
        raise Http404("Nobody of that name asks to join this game.")
    if let_in:
        admit(game, asks.user, wall_now())
    else:
        game.admissions.filter(pk=asks.pk).update(state=Admission.State.DECLINED)
    return asks.user


def _for_the_host(request: HttpRequest, slug: str) -> GamePage:
    game_page = open_game(request, slug)
    if not is_host(game_page):
        raise PermissionDenied("Only the host of this game does that.")
    return game_page


def is_host(game_page: GamePage) -> bool:
    """Whether the viewer runs the game: its host, or the site's operator."""
    user = game_page.request.user
    return isinstance(user, User) and runs(game_page.game, user)


def host_name(game: Game) -> str:
    """The host's name in the game: that of their seat, else of their account; "" without a host."""
    if game.host_id is None:
        return ""
    return str(game.players.filter(user=game.host_id).first() or game.host)


@dataclass(frozen=True, slots=True)
class Share:
    """A game's part of the site, in round figures: finer ones would tell of private acts. `disk`
    and `disk_of_host` are percents of what may be written; `held` is why the game waits, "" for
    nothing."""

    disk: int
    disk_of_host: int
    held: str


def share_of(game: Game) -> Share:
    """The game's part of the site, for its host and the operator."""
    used = disk.shares_used(UsageKind.GAME, [game.pk])[game.pk]
    by_host = (
        disk.shares_used(UsageKind.USER, [game.host_id])[game.host_id] if game.host_id else 0.0
    )
    waits = disk.waiting_reason(game.pk, game.host_id)
    held = locked_out(UsageKind.GAME, game.pk) or (waits[0] if waits else "")
    return Share(_percent(used), _percent(by_host), held)


def _percent(share: float) -> int:
    return 5 * round(20 * share)


def _host_page(game_page: GamePage, form: InvitationForm, status: int) -> HttpResponse:
    game, hosts = game_page.game, is_host(game_page)
    context = for_its_host(game_page, form) if hosts else {}
    player = game_page.player
    if game_page.seated and player and offered_to(game) == player.name:
        answers = [find_action(name) for name in (TAKE_OVER, DECLINE_OFFER)]
        context["answers"] = [
            PageForm(
                game_page,
                answer,
                answer.Form(game_page.table, player),
                refusal=legality(answer, game_page.table, player, {}),
                plain=True,
            )
            for answer in answers
        ]
    response = game_page.draw(
        "web/hosting/host.html",
        status=status,
        is_host=hosts,
        host=host_name(game),
        offered_to=offered_to(game),
        appoints=offices_of(game) is Offices.HOST,
        accepts=voters_of(game) is Voters.HOST,
        remove=reverse("act", args=[game.slug, REMOVE]),
        **context,
    )
    if hosts:  # its links let people in, and whoever uses the browser next goes back to them
        add_never_cache_headers(response)
    return response


def for_its_host(game_page: GamePage, form: InvitationForm) -> dict[str, Any]:
    """What the page has for the host alone. Complaints are told without who made them, and none
    about the host; `proposes` is where they begin the first vote, "" where nothing is voted on or
    they do not play, and None once there was one."""
    game, table = game_page.game, game_page.table
    asking = game.admissions.filter(state=Admission.State.ASKED).select_related("user")
    players = game.players.filter(active=True).order_by("-pk")
    complaints = game.complaints.filter(settled_at=None).select_related("about")
    good = game.invitations.filter(withdrawn_at=None)
    address = game_page.request.build_absolute_uri
    links = [
        (invitation, address(reverse("invitation", args=[token_of(invitation)])))
        for invitation in good
    ]
    to_seats = {
        invitation.seat_id: (invitation, link) for invitation, link in links if invitation.seat_id
    }
    to_game = []
    for invitation, link in links:
        if invitation.seat_id:
            continue
        # As a picture that a phone reads: it has the code's squares, and the link nowhere.
        qr_code: str = qrcode.make(link, image_factory=SvgPathImage).to_string(encoding="unicode")
        to_game.append((invitation, link, mark_safe(qr_code)))  # noqa: S308 - as just said
    empty = empty_seats(game)[:_MOST_SEATS] if table.rules.shares_titles else ()
    votes = game_page.seated and game.edition
    proposes = reverse("proposal_new", args=[game.slug]) if votes else ""
    rulemaker = rulemaker_of(game)
    has_voted = bool(rulemaker and rulemaker.has_decided(table))
    return {
        "form": form,
        "links": to_game,
        "come": list(players.values_list("name", flat=True)[:_SHOWN]),
        "proposes": None if has_voted else proposes,
        "complaints": list(complaints.exclude(about__user=game.host_id).order_by("-at")[:_SHOWN]),
        "seats": [(seat, *to_seats.get(seat.pk, (None, ""))) for seat in empty],
        "asking": asking.order_by("at")[:_SHOWN],
        "settings": _settings(game_page),
        "share": share_of(game),
    }


def _settings(game_page: GamePage) -> list[tuple[str, list[PageForm]]]:
    """The host's acts on the record that are possible now, by what they are about."""
    groups = {title: list(_page_forms(game_page, acts)) for title, acts in _SETTINGS.items()}
    return [(title, page_forms) for title, page_forms in groups.items() if page_forms]


def _page_forms(game_page: GamePage, acts: Iterable[str]) -> Iterator[PageForm]:
    table, game = game_page.table, game_page.game
    possible_hosts = game.players.filter(active=True, user__isnull=False).exclude(
        user_id=game.host_id or 0
    )
    longest = possible_hosts.order_by("joined_at", "pk")
    began = {
        OPEN_TO: {"seen_by": game.seen_by.value, "joined_by": game.joined_by.value},
        HAND_OVER: {"player": next(iter(longest.values_list("name", flat=True)[:1]), "")},
    }
    for name in acts:
        action = find_action(name)
        if name == SWITCH_OFF and not action.is_hosts(game):
            continue
        if not action.absence(table) and not legality(action, table, None, {}, operator=True):
            form = action.Form(table, game_page.player, initial=began.get(name, {}))
            # No part of the page is live: only a page that is read anew tells what it did.
            yield PageForm(game_page, action, form, plain=True)


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
    invitation = find_invitation(token)
    if invitation is None or invitation.game.scratch:
        raise Http404(
            "There is no such invitation. Copy the whole link that you were sent, or ask for"
            " another one."
        )
    user = request.user if isinstance(request.user, User) else None
    closed = why_closed(invitation, user)
    if closed or request.method != "POST":
        return _link_page(request, invitation, closed=closed)
    if user is not None:
        return _come_in(request, invitation, user, request.POST)
    # Let this browser see the game, and sign up for it, by the link that it was shown.
    shown = [pk for pk in request.session.get(SHOWN_LINKS, []) if pk != invitation.pk]
    request.session[SHOWN_LINKS] = [*shown[-_MOST_LINKS + 1 :], invitation.pk]
    if "password1" not in request.POST:
        return redirect("game", invitation.game.slug)
    return _sign_up(request, invitation)


def _link_page(
    request: HttpRequest,
    invitation: Invitation,
    form: forms.BaseForm | None = None,
    *,
    closed: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of the link; without a form of what was sent, with an empty one."""
    game, user = invitation.game, request.user
    seat = invitation.seat if invitation.seat in empty_seats(game) else None
    if not isinstance(user, User) and settings.SIGN_UP != "closed":
        form = form or SignupForm(initial={"username": str(seat or "")})
    elif isinstance(user, User) and not asks_first(invitation) and seat is None:
        form = form or SeatForm(initial={"name": user.get_username()})
    players = game.players.filter(active=True).order_by("pk")
    names = list(players.values_list("name", flat=True)[:_MOST_FACES])
    context = {
        "invitation": invitation,
        "closed": closed,
        "form": form,
        "seat": seat,
        "is_in": isinstance(user, User) and players.filter(user=user).exists(),
        "asks_first": asks_first(invitation),
        "preset": PRESETS.get(game.preset),
        "host": host_name(game),
        "names": names,
        "faces": faces_of([game.pk])[game.pk],
        "more": players.count() - len(names),
    }
    return render(request, "web/hosting/invitation.html", context, status=410 if closed else status)


def asks_first(invitation: Invitation) -> bool:
    """Whether who comes by it has still to be let in by the host."""
    return invitation.game.joined_by is JoinedBy.HOST and invitation.seat_id is None


def _come_in(
    request: HttpRequest, invitation: Invitation, user: User, sent: Mapping[str, str]
) -> HttpResponse:
    """Let that user come by the link, and sit down where nothing else is to be asked."""
    game = invitation.game
    if closed := come_by(invitation, user, wall_now()):
        return _link_page(request, invitation, closed=closed)
    if game.players.filter(user=user, active=True).exists():
        return redirect("game", game.slug)
    seat = seat_given(game, user)
    if not seat and (asks_first(invitation) or "name" not in sent):
        return redirect("join", game.slug)
    form = SeatForm({"name": seat.name} if seat else sent)
    if not form.is_valid():
        return _link_page(request, invitation, form, status=422)
    if joining_refusal(user, game.slug):
        return redirect("join", game.slug)
    try:
        take(game.slug, user, CLAIM_SEAT if seat else JOIN, form.cleaned_data)
    except (Refused, Malformed) as refused:
        form.add_error("name", str(refused))
        return _link_page(request, invitation, form, status=422)
    except Busy as busy:
        form.add_error("name", str(busy))
        return _link_page(request, invitation, form, status=503)
    messages.success(request, f"You have a seat: you are {form.cleaned_data['name']}.")
    return redirect("game", game.slug)


def _sign_up(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Make an account, and sit down under its name."""
    if not get_adapter().is_open_for_signup(request):
        return render(request, "account/signup_closed.html", status=403)
    # Before the form is judged, since it tells which names are taken.
    if too_often := consume_or_429(request, action="signup"):
        return too_often  # type: ignore[no-any-return]
    form = SignupForm(request.POST)
    if not form.is_valid():
        return _link_page(request, invitation, form, status=422)
    user, _ = form.try_save(request)
    link = reverse("invitation", args=[token_of(invitation)])
    answer = complete_signup(request, user=user, redirect_url=link)
    if not request.user.is_authenticated:  # their e-mail has to be verified first
        return answer  # type: ignore[no-any-return]
    return _come_in(request, invitation, user, {"name": user.get_username()})


@require_POST
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the host to be let in, once, with a few words."""
    game_page = open_game(request, slug)
    game, user = game_page.game, request.user
    if not isinstance(user, User) or game.joined_by is not JoinedBy.HOST:
        return redirect("join", slug)
    state = ask_the_host(game_page, user, request.POST.get("words", ""))
    if state == Admission.State.DECLINED:
        messages.warning(request, "The host has declined that you join this game.")
    elif state != Admission.State.ADMITTED:
        messages.success(request, "The host is asked. You can join as soon as they let you in.")
    return redirect("join", slug)


def ask_the_host(game_page: GamePage, user: User, text: str) -> str:
    """Ask the game's host to let that user in, with what they have typed; returns the state of
    their admission before, that they have asked where there was none."""
    game = game_page.game
    words = "".join(letter for letter in text if letter.isprintable())
    asked = {"state": Admission.State.ASKED, "words": words[:_LONGEST_WORDS], "at": wall_now()}
    admission, is_new = Admission.objects.get_or_create(game=game, user=user, defaults=asked)
    if not is_new and admission.state == Admission.State.INVITED:
        Admission.objects.filter(pk=admission.pk).update(**asked)
    if admission.state not in (Admission.State.DECLINED, Admission.State.ADMITTED):
        asks = f"{admission.user} asks for a seat in {game}."
        notice = host_concerns(game, asks, reverse("host", args=[game.slug]))
        write(game_page.table, notice, where=f"asks {admission.pk}")
    return Admission.State(admission.state).value
