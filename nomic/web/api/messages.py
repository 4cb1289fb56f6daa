"""What programs send, JSON of a reasonable depth in characters that can be kept, and how the API
answers: JSON that no shared cache keeps, and errors that say what would help."""

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from ninja.errors import HttpError

from nomic.engine.requests import LONGEST_KEY
from nomic.games.bounds import ANSWER_KILOBYTES
from nomic.record.heads import Head, read_head

MANY = 200  # members of a list or an object in one answer
COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
DEEPEST = 16
KEY, HEAD = "Idempotency-Key", "Nomic-Head"
A_KEY = f"a key has 1 to {LONGEST_KEY} printable ASCII characters; send no such header for none"


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


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The request's JSON object; {} where nothing was sent. Raises Wrong, and HttpError with 413
    for what is too long."""
    try:
        sent = request.body
    except RequestDataTooBig:
        raise HttpError(413, "This is longer than anything that an action takes.") from None
    if not sent.strip():
        return {}
    try:
        found = json.loads(sent.decode(), parse_constant=_no_number, object_pairs_hook=_object)
    except RecursionError:
        raise Wrong(complaint("This is nested too deeply.", "body")) from None
    except ValueError as error:
        why = str(error).partition(";")[0]
        if isinstance(error, json.JSONDecodeError):
            why = f"{error.msg} at line {error.lineno}, column {error.colno}"
        elif isinstance(error, UnicodeDecodeError):
            why = "it is not in UTF-8"
        raise Wrong(complaint(f"This is not JSON: {why}.", "body", kind="json")) from None
    if not isinstance(found, dict):
        raise Wrong(complaint("The inputs are a JSON object: {…}.", "body"))
    for name, value in found.items():
        _check(name, ("body",))
        _check(value, ("body", name[:60]))
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no name stands twice: of two values one would be lost."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"“{name[:60]}” stands in an object twice")
        found[name] = value
    return found


def key_of(request: HttpRequest) -> str:
    """The Idempotency-Key, or "" where none was sent; raises Wrong.

    The web server hands on a header with anything but ASCII as an empty one.
    """
    sent = request.headers.get(KEY)
    if sent is None:
        return ""
    key = sent.strip()
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise Wrong(complaint(f"This key cannot be read: {A_KEY}.", "header", KEY))
    return key


def head_sent(request: HttpRequest) -> Head | None:
    """The newest head that the program had seen, or None where it sent none; raises Wrong."""
    sent = request.headers.get(HEAD)
    head = read_head(sent) if sent is not None else None
    if sent is not None and head is None:
        wrong = "This is no head: send the one of an answer as it is, or no such header"
        raise Wrong(complaint(f"{wrong}.", "header", HEAD))
    return head


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number of JSON")


def _check(value: Any, loc: tuple[str | int, ...], depth: int = 1) -> None:
    """Raise Wrong for text that no record can keep, and for what is nested too deeply."""
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
            raise Wrong(complaint("This text has characters that cannot be kept.", *loc))
    elif isinstance(value, list | dict):
        if depth > DEEPEST:
            raise Wrong(complaint("This is nested too deeply.", *loc))
        for inner in [*value, *value.values()] if isinstance(value, dict) else value:
            _check(inner, loc, depth + 1)
