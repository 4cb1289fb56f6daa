"""What programs send, JSON of a reasonable depth in characters that can be kept, and how the API
answers: JSON that no shared cache keeps, and errors that say what would help."""

import json
from collections.abc import Iterable
from functools import cache as once
from itertools import islice
from typing import Any, cast

from django.core.exceptions import RequestDataTooBig
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from ninja.errors import HttpError
from pydantic import TypeAdapter, ValidationError

from nomic.engine.outcomes import Malformed
from nomic.engine.requests import LONGEST_KEY
from nomic.games.bounds import ANSWER_KILOBYTES
from nomic.record.heads import Head, read_head
from nomic.web.problems import keep_private

MANY = 200  # members of a list or an object in one answer
DEEPEST = 16
KEY, HEAD, LAST_EVENT = "Idempotency-Key", "Nomic-Head", "Last-Event-ID"
A_KEY = f"a key has 1 to {LONGEST_KEY} printable ASCII characters; send no such header for none"


class WrongShape(Exception):
    """The request does not have the shape that was asked for; `args` are the complaints."""


def complaint(msg: str, *loc: str | int, kind: str = "malformed") -> dict[str, Any]:
    """One thing that is wrong with what was sent, `loc` telling where."""
    return {"type": kind, "loc": list(loc), "msg": msg}


def text_response(text: str, content_type: str) -> HttpResponse:
    """Text in a form of its own, such as CSV."""
    return keep_private(HttpResponse(text, content_type=f"{content_type}; charset=utf-8"))


def a_page[Item](
    request: HttpRequest, response: HttpResponse, items: Iterable[Item], after: int
) -> list[Item]:
    """As many of the items as an answer holds, which come `after` so many others; where more
    follow, the header Link of the response names the address at which they begin."""
    page: list[Item] = []
    size = 0
    for count, item in enumerate(items, after):
        size += len(json.dumps(item, default=str))
        if page and size > ANSWER_KILOBYTES.count * 1000:
            link_to_next(request, response, count)
            break
        page.append(item)
    return page


def a_piece(request: HttpRequest, response: HttpResponse, answer: Any, after: int) -> Any:
    """A piece of what is told: of each list and object with more than MANY members so many, `after`
    so many others; where more follow, the header Link names the address of the next."""
    rest = False

    def piece(branch: Any) -> Any:
        nonlocal rest
        if not isinstance(branch, dict | list):
            return branch
        members: Iterable[Any] = branch.items() if isinstance(branch, dict) else branch
        if len(branch) > MANY:
            rest = rest or len(branch) > after + MANY
            members = islice(members, after, after + MANY)
        if isinstance(branch, dict):
            return {name: piece(member) for name, member in members}
        return [piece(member) for member in members]

    cut = piece(answer)
    if rest:
        link_to_next(request, response, after + MANY)
    return cut


def link_to_next(
    request: HttpRequest, response: HttpResponse, last: int | str, by: str = "after"
) -> None:
    """Let the header Link name the address of what comes after that one, or `before` it
    (RFC 8288)."""
    asked = request.GET.copy()
    asked[by] = str(last)
    response.headers["Link"] = f'<{request.path}?{asked.urlencode()}>; rel="next"'


def sent_list[Shape](request: HttpRequest, shape: type[Shape]) -> list[Shape]:
    """The list that the request sent, each of its members in that shape; raises as `sent` does."""
    return [_in_shape(shape, member, place) for place, member in enumerate(list_of(request))]


def sent[Shape](request: HttpRequest, shape: type[Shape]) -> Shape:
    """The body of the request in that shape; raises WrongShape, and as `body_of` does."""
    return _in_shape(shape, body_of(request))


def _in_shape[Shape](shape: type[Shape], content: Any, *place: int) -> Shape:
    try:
        # As JSON, in which a text is an id or a moment, but no number is a yes.
        body: Shape = _adapter(cast(Any, shape)).validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        errors = error.errors()
        raise WrongShape(
            *(complaint(fault["msg"], "body", *place, *fault["loc"]) for fault in errors)
        ) from None
    return body


def faults(form: BaseForm) -> WrongShape:
    """What is wrong with what a form of the pages was sent, as complaints about the body."""
    return WrongShape(
        *(  # what concerns all of it is the body's
            complaint(str(sentence), "body", *([] if name == "__all__" else [name]))
            for name, sentences in form.errors.items()
            for sentence in sentences
        )
    )


def wrong_inputs(malformed: Malformed, *place: str | int) -> WrongShape:
    """What is wrong with an action's inputs, as complaints about that place of the body."""
    return WrongShape(
        *(  # what concerns all of the inputs is the body's
            complaint(sentence, "body", *place, *([] if name == "__all__" else [name]))
            for name, sentences in malformed.errors.items()
            for sentence in sentences
        )
    )


@once
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The request's JSON object; {} where nothing was sent. Raises Wrong, and HttpError with 413
    for what is too long."""
    inputs = json_of(request)
    if not isinstance(inputs, dict):
        raise WrongShape(complaint("The inputs are a JSON object: {…}.", "body"))
    for name, content in inputs.items():
        _refuse_unkeepable(name, ("body",))
        _refuse_unkeepable(content, ("body", name[:60]))
    return inputs


def list_of(request: HttpRequest) -> list[Any]:
    """The request's JSON list, as `body_of` gives an object."""
    members = json_of(request)
    if not isinstance(members, list):
        raise WrongShape(complaint("This is a JSON list: […].", "body"))
    for place, content in enumerate(members):
        _refuse_unkeepable(content, ("body", place))
    return members


def json_of(request: HttpRequest) -> Any:
    """The JSON that was sent; {} where nothing was. Raises as `body_of` does."""
    try:
        sent = request.body
    except RequestDataTooBig:
        raise HttpError(413, "This is longer than anything that an action takes.") from None
    if not sent.strip():
        return {}
    try:
        inputs = json.loads(sent.decode(), parse_constant=_no_number, object_pairs_hook=_object)
    except RecursionError:
        raise WrongShape(complaint("This is nested too deeply.", "body")) from None
    except ValueError as error:
        # Behind a semicolon Python goes on with advice to programmers, on numbers of 4,300 digits.
        fault = str(error).partition(";")[0]
        if isinstance(error, json.JSONDecodeError):
            fault = f"{error.msg} at line {error.lineno}, column {error.colno}"
        elif isinstance(error, UnicodeDecodeError):
            fault = "it is not in UTF-8"
        raise WrongShape(complaint(f"This is not JSON: {fault}.", "body", kind="json")) from None
    return inputs


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no name stands twice: of two values one would be lost."""
    members: dict[str, Any] = {}
    for name, content in pairs:
        if name in members:
            raise ValueError(f"“{name[:60]}” stands in an object twice")
        members[name] = content
    return members


def key_of(request: HttpRequest) -> str:
    """The Idempotency-Key, or "" where none was sent; raises Wrong.

    The web server hands on a header with anything but ASCII as an empty one.
    """
    sent = request.headers.get(KEY)
    if sent is None:
        return ""
    key = sent.strip()
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise WrongShape(complaint(f"This key cannot be read: {A_KEY}.", "header", KEY))
    return key


def head_sent(request: HttpRequest) -> Head | None:
    """The newest head that the program had seen, or None where it sent none; raises Wrong."""
    sent = request.headers.get(HEAD)
    head = read_head(sent) if sent is not None else None
    if sent is not None and head is None:
        wrong = "This is no head: send the one of an answer as it is, or no such header"
        raise WrongShape(complaint(f"{wrong}.", "header", HEAD))
    return head


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number of JSON")


def _refuse_unkeepable(content: Any, loc: tuple[str | int, ...], depth: int = 1) -> None:
    """Raise Wrong for text that no record can keep, and for what is nested too deeply."""
    if isinstance(content, str):
        # PostgreSQL takes no NUL in a text, and no half of a surrogate pair is UTF-8.
        if "\0" in content or any("\ud800" <= character <= "\udfff" for character in content):
            raise WrongShape(complaint("This text has characters that cannot be kept.", *loc))
    elif isinstance(content, list | dict):
        if depth > DEEPEST:
            raise WrongShape(complaint("This is nested too deeply.", *loc))
        for inner in [*content, *content.values()] if isinstance(content, dict) else content:
            _refuse_unkeepable(inner, loc, depth + 1)
