"""How the API answers: JSON that no shared cache keeps, and errors that say what would help."""

import json
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from nomic.games.bounds import ANSWER_KILOBYTES

TRY_AGAIN_IN = 1  # seconds
COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


class Wrong(Exception):
    """What was sent does not have the shape that was asked for: complaints, each with its place."""

    def __init__(self, *complaints: dict[str, Any]) -> None:
        super().__init__("; ".join(complaint["msg"] for complaint in complaints))
        self.complaints = list(complaints)


class TooLarge(Exception):
    """What was sent is longer than this site reads."""


def complaint(msg: str, *loc: str | int, kind: str = "malformed") -> dict[str, Any]:
    """One thing that is wrong with what was sent, `loc` telling where."""
    return {"type": kind, "loc": list(loc), "msg": msg}


def plain(text: str, content_type: str) -> HttpResponse:
    """Text in a form of its own, such as CSV."""
    return keep_private(HttpResponse(text, content_type=f"{content_type}; charset=utf-8"))


def told(detail: str | list[dict[str, Any]], status: int) -> HttpResponse:
    """An error that one sentence tells, or a list of complaints."""
    return keep_private(JsonResponse({"detail": detail}, status=status, json_dumps_params=COMPACT))


def a_page[Item](
    request: HttpRequest, response: HttpResponse, items: Iterable[Item], after: int
) -> list[Item]:
    """As many of the items as an answer holds, which come `after` so many others; where more
    follow, the header Link of the response names the address at which they begin."""
    found: list[Item] = []
    size = 0
    for count, item in enumerate(items, after):
        size += len(json.dumps(item, default=str))
        if found and size > ANSWER_KILOBYTES.count * 1000:
            asked = request.GET.copy()
            asked["after"] = str(count)
            response.headers["Link"] = f'<{request.path}?{asked.urlencode()}>; rel="next"'
            break
        found.append(item)
    return found


def keep_private[Answer: HttpResponseBase](response: Answer) -> Answer:
    """Keep the answer out of shared caches, and apart from other callers' answers."""
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Authorization", "Cookie"))
    return response


def not_so(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """405 with the methods that the address takes; reading takes HEAD as well."""
    methods = set(refused.headers["Allow"].replace(" ", "").split(","))
    if "GET" in methods:
        methods.add("HEAD")
    listed = sorted(methods)
    response = told(f"This address takes {' and '.join(listed)}, not {request.method}.", 405)
    response.headers["Allow"] = ", ".join(listed)
    return response


def nothing_here(request: HttpRequest) -> HttpResponse:
    """404 for an address of the API that leads nowhere."""
    return told("There is nothing at this address. What there is stands at /api/docs.", 404)
