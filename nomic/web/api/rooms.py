"""The parts that all of the API shares: who calls (a program with a token, a browser that is signed
in, or anybody), the limit, the answers, and finding what is named."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import ceil
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from ninja import Router
from ninja.errors import AuthenticationError, AuthorizationError
from ninja.params.functions import Query
from ninja.security import HttpBearer
from ninja.throttling import BaseThrottle
from oauth2_provider.models import AccessToken
from pydantic import TypeAdapter

from nomic.engine import watch
from nomic.engine.actions import all_actions
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Player
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.quotas import usage
from nomic.quotas.holds import locked_out
from nomic.quotas.models import UsageKind
from nomic.web.api import shapes
from nomic.web.api.messages import MANY
from nomic.web.etags import tag_of_now, tag_of_the_record
from nomic.web.game_context import GamePage, game_known_to, seat_in
from nomic.web.hosting.host import is_host
from nomic.web.models import Token
from nomic.web.programs import find_access
from nomic.web.rate_limits import place_of, times
from nomic.web.tokens import Scope, find_token, note_use

GAME = "/games/{slug}"
HIGHEST = 2_147_483_647  # of PostgreSQL's integers; a larger number is an error there
_SEEN_BY_ALL = CompiledQuery(lambda: Game.objects.seen_by(None))
AFTER: int = Query(
    0,
    ge=0,
    le=HIGHEST,
    description=f"Of lists of more than {MANY} members those after so many; Link names the next",
)
ANY_READ = {
    401: shapes.Problem,
    403: shapes.Problem,
    404: shapes.Problem,
    422: shapes.Malformed,
    429: shapes.Problem,
}
MINUTE = 60
_HOW = "Send a token as “Authorization: Bearer TOKEN”; you make one on the page of your settings."


class ScopeLacking(AuthorizationError):
    """The token that was shown is good, and not for this."""

    def __init__(self, scope: Scope, scopes: Collection[str]) -> None:
        purpose = f"It is for: {', '.join(scopes)}." if scopes else "It is for nothing."
        super().__init__(
            message=f"This needs a token with the scope “{scope}”, and yours has it not. {purpose}"
            " You make another on the page of your settings."
        )
        self.scope = scope


@dataclass(slots=True)
class Caller:
    """Who calls. `user` is None for anybody, `token` None for all but the user's own programs, and
    `access` for all but others' that they have let in (nomic.web.programs); `game` is the one
    that they have asked about, `etag` the tag of the answer where it is known before that, `left`
    how often they may ask in this minute, None where that is not counted."""

    user: User | None
    token: Token | None = None
    game: Game | None = None
    etag: str = ""
    left: int | None = None
    access: AccessToken | None = None

    @property
    def scopes(self) -> Collection[str] | None:
        """What it may be used for; None for who shows no token."""
        if self.access is not None:
            return str(self.access.scope).split()
        return self.token.scopes if self.token is not None else None

    @property
    def operates(self) -> bool:
        """Whether the caller runs this site, and so may act where an office is vacant."""
        return self.user is not None and self.user.is_superuser


def caller_of(request: HttpRequest) -> Caller:
    """Who calls, as the gate has found out."""
    return cast(Caller, cast(Any, request).auth)


class BearerToken(HttpBearer):
    """Lets programs in with a token for one of these scopes, and nobody else: whoever acts must
    show one. Where none is named, what is read needs that of reading, and all else that of
    acting."""

    def __init__(self, *scopes: Scope) -> None:
        super().__init__()
        self.scopes = scopes

    def __call__(self, request: HttpRequest) -> Caller:
        plain = _bearer(request)
        if plain is None:
            raise AuthenticationError(message=f"Only a token can act here. {_HOW}")
        return self.authenticate(request, plain)

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The caller with that token; raises AuthenticationError, AuthorizationError."""
        stored = find_token(token)
        access = find_access(token) if stored is None else None
        caller = by_access(access) if access else by_token(stored)
        if caller.token:
            note_use(caller.token, wall_now())
        assert caller.user is not None
        request.user = caller.user  # what pages tell their viewer, programs are told of theirs
        require(caller, *self.scopes_for(str(request.method)))
        return caller

    def scopes_for(self, method: str) -> Sequence[Scope]:
        """The scopes of which a token needs one there."""
        return self.scopes or [Scope.READ if method in ("GET", "HEAD") else Scope.ACT]


def by_token(stored: Token | None) -> Caller:
    """The user whose token that is, where it still lets them in; raises AuthenticationError,
    AuthorizationError."""
    if stored is None or stored.revoked_at is not None:
        raise AuthenticationError(message=f"This token is unknown or was revoked. {_HOW}")
    if stored.expires_at and stored.has_expired(wall_now()):
        raise AuthenticationError(message=f"This token was good until {iso(stored.expires_at)}.")
    if sentence := locked_out(UsageKind.TOKEN, stored.pk):
        raise AuthorizationError(message=sentence)
    return Caller(by_key(stored.user), stored)


def by_access(access: AccessToken | None) -> Caller:
    """The user who has let that program in, where it may still act for them; raises as above."""
    if access is None or access.expires <= wall_now():
        raise AuthenticationError(message="This access is over: renew it, or ask its user anew.")
    return Caller(by_key(access.user), access=access)


def by_key(user: User | None) -> User:
    """That user, where their account is open and not locked out; raises AuthorizationError."""
    if user is None or not user.is_active:
        raise AuthorizationError(message="This account is closed.")
    if sentence := locked_out(UsageKind.USER, user.pk):
        raise AuthorizationError(message=sentence)
    return user


def require(caller: Caller, *scopes: Scope) -> None:
    """Raises ScopeLacking where a program's token has none of these scopes."""
    if caller.scopes is not None and not set(scopes) & set(caller.scopes):
        raise ScopeLacking(scopes[0], caller.scopes)


the_token = BearerToken()
a_hosting_token = BearerToken(Scope.HOST)
an_acting_token = BearerToken(Scope.ACT, Scope.OFFICE, Scope.HOST)


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


def somebody(request: HttpRequest) -> Caller:
    """Lets in who has an account, by a token or signed in: what is told is theirs."""
    caller = anybody(request)
    if caller.user is None:
        raise AuthenticationError(message=f"This is told to an account, of itself. {_HOW}")
    return caller


def security_of(gate: Any, method: str) -> list[Mapping[str, Sequence[str]]]:
    """What the OpenAPI document tells of who is let in by that gate: a token with one of these
    scopes, and {} where none has to be shown."""
    scopes = (gate if isinstance(gate, BearerToken) else the_token).scopes_for(method)
    return [*([{}] if gate is anybody else []), *({"BearerToken": [scope]} for scope in scopes)]


class PerCaller(BaseThrottle):
    """So many requests a minute for each token, for each account that is signed in, and for each
    address that shows neither (`API_REQUESTS_A_MINUTE`; 0: no limit)."""

    def allow_request(self, request: HttpRequest) -> bool:
        limit = settings.API_REQUESTS_A_MINUTE
        if not limit:
            return True
        caller = caller_of(request)
        if caller.token is not None:
            counter = str(caller.token.pk)
        elif caller.access is not None:  # which is renewed every hour
            counter = f"program {caller.access.application_id} {caller.access.user_id}"
        elif caller.user is not None:
            counter = f"user {caller.user.pk}"
        else:  # an address is counted without being kept
            counter = place_of(request, "nomic.api")
        requests = times(f"api:{counter}", MINUTE)
        caller.left = max(limit - requests, 0)
        return requests <= limit

    def wait(self) -> int:
        """Seconds until the next minute begins."""
        return until_next(MINUTE)


def limits_told(request: HttpRequest) -> dict[str, str]:
    """The headers that tell how often the caller may ask, and may yet (the IETF's draft
    ratelimit-headers-10); none where that is not counted."""
    caller = getattr(request, "auth", None)
    if not isinstance(caller, Caller) or caller.left is None:
        return {}
    return {
        "RateLimit-Policy": f'"requests";q={settings.API_REQUESTS_A_MINUTE};w={MINUTE}',
        "RateLimit": f'"requests";r={caller.left};t={until_next(MINUTE)}',
    }


def until_next(period: int) -> int:
    """The seconds until the next minute, hour or so begins, that period being so many seconds."""
    return ceil(period - wall_now().timestamp() % period)


def room(tag: str, auth: Any = anybody) -> Router:
    """A router for everybody to read; a token that is shown must be a good one, and is counted."""
    return Router(auth=auth, throttle=PerCaller(), tags=[tag])


def reading(shape: Any) -> dict[int, Any]:
    """The answers of an address that is read."""
    return {200: shape, **ANY_READ}


def sends(shape: Any) -> dict[str, Any]:
    """What the document tells of an address whose body is read by hand, in that shape."""
    schema = TypeAdapter(shape).json_schema(ref_template="#/$defs/{model}")
    shapes_within = schema.pop("$defs", {})
    schema = _inlined(schema, shapes_within)
    is_needed = bool(schema.get("required")) or schema.get("type") != "object"
    body = {"required": is_needed, "content": {"application/json": {"schema": schema}}}
    return {"requestBody": body}


def _inlined(schema: Any, shapes_within: dict[str, Any]) -> Any:
    """The schema with each shape that it refers to in the place of the reference."""
    if isinstance(schema, list):
        return [_inlined(part, shapes_within) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(shapes_within[schema["$ref"].rpartition("/")[2]], shapes_within)
    return {name: _inlined(part, shapes_within) for name, part in schema.items()}


def the_game(request: HttpRequest, slug: str) -> Game:
    """The game of that slug, where the caller sees it; raises Http404."""
    caller, game = caller_of(request), None
    if slug.isprintable():  # PostgreSQL takes no NUL
        game = _SEEN_BY_ALL.first(slug=slug)
        if game is None and caller.user is not None:
            game = game_known_to(caller.user, slug)
    if game is None:
        raise no_game(slug)
    watch.refuse_lag(game.pk, game.last_entry)
    watch.look(game.pk, wall_now())  # a program is somebody, as who opens a page is
    caller.game = game
    usage.in_game(game.pk)
    return game


def the_record_of(request: HttpRequest, slug: str) -> Game:
    """The game whose public record alone decides the answer; raises Http404, and Known where
    the caller has that answer already."""
    game = the_game(request, slug)
    caller_of(request).etag = tag_of_the_record(request, game)
    return game


def the_game_for(
    request: HttpRequest, slug: str, *, untagged: bool = False
) -> tuple[Game, Player | None]:
    """The game of that slug and the caller's seat in it, if any; raises Http404, and Known
    where the caller has what is read already. `untagged` is an answer that changes without the
    game: it gets no tag, and nobody is taken to have it."""
    caller, seat = caller_of(request), None
    if caller.user is not None and slug.isprintable() and (seat := seat_in(slug, caller.user.pk)):
        game = caller.game = seat.game
        watch.look(game.pk, wall_now())
        usage.in_game(game.pk)
    else:
        game = the_game(request, slug)
    if request.method == "GET" and not untagged:
        caller.etag = tag_of_now(request, game, seat, caller.user and caller.user.pk)
    return game, seat


def the_page(request: HttpRequest, slug: str, *, untagged: bool = False) -> GamePage:
    """The game as its pages have it, for the caller; raises Http404, and Known as `the_game_for`
    does. An `untagged` answer is never Known."""
    game, seat = the_game_for(request, slug, untagged=untagged)
    return GamePage(request, game, seat)


def the_player(request: HttpRequest, slug: str) -> tuple[GamePage, Player]:
    """That page, and the caller's seat, where they play there; raises Http404 and
    AuthorizationError."""
    page = the_page(request, slug, untagged=True)
    if page.player is None or not page.seated:
        raise AuthorizationError(message="Only players of this game do that. Join it first.")
    return page, page.player


def the_host(request: HttpRequest, slug: str) -> GamePage:
    """That page, for the game's host and the site's operator; raises Http404 and
    AuthorizationError."""
    page = the_page(request, slug, untagged=True)
    if not is_host(page):
        raise AuthorizationError(message="Only the host of this game does that.")
    return page


def user_of(request: HttpRequest) -> User:
    """Who calls, where the gate lets nobody else in."""
    user = caller_of(request).user
    assert user is not None
    return user


def no_game(slug: str) -> Http404:
    """The 404 where there is no such game."""
    return Http404(
        f"There is no game “{slug[:60]}” that you may see here. GET /api/v1/games lists them."
    )


def no_action(slug: str, name: str) -> Http404:
    """The 404 where there is no such action, with the names that come close."""
    close = get_close_matches(name[:80], [action.name for action in all_actions()], n=3)
    hint = f" Did you mean {' or '.join(close)}?" if close else ""
    return Http404(
        f"There is no action “{name[:80]}”.{hint} GET /api/v1/games/{slug[:60]}/actions lists them."
    )
