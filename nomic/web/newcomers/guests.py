"""Guests: people who play in the demonstration without a name and a password of their own.

A guest is a user who cannot sign in again and has one session. Giving themselves a name and a
password makes the same user an account. Whoever has not acted for a day leaves the game and is
struck from the users; the seat and all that they did stay in the record.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from nomic.engine.outcomes import Busy, Refused
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.hosting.moving_in import CLAIM_SEAT
from nomic.governance.motions import JOIN
from nomic.record.models import Entry, SealedEntry
from nomic.web.demonstration import SLUG, not_ready
from nomic.web.models import Guest
from nomic.web.rate_limits import place_of

FROM_AN_ADDRESS = 20  # guests an hour
IN_AN_HOUR = timedelta(hours=1)
KEPT = timedelta(days=1)  # after what a guest did last
_AT_ONCE = 500
_FOR_ACCOUNTS = (
    "/accounts/password/",
    "/accounts/email/",
    "/accounts/2fa/",
    "/settings/tokens/",
    "/settings/webhooks/",
    "/settings/programs/",
    "/oauth/authorize/",
    "/settings/account/",
    "/start/",
)
SESSION = "guest"
_THE_MOST = (
    "within the last hour, and that is the most. Try again in an hour, or sign up: an account needs"
    " a name and a password only."
)


class TooMany(Exception):
    """No more guests can come just now; the sentence says when again."""


def guest_of(user: User | AnonymousUser) -> Guest | None:
    """The mark of a guest; None for somebody with an account, and for nobody."""
    return Guest.objects.filter(user_id=user.pk).first() if user.is_authenticated else None


def make_guest(request: HttpRequest) -> Guest:
    """A new user without password and e-mail, marked as a guest; raises TooMany."""
    now = wall_now()
    place = place_of(request, "nomic.web.guests")
    recent = Guest.objects.filter(made_at__gt=now - IN_AN_HOUR)
    if recent.filter(place=place).count() >= FROM_AN_ADDRESS:
        raise TooMany(f"{FROM_AN_ADDRESS} guest seats were given to your address {_THE_MOST}")
    if recent.count() >= settings.GUESTS_AN_HOUR:
        raise TooMany(f"{settings.GUESTS_AN_HOUR} guests came {_THE_MOST}")
    user = User(username=f"guest-{secrets.token_hex(6)}")
    user.set_unusable_password()
    user.save()
    return Guest.objects.create(user=user, place=place, made_at=now)


def seat_guest(guest: Guest) -> Player:
    """The guest's seat in the demonstration; raises Refused, Busy, UnknownGame.

    A name that somebody else has taken by now is passed over.
    """
    seat = Player.objects.filter(user=guest.user, game__slug=SLUG).first()
    if seat is None or not seat.active:
        names = [seat.name] if seat else [str(guest), f"{guest} {secrets.token_hex(2)}"]
        for name in names:
            try:
                take(SLUG, guest.user, "games.join", {"name": name})
                break
            except Refused as refused:
                if refused.refusal.code != "name_taken" or name == names[-1]:
                    raise
    return Player.objects.get(user=guest.user, game__slug=SLUG)


def joining_refusal(user: User | AnonymousUser, slug: str, action: str = JOIN) -> Refusal | None:
    """Why the site lets that user not come to that game yet, whatever its rules say.

    Nobody joins a game that is being filled, and a guest plays in the demonstration alone.
    """
    if action not in (JOIN, CLAIM_SEAT):
        return None
    if refusal := not_ready(slug):
        return refusal
    if slug == SLUG:
        return None
    verified = EmailAddress.objects.filter(user_id=user.pk, verified=True)
    if settings.VERIFIED_EMAIL and user.is_authenticated and not verified.exists():
        sentence = (
            "Who plays here has an e-mail address that is theirs. Enter one on the E-mail page of"
            " your settings, and open the link that it is sent; then you can join."
        )
        return Refusal("no_verified_email", sentence)
    if guest_of(user) is None:
        return None
    sentence = (
        "A guest plays in the demonstration only. Keep your seat under a name and a password of"
        " your own first; then you can join every game."
    )
    return Refusal("guest", sentence)


def accounts_first(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: what only an account has leads a guest to the page that makes them one."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(_FOR_ACCOUNTS) and guest_of(request.user):
            messages.warning(request, "This needs an account. Choose a name and a password first.")
            return redirect("keep_seat")
        return get_response(request)

    return middleware


def strike_idle_guests(now: datetime) -> int:
    """Let guests leave who did nothing for a day before `now`; returns how many were struck.

    One whose game is busy or stands still is tried again the next time.
    """
    before = now - KEPT
    struck = 0
    for guest in Guest.objects.filter(made_at__lt=before).select_related("user")[:_AT_ONCE]:
        seats = list(Player.objects.filter(user=guest.user).select_related("game"))
        has_acted = any(
            book.objects.filter(actor__in=seats, recorded_at__gt=before).exists()
            for book in (Entry, SealedEntry)
        )
        if not has_acted and all(map(_leaves, seats)):
            Player.objects.filter(user=guest.user).update(user=None)
            guest.user.delete()
            struck += 1
    return struck


def _leaves(seat: Player) -> bool:
    """Whether they have left that game by now."""
    if seat.active:
        try:
            take(seat.game.slug, seat, "games.leave")
        except (Refused, Busy):
            return False
    return True
