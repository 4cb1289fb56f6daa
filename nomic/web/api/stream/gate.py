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
from nomic.web.api.tickets import TICKET, last_event, read_ticket
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
        if before.token:
            caller = by_token(_kept(Token, before.token.pk))
        elif before.access:
            caller = by_access(_kept(AccessToken, before.access.pk))
        else:  # read anew, since it may have ended meanwhile
            caller = _caller_by_session(request, request.session.session_key)
        cast(Any, request).auth = caller
        the_game(request, slug)
    except Exception:
        return False
    return caller.user == before.user


def _caller(request: HttpRequest, slug: str) -> Caller:
    name = request.GET.get(TICKET)
    if name is None:
        caller = anybody(request)
        # No middleware stands before this process.
        return caller if caller.user is None else replace(caller, user=by_key(caller.user))
    ticket = read_ticket(name, slug)
    if ticket is None:
        raise AuthenticationError(message="This ticket is no longer good: ask the site anew.")
    if ticket.token is not None:
        return by_token(_kept(Token, ticket.token))
    if ticket.access is not None:
        return by_access(_kept(AccessToken, ticket.access))
    return _caller_by_session(request, ticket.session)


def _caller_by_session(request: HttpRequest, key: str | None) -> Caller:
    """Who is signed in by that session, as it stands now; anybody where it is over, or none."""
    request.session = type(request.session)(key)
    request.user = get_user(request)
    return Caller(by_key(request.user) if request.user.is_authenticated else None)


def _kept(model: Any, key: int) -> Any:
    """The row of that token or access with its user; None where it is gone."""
    return model.objects.select_related("user").filter(pk=key).first()


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
