"""Who may have a stream of which game, asked when it begins and again while it lasts."""

from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from ninja.errors import AuthenticationError, HttpError, Throttled
from oauth2_provider.models import AccessToken

from nomic.notices.models import Notice
from nomic.record.keys import head_of
from nomic.web.api.messages import WrongShape, complaint
from nomic.web.api.rooms import Caller, PerCaller, anybody, by_access, by_key, by_token, the_game
from nomic.web.api.tickets import TICKET, keys_of, last_event, read_ticket
from nomic.web.models import Token
from nomic.web.rate_limits import place_of

_SALT = "nomic.web.api.stream"
_NONE = "0"  # in an id: no notice yet


@dataclass(frozen=True, slots=True)
class Admitted:
    """Somebody who may follow that game: the key of their account, where they have one, and what
    they are counted by. They have everything up to the entry `after` and the notice of the key
    `notice`; the record ends with `last`, and `head` says so."""

    game: int
    user: int | None
    counted: str
    after: int
    notice: int
    notice_number: str
    last: int
    head: str


def as_request(scope: Any) -> HttpRequest:
    """The request as Django knows it, with the session that its cookie names."""
    request = ASGIRequest(scope, cast(Any, None))
    try:
        cookies = SimpleCookie(request.headers.get("Cookie", ""))
    except CookieError:
        cookies = SimpleCookie()
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    sessions = import_module(settings.SESSION_ENGINE)
    request.session = sessions.SessionStore(morsel.value if morsel else None)
    request.user = cast(Any, SimpleLazyObject(lambda: get_user(request)))
    return request


def admit(request: HttpRequest, slug: str) -> Admitted:
    """Who asks for the stream of that game, counted once against their limit. Raises Http404,
    HttpError, Throttled and WrongShape, as an address of the API that is read."""
    caller = _caller(request, slug)
    cast(Any, request).auth = caller
    throttle = PerCaller()
    if not throttle.allow_request(request):
        raise Throttled(wait=throttle.wait())
    game = the_game(request, slug)
    if unknown := sorted(set(request.GET) - {"after", TICKET}):
        sentence = f"This address does not know the parameter “{unknown[0][:60]}”."
        raise WrongShape(complaint(sentence, "query", unknown[0][:60], kind="unknown"))
    after, notice, number = _position(request, caller.user, game.last_entry)
    if after > game.last_entry:
        raise HttpError(
            409,
            f"The record of this game ends with entry {game.last_entry}, and you have seen entry"
            f" {after}: it may have been restored. Read it anew.",
        )
    user = caller.user.pk if caller.user else None
    counted = f"user {user}" if user else place_of(request, _SALT)
    head = str(head_of(game))
    return Admitted(game.pk, user, counted, after, notice, number, game.last_entry, head)


def is_still_admitted(request: HttpRequest, slug: str) -> bool:
    """Whether who was admitted would be again: their token or session is good, and they see the
    game."""
    try:
        before: Caller = cast(Any, request).auth
        if TICKET in request.GET or before.token or before.access:
            caller = _caller_by_keys(*keys_of(before))
        else:
            # Read anew: it may have ended meanwhile.
            request.session = type(request.session)(request.session.session_key)
            request.user = get_user(request)
            caller = _caller(request, slug)
        cast(Any, request).auth = caller
        the_game(request, slug)
    except Exception:
        return False
    return caller.user == before.user


def _caller(request: HttpRequest, slug: str) -> Caller:
    ticket = request.GET.get(TICKET)
    if ticket is None:
        caller = anybody(request)
        # No middleware stands before this process.
        return caller if caller.user is None else replace(caller, user=by_key(caller.user))
    keys = read_ticket(ticket, slug)
    if keys is None:
        raise AuthenticationError(message="This ticket is no longer good: ask the site anew.")
    return _caller_by_keys(*keys)


def _caller_by_keys(user: int | None, token: int | None, access: int | None) -> Caller:
    """The caller with that account, token and access, as they stand now."""
    if token is not None:
        return by_token(Token.objects.select_related("user").filter(pk=token).first())
    if access is not None:
        return by_access(AccessToken.objects.select_related("user").filter(pk=access).first())
    return Caller(by_key(User.objects.filter(pk=user).first()) if user is not None else None)


def _position(request: HttpRequest, user: User | None, last: int) -> tuple[int, int, str]:
    """After which entry and which notice, by its key and its number, the stream goes on."""
    number, notice = last_event(request) or (last, "")
    if user is None:
        return number, 0, ""
    notices = Notice.objects.filter(user=user, listed=True).values_list("pk", "number")
    if not notice:
        key, newest = notices.first() or (0, _NONE)
        return number, key, str(newest)
    try:
        row = notices.filter(number=UUID(notice)).first() if notice != _NONE else None
    except ValueError:
        row = None  # 36 characters, and no number of anything
    # A notice that is not kept any more is older than all that are.
    return number, row[0] if row else 0, notice
