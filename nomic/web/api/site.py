"""The API as a whole: its rooms and their addresses, and what it says where something is wrong. An
unknown address under /api/ is told in JSON, too."""

from collections.abc import Callable
from functools import cached_property, wraps
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path as address
from django.urls import re_path, resolve
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError
from ninja.operation import Operation
from ninja.renderers import JSONRenderer

from nomic.engine.outcomes import Busy
from nomic.infrastructure.early_answer import EarlyAnswer
from nomic.record.keys import head_of
from nomic.web.api import (
    acting,
    events,
    files,
    finding,
    games,
    hosting,
    matters,
    me,
    proof,
    recalculations,
    reports,
    rules,
    subgames,
    table,
    talk,
)
from nomic.web.api.docs import Docs
from nomic.web.api.document import bounds, complete, of_game
from nomic.web.api.messages import HEAD, WrongShape, complaint
from nomic.web.api.rooms import (
    GAME,
    Caller,
    PerCaller,
    ScopeLacking,
    limits_told,
    reading,
    room,
    security_of,
)
from nomic.web.etags import tagged
from nomic.web.problems import COMPACT, PROBLEM, error_response, keep_private

TRY_AGAIN_IN = 1  # seconds
_MOST_TOLD = 20  # parameters of one query that something is wrong with
ABOUT = """Everything that a page shows and does, for programs.

Anybody may read public games. Whoever acts sends a token: `Authorization: Bearer TOKEN`.
Names are the players' names in that game; moments are ISO 8601 in UTC, in game time unless said
otherwise. What the caller may not see is absent or null.

What is answered about a game tells the head of its record in the header `Nomic-Head`, signed. A
program that acts may send the one that it has seen last in the header of the same name.

An address refuses what it does not know, be it a parameter of the query or a field of the body:
422, by its name.

Each answer that is read has an `ETag`. Send it as `If-None-Match`: while the answer would be the
same you are told 304, without a body. What time alone changes, such as `now`, may then be ten
seconds old."""


class Compact(JSONRenderer):
    json_dumps_params = COMPACT


class Site(NinjaAPI):
    """Ninja's API with the short names by which programs generate their calls."""

    def get_content_type(self) -> str:
        return "application/json"

    def create_response(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """The answer, for no shared cache: it may be for this caller only, and is soon stale."""
        response = keep_private(super().create_response(*args, **kwargs))
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            response.headers["Content-Type"] = PROBLEM
        return response

    def get_openapi_operation_id(self, operation: Any) -> str:
        """The name of the function that answers."""
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **kwargs: Any) -> Any:
        """The document, which is the same as long as the process runs."""
        return self._document

    @cached_property
    def _document(self) -> dict[str, Any]:
        document = dict(super().get_openapi_schema())
        gates = {  # of which the schema knows neither the scopes nor that some need no token
            operation.operation_id or operation.view_func.__name__: operation.auth_callbacks[0]
            for router in self._get_bound_routers()
            for view in router.path_operations.values()
            for operation in view.operations
        }
        for methods in document["paths"].values():
            for method, description in methods.items():
                gate = gates[description["operationId"]]
                description["security"] = security_of(gate, method.upper())
        return complete(document)


api = Site(
    title="Nomic",
    version="1",
    description=f"{ABOUT}\n\n{bounds()}",
    renderer=Compact(),
    docs=Docs(),
    docs_decorator=require_safe,
    urls_namespace="api",
)


def refusing_unknown_parameters(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The run of an address, but 422 for a parameter of the query that it does not know, or that is
    sent twice: what a program means by it would be lost."""
    # The decorator of the API is the first one, so that what it is given is the operation's own.
    operation: Operation = run.__self__  # type: ignore[attr-defined]
    queries = [model for model in operation.models if model.__ninja_param_source__ == "query"]
    names = [name for model in queries for name in model.__ninja_flatten_map__]
    takes = f"those that it takes: {', '.join(names)}" if names else "it takes none"

    @wraps(run)
    def running(request: HttpRequest, **path: Any) -> HttpResponse:
        try:
            sent = [*request.GET.lists()]
        except TooManyFieldsSent:
            return error_response([complaint("There are too many parameters.", "query")], 422)
        complaints = []
        for name, values in sent[:_MOST_TOLD]:
            place = "query", name[:60]
            if name not in names:
                sentence = f"This address does not know the parameter “{name[:60]}”: {takes}."
                complaints.append(complaint(sentence, *place, kind="unknown"))
            elif len(values) > 1:
                complaints.append(complaint(f"“{name}” is sent {len(values)} times.", *place))
        return error_response(complaints, 422) if complaints else run(request, **path)

    return running


api.add_decorator(refusing_unknown_parameters, mode="view")
documents = room("actions")


@documents.get(f"{GAME}/openapi.json", response=reading(dict[str, Any]))
def game_document(request: HttpRequest, slug: str) -> dict[str, Any]:
    """This document for one game: its addresses, and one for each action that concerns the caller,
    with the JSON Schema of its inputs as they are now. A client that is generated from it has a
    method for each action."""
    game, actions = acting.offered(request, slug)
    return of_game(api.get_openapi_schema(), slug, game.title, actions)


for router in (
    documents,
    me.router,
    games.of_games,
    table.router,
    talk.router,
    finding.router,
    hosting.router,
    matters.of_games,
    matters.router,
    matters.of_actions,
    acting.router,
    games.of_records,
    games.of_ledgers,
    rules.router,
    reports.router,
    recalculations.router,
    games.of_dice,
    events.router,
    proof.router,
    files.router,
    acting.page_forms,
    *subgames.added_routers(),
    subgames.router(),
):
    api.add_router("/v1", router)


@api.exception_handler(WrongShape)
def wrong(request: HttpRequest, error: WrongShape) -> HttpResponse:
    return error_response(list(error.args), 422)


@api.exception_handler(ValidationError)
def not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    complaints = [
        complaint(fault["msg"], *fault["loc"], kind=fault["type"]) for fault in error.errors
    ]
    return error_response(complaints, 422)


@api.exception_handler(Http404)
def not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return error_response(str(error), 404)


@api.exception_handler(PermissionDenied)
def denied(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return error_response(str(error) or "This is not for you.", 403)


@api.exception_handler(EarlyAnswer)
def unchanged(request: HttpRequest, error: EarlyAnswer) -> HttpResponse:
    return keep_private(error.answer)


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    if not isinstance(getattr(request, "auth", None), Caller):
        # Whom no gate has let in is counted by their address: else tokens are guessed at any pace.
        request.auth = Caller(None)  # type: ignore[attr-defined]
        throttle = PerCaller()
        if not throttle.allow_request(request):
            return too_many(request, Throttled(wait=throttle.wait()))
    response = error_response(error.message, error.status_code)
    if isinstance(error, AuthenticationError):
        response.headers["WWW-Authenticate"] = 'Bearer realm="nomic"'
    if isinstance(error, ScopeLacking):
        lacking = f'Bearer realm="nomic", error="insufficient_scope", scope="{error.scope}"'
        response.headers["WWW-Authenticate"] = lacking
    return response


@api.exception_handler(Throttled)
def too_many(request: HttpRequest, error: Throttled) -> HttpResponse:
    response = error_response(
        f"You have asked too often. Wait {error.wait} seconds, and go on.", 429
    )
    response.headers["Retry-After"] = str(error.wait)
    return response


@api.exception_handler(Busy)
def busy(request: HttpRequest, error: Busy) -> HttpResponse:
    response = error_response(str(error), 503)
    response.headers["Retry-After"] = str(getattr(error, "seconds", TRY_AGAIN_IN))
    return response


def nothing_here(request: HttpRequest) -> HttpResponse:
    """The answer of the address without the slash at its end, where it has one; 404 for an address
    of the API that leads nowhere."""
    path = request.path_info.rstrip("/")
    if path != request.path_info and path.startswith("/api/"):
        request.path, request.path_info = request.path.rstrip("/"), path
        request.resolver_match = match = resolve(path)
        answer: HttpResponse = match.func(request, *match.args, **match.kwargs)
        return answer
    return error_response(
        "There is nothing at this address. What there is stands at /api/docs.", 404
    )


def for_every_method(view: Callable[..., Any]) -> Callable[..., Any]:
    """The view, which answers HEAD as it answers GET, and another wrong method in JSON. What it
    tells of a game tells the head of its record.

    No form is sent here, so a method is told to be wrong before a form's token is asked for.
    """

    @csrf_exempt
    @wraps(view)
    def answering(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.method
        # Ninja has no HEAD; what comes behind the view is to know that it was asked for.
        if asked == "HEAD":
            request.method = "GET"
        response: HttpResponse = view(request, *args, **kwargs)
        request.method = asked
        caller = getattr(request, "auth", None)
        if asked in ("GET", "HEAD") and response.status_code == 200 and not response.streaming:
            response = tagged(request, response, getattr(caller, "etag", ""))
        if isinstance(caller, Caller) and caller.game:
            response.headers[HEAD] = str(head_of(caller.game))
        for name, text in limits_told(request).items():
            response.headers[name] = text
        if response.status_code != 405:
            return response
        # An address tells the methods that it takes; reading takes HEAD as well.
        methods = set(response.headers["Allow"].replace(" ", "").split(","))
        listed = sorted(methods | ({"HEAD"} if "GET" in methods else set()))
        refused = error_response(f"This address takes {' and '.join(listed)}, not {asked}.", 405)
        refused.headers["Allow"] = ", ".join(listed)
        return refused

    return answering


_patterns, _app, _namespace = api.urls
for _pattern in _patterns:
    assert _pattern.callback is not None
    _pattern.callback = for_every_method(_pattern.callback)

urlpatterns = [
    address("", for_every_method(nothing_here)),
    address("", (_patterns, _app, _namespace)),
    re_path("", for_every_method(nothing_here)),
]
