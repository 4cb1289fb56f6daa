"""Who calls the API: a program with a token, a browser that is signed in, or anybody."""

from dataclasses import dataclass
from typing import Any, cast

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from ninja.errors import AuthenticationError, AuthorizationError
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle

from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.shares.holds import locked_out
from nomic.shares.models import Kind
from nomic.web.models import Token
from nomic.web.throttle import is_too_often
from nomic.web.tokens import find_token, note_use

_MINUTE = 60
_HOW = "Send a token as “Authorization: Bearer TOKEN”; you make one on the page of your settings."


@dataclass(slots=True)
class Caller:
    """Who calls. `user` is None for anybody, `token` None for all but programs; `game` is the one
    that they have asked about, `etag` the tag of the answer where it is known before that."""

    user: User | None
    token: Token | None = None
    game: Game | None = None
    etag: str = ""

    @property
    def operates(self) -> bool:
        """Whether the caller runs this site, and so may act where an office is vacant."""
        return self.user is not None and self.user.is_superuser


def caller_of(request: HttpRequest) -> Caller:
    """Who calls, as the gate has found out."""
    return cast(Caller, cast(Any, request).auth)


class BearerToken(HttpBearer):
    """Lets programs with a token in, and nobody else: whoever acts must show one."""

    def __call__(self, request: HttpRequest) -> Caller:
        plain = _bearer(request)
        if plain is None:
            raise AuthenticationError(message=f"Only a token can act here. {_HOW}")
        return self.authenticate(request, plain)

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The caller with that token; raises AuthenticationError, AuthorizationError."""
        known = find_token(token)
        if known is None:
            raise AuthenticationError(message=f"This token is unknown or was revoked. {_HOW}")
        if not known.user.is_active:
            raise AuthorizationError(message="This token's account is closed.")
        for kind, number in ((Kind.TOKEN, known.pk), (Kind.USER, known.user_id)):
            if sentence := locked_out(kind, number):
                raise AuthorizationError(message=sentence)
        note_use(known, wall_now())
        return Caller(known.user, known)


the_token = BearerToken()


def anybody(request: HttpRequest) -> Caller:
    """Lets everybody in who wants to read; a token that is shown must be a good one."""
    plain = _bearer(request)
    if plain is not None:
        return the_token.authenticate(request, plain)
    user = request.user
    return Caller(user) if user.is_authenticated else Caller(None)


def _bearer(request: HttpRequest) -> str | None:
    """The token that the request shows; None where it shows none.

    The web server hands on a header with anything but ASCII as an empty one.
    """
    shown = request.headers.get("Authorization")
    if shown is None:
        return None
    scheme, _, plain = shown.strip().partition(" ")
    if scheme.casefold() != "bearer" or not plain.strip():
        raise AuthenticationError(message=f"This is not a token. {_HOW}")
    return plain.strip()


class PerCaller(BaseThrottle):
    """So many requests a minute for each token, for each account that is signed in, and for each
    address that shows neither (`API_REQUESTS_A_MINUTE`; 0: no limit)."""

    def allow_request(self, request: HttpRequest) -> bool:
        most = settings.API_REQUESTS_A_MINUTE
        if not most:
            return True
        caller = caller_of(request)
        if caller.token is not None:
            who = str(caller.token.pk)
        elif caller.user is not None:
            who = f"user {caller.user.pk}"
        else:  # an address is counted without being kept
            who = salted_hmac("nomic.api", get_ip(request), algorithm="sha256").hexdigest()[:32]
        return not is_too_often(f"api:{who}", most, _MINUTE)

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return _MINUTE - wall_now().timestamp() % _MINUTE
