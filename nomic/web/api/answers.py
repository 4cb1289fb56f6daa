"""How the API answers: JSON that no shared cache keeps, and errors that say what would help."""

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from nomic.games.bounds import ANSWER_KILOBYTES

MANY = 200  # members of a list or an object in one answer
COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


class Wrong(Exception):
    """The request does not have the shape that was asked for; `args` are the complaints."""


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
            _name_the_next(request, response, count)
            break
        found.append(item)
    return found


def a_piece(request: HttpRequest, response: HttpResponse, told: Any, after: int) -> Any:
    """A piece of what is told: of each list and object with more than MANY members so many, `after`
    so many others; where more follow, the header Link names the address of the next."""
    rest = False

    def piece(value: Any) -> Any:
        nonlocal rest
        if not isinstance(value, dict | list):
            return value
        members: Iterable[Any] = value.items() if isinstance(value, dict) else value
        if len(value) > MANY:
            rest = rest or len(value) > after + MANY
            members = islice(members, after, after + MANY)
        if isinstance(value, dict):
            return {name: piece(each) for name, each in members}
        return [piece(each) for each in members]

    found = piece(told)
    if rest:
        _name_the_next(request, response, after + MANY)
    return found


def _name_the_next(request: HttpRequest, response: HttpResponse, after: int) -> None:
    asked = request.GET.copy()
    asked["after"] = str(after)
    response.headers["Link"] = f'<{request.path}?{asked.urlencode()}>; rel="next"'


def keep_private[Answer: HttpResponseBase](response: Answer) -> Answer:
    """Keep the answer out of shared caches, and apart from other callers' answers."""
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Authorization", "Cookie"))
    return response
