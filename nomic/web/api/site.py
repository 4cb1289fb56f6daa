"""The API as a whole: its rooms, and what it says where something is wrong."""

from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, Throttled, ValidationError
from ninja.renderers import JSONRenderer

from nomic.engine.outcomes import Busy
from nomic.known import Known
from nomic.web.api import (
    acting,
    balances,
    dice,
    games,
    proof,
    record,
    reports,
    rules,
    subgames,
)
from nomic.web.api.answers import (
    COMPACT,
    TRY_AGAIN_IN,
    TooLarge,
    Wrong,
    complaint,
    keep_private,
    told,
)

ABOUT = """Everything that a page shows and does, for programs.

Anybody may read public games. Whoever acts sends a token: `Authorization: Bearer TOKEN`.
Names are the players' names in that game; moments are ISO 8601 in UTC, in game time unless said
otherwise. What the caller may not see is absent or null.

What is answered about a game tells the head of its record in the header `Nomic-Head`, signed. A
program that acts may send the one that it has seen last in the header of the same name.

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
        return keep_private(super().create_response(*args, **kwargs))

    def get_openapi_operation_id(self, operation: Any) -> str:
        """The name of the function that answers."""
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **kwargs: Any) -> Any:
        """The document, which is the same as long as the process runs."""
        return self._document

    @cached_property
    def _document(self) -> dict[str, Any]:
        """The document; what is read needs no token."""
        document = super().get_openapi_schema()
        for methods in document["paths"].values():
            if "get" in methods:
                methods["get"]["security"] = [{}, {"BearerToken": []}]
        return dict(document)


api = Site(
    title="Nomic",
    version="1",
    description=ABOUT,
    renderer=Compact(),
    docs_url=None,
    docs_decorator=require_safe,
    urls_namespace="api",
)
for room in (games, acting, record, balances, rules, reports, dice, proof):
    api.add_router("/v1", room.router)
api.add_router("/v1", acting.page_forms)
api.add_router("/v1", subgames.router())


@api.exception_handler(Wrong)
def wrong(request: HttpRequest, error: Wrong) -> HttpResponse:
    return told(error.complaints, 422)


@api.exception_handler(ValidationError)
def not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    found = [complaint(each["msg"], *each["loc"], kind=each["type"]) for each in error.errors]
    return told(found, 422)


@api.exception_handler(Http404)
def not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return told(str(error), 404)


@api.exception_handler(Known)
def unchanged(request: HttpRequest, known: Known) -> HttpResponse:
    return keep_private(known.answer)


@api.exception_handler(HttpError)
def in_short(request: HttpRequest, error: HttpError) -> HttpResponse:
    response = told(error.message, error.status_code)
    if isinstance(error, AuthenticationError):
        response.headers["WWW-Authenticate"] = 'Bearer realm="nomic"'
    return response


@api.exception_handler(Throttled)
def too_many(request: HttpRequest, error: Throttled) -> HttpResponse:
    return told("You have asked too often. Wait for the next minute, and go on.", 429)


@api.exception_handler(TooLarge)
def too_large(request: HttpRequest, error: TooLarge) -> HttpResponse:
    return told("This is longer than anything that an action takes.", 413)


@api.exception_handler(Busy)
def busy(request: HttpRequest, error: Busy) -> HttpResponse:
    response = told(str(error), 503)
    response.headers["Retry-After"] = str(getattr(error, "seconds", TRY_AGAIN_IN))
    return response
