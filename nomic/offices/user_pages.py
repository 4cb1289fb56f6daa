"""Accounts, for the operator: found by name or address, made, locked out, given another password,
closed."""

from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.engine.outcomes import Busy
from nomic.games.models import Game, Player
from nomic.notices.outbox import write_account_letter
from nomic.offices.access import sees_all
from nomic.offices.costs import NoSuchUser, let_in, lock_out
from nomic.offices.site import office
from nomic.quotas import holds
from nomic.quotas.models import UsageKind, What
from nomic.web.accounts.closing import NotClosed, close_account
from nomic.web.accounts.signing_in import make_account, own_address, password_link, reset_password
from nomic.web.game_context import query_word
from nomic.web.models import Token

_MOST = 50
_FOR_THE_OPERATOR = "Who has an account here is for the operator of this site."
_LETTER = """Hello {name},

{why} Choose its password by this link, within the next three days:

{link}
"""
_MADE = "The operator of {site} has made an account for you."
_RESET = "The operator of {site} lets you choose a new password for your account."


@dataclass(frozen=True, slots=True)
class UserLine:
    """An account as the list has it; `out` is why it is locked out, "" for not at all."""

    user: User
    seats: int
    out: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def users(request: HttpRequest) -> HttpResponse:
    """The accounts that a name or address is like, else the newest; POST makes one, and shows the
    link by which its owner chooses a password, once."""
    _for_the_operator(request)
    outcome: dict[str, Any] = {}
    if request.method == "POST":
        outcome = _make(request)
    query = query_word(request, "q").strip()
    lines = _lines_like(query)
    return office.draw(
        request,
        "offices/users.html",
        "Users",
        asked=query,
        users=lines[:_MOST],
        is_more=len(lines) > _MOST,
        **outcome,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def user(request: HttpRequest, number: int) -> HttpResponse:
    """One account: its addresses, seats and holds; POST does something about it."""
    _for_the_operator(request)
    account = User.objects.filter(pk=number).first()
    if account is None:
        raise Http404("There is no such account any more.")
    link = ""
    if request.method == "POST":
        link = _do(request, account)
        if not link:
            still_there = User.objects.filter(pk=number, closing=None).exists()
            return redirect("office:user", number) if still_there else redirect("office:users")
    tokens = Token.objects.filter(user=account, revoked_at=None)
    seats = Player.objects.filter(user=account, game__scratch=False).select_related("game")
    return office.draw(
        request,
        "offices/user.html",
        account.username,
        shown=account,
        link=link,
        addresses=account.emailaddress_set.order_by("-primary", "email"),  # type: ignore[attr-defined]
        factors=[
            factor.get_type_display() for factor in Authenticator.objects.filter(user=account)
        ],
        elsewhere=account.socialaccount_set.count(),  # type: ignore[attr-defined]
        tokens=tokens.count(),
        seats=seats.prefetch_related("offices").order_by("game__title")[:_MOST],
        hosted=Game.objects.hosted_by(account).order_by("title")[:_MOST],
        is_guest=hasattr(account, "guest"),
        is_closing=hasattr(account, "closing"),
        out=holds.held(What.OUT, UsageKind.USER, account.pk),
        may_change=_is_anothers(request, account) == "",
    )


def _for_the_operator(request: HttpRequest) -> None:
    if not sees_all(request):
        raise PermissionDenied(_FOR_THE_OPERATOR)


def _lines_like(query: str) -> list[UserLine]:
    """Those whose name or address has that in it, or all but guests, the newest first; one more
    than a page shows."""
    accounts = User.objects.all() if query else User.objects.filter(guest=None)
    if query:
        of_address = User.objects.filter(emailaddress__email__icontains=query).values("pk")
        accounts = accounts.filter(
            Q(username__icontains=query) | Q(email__icontains=query) | Q(pk__in=of_address)
        )
    rows = list(accounts.select_related("guest", "closing").order_by("-pk")[: _MOST + 1])
    playing = _seat_counts([row.pk for row in rows])
    lines = []
    for row in rows:
        out = holds.held(What.OUT, UsageKind.USER, row.pk)
        lines.append(UserLine(row, playing.get(row.pk, 0), out.reason if out else ""))
    return lines


def _seat_counts(users: list[int]) -> dict[int, int]:
    seats = Player.objects.filter(user__in=users, active=True, game__scratch=False)
    return dict(seats.values("user").order_by().values_list("user", Count("pk")))


def _make(request: HttpRequest) -> dict[str, Any]:
    """What the page tells of the account that was made, or of why none was."""
    name = request.POST.get("name", "").replace("\0", "").strip()
    email = request.POST.get("email", "").replace("\0", "").strip()
    try:
        new_user = make_account(name, email)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return {"typed": {"name": name[:150], "email": email[:254]}}
    link = password_link(new_user)
    _write(new_user, _MADE, link)
    return {"made": new_user, "link": link}


def _do(request: HttpRequest, account: User) -> str:
    """Do what the form says about that account; the link for its owner, where that is what it
    makes."""
    by = request.user.get_username()
    if refusal := _is_anothers(request, account):
        messages.error(request, refusal)
        return ""
    try:
        match request.POST.get("do"):
            case "lock out":
                reason = request.POST.get("reason", "")
                messages.success(request, lock_out(UsageKind.USER, account.username, reason, by))
            case "let in":
                messages.success(request, let_in(UsageKind.USER, account.username, by))
            case "reset":
                return _reset(request, account)
            case "close":
                return _close(request, account)
            case _:
                messages.error(request, "Say what is to be done.")
    except (NoSuchUser, Busy, NotClosed) as wrong:
        messages.error(request, str(wrong))
    return ""


def _is_anothers(request: HttpRequest, account: User) -> str:
    """Why nothing is done about it here, as a sentence; "" where it may be."""
    if account.is_superuser:
        return (
            "Who operates the site looks after that account by themselves, or “manage.py account”."
        )
    if hasattr(account, "closing"):
        return "This account is being closed."
    return ""


def _reset(request: HttpRequest, account: User) -> str:
    """End the password and what was opened by it; the link by which its owner chooses another."""
    choices = request.POST
    reset_password(account, second_factor="factors" in choices, other_ways="ways" in choices)
    link = password_link(account)
    if sent := _write(account, _RESET, link):
        messages.success(request, f"The link was sent to {sent}, too.")
    return link


def _close(request: HttpRequest, account: User) -> str:
    name = account.username
    if request.POST.get("name") != name:
        raise NotClosed(f"Type the name, {name}, to close the account.")
    close_account(account)
    messages.success(request, f"The account {name} is closed. Its seats are given up by and by.")
    return ""


def _write(to: User, why: str, link: str) -> str:
    """Send the link to the address that belongs to them; the address, "" where there is none."""
    address = own_address(to)
    if address:
        reason = why.format(site=settings.SITE_NAME)
        body = _LETTER.format(name=to.username, why=reason, link=link)
        write_account_letter(address, f"[{settings.SITE_NAME}] Your account", body)
    return address
