"""What the OpenAPI document tells beside what the functions' own shapes do: where the site is, what
the headers of answers say, and what every address may answer."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings

from nomic.engine.actions import OfferedAction
from nomic.web.api.acting import scope_of
from nomic.web.api.messages import HEAD
from nomic.web.problems import PROBLEM

_HEADERS = {
    "ETag": "The tag of the answer, to be sent as If-None-Match",
    "Link": "Of a list with more than the answer holds: the address of the rest, rel=next",
    HEAD: "Of what is told of a game: the head of its record, signed",
    "Retry-After": "The seconds to wait before the next try",
    "WWW-Authenticate": "How a token is sent",
    "RateLimit-Policy": "How often the caller may ask: q times within w seconds",
    "RateLimit": "How often the caller may yet ask: r times, and anew in t seconds",
}
_LIMITS = ["RateLimit-Policy", "RateLimit"]
_OF_STATUS = {401: ["WWW-Authenticate"], 429: ["Retry-After", *_LIMITS], 503: ["Retry-After"]}
_OF_READING = ["ETag", "Link", HEAD, *_LIMITS]
_IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "schema": {"type": "string"},
    "description": "The ETag of an answer that the caller has",
}
_STREAM = "text/event-stream"
_SEEN = {"description": "The caller has this answer already"}
_BUSY = {"description": "The game or the site is busy; nothing has changed"}
_TOO_LONG = {"description": "What was sent is longer than what is read"}


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document with all of that."""
    document["servers"] = [{"url": settings.ADDRESS}]
    document["components"]["headers"] = {
        name: {"description": about, "schema": {"type": "string"}}
        for name, about in _HEADERS.items()
    }
    for methods in document["paths"].values():
        for method, operation in methods.items():
            answers = operation["responses"]
            content = answers[404]["content"]
            answers.setdefault(503, {**_BUSY, "content": content})
            if method == "get":
                operation["parameters"].append(_IF_NONE_MATCH)
                answers[200]["headers"] = _named(_OF_READING)
                if _STREAM in (streamed := answers[200].get("content", {})):
                    answers[200]["content"] = {_STREAM: streamed[_STREAM]}
                answers[304] = {**_SEEN, "headers": _named(["ETag"])}
            else:
                answers.setdefault(413, {**_TOO_LONG, "content": content})
            for status, answer in answers.items():
                if int(status) >= HTTPStatus.BAD_REQUEST and "application/json" in answer.get(
                    "content", {}
                ):
                    answer["content"] = {PROBLEM: answer["content"]["application/json"]}
            for status, names in _OF_STATUS.items():
                answers[status]["headers"] = _named(names)
    return document


_ALL_GAMES = "/api/v1/games/{slug}"
_ONE_ACTION = f"{_ALL_GAMES}/actions/{{action}}"


def of_game(
    document: Mapping[str, Any], slug: str, title: str, offered: Iterable[OfferedAction]
) -> dict[str, Any]:
    """The document of one game: its addresses, and one for each of these actions, whose inputs are
    told as the JSON Schema of its form, so that a generated client has a method for each."""
    base, paths = f"{_ALL_GAMES.removesuffix('{slug}')}{slug}", {}
    for path, methods in document["paths"].items():
        if path.startswith(_ALL_GAMES) and path != _ONE_ACTION:
            game_path = path.replace(_ALL_GAMES, base, 1)
            paths[game_path] = {
                name: _without_slug(operation) for name, operation in methods.items()
            }
    act = _without_slug(document["paths"][_ONE_ACTION]["post"], "action")
    for offer in offered:
        action, schema = offer.action, offer.form.schema()
        content = {"application/json": {"schema": schema}}
        refusal_words = "" if offer.refusal is None else f"\n\nNot now: {offer.refusal.sentence}"
        rule = f" (“{action.rule}”)" if action.rule else ""
        paths[f"{base}/actions/{action.name}"] = {
            "post": {
                **act,
                "operationId": re.sub(r"\W+", "_", action.name),
                "summary": action.title,
                "description": f"{action.title}{rule}.{refusal_words}",
                "requestBody": {"required": bool(schema.get("required")), "content": content},
                "security": [{"BearerToken": [scope_of(action)]}],
            }
        }
    info = {**document["info"], "title": f"Nomic: {title}"}
    return {**document, "info": info, "paths": paths}


def _without_slug(operation: Mapping[str, Any], *more: str) -> dict[str, Any]:
    names = {"slug", *more}
    parameters = [
        parameter for parameter in operation.get("parameters", []) if parameter["name"] not in names
    ]
    return {**operation, "parameters": parameters}


def bounds() -> str:
    """How often one may ask and how much one may send, in sentences."""
    often = settings.API_REQUESTS_A_MINUTE
    limit = f"{often:,} requests a minute are answered" if often else "Requests are not counted"
    return (
        f"{limit} of each token, each account in a browser and each address that shows neither;"
        " beyond that it is 429. What is sent has"
        f" {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes at most, else it is 413."
    )


def _named(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
