"""The API's documentation as a page: the OpenAPI document, told to people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from nomic.engine.take import LONGEST_KEY
from nomic.web.api.site import api

_TITLES = {
    "games": "Games",
    "actions": "Acting",
    "record": "The record",
    "ledger": "The ledger",
    "rulebook": "The rulebook",
    "reports": "Reports",
    "dice": "The dice",
    "subgames": "Subgames",
}
_FORMS = ("{}", "<code>{}</code>")


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something that an address is asked with."""

    name: str
    place: str
    about: str


@dataclass(frozen=True, slots=True)
class Address:
    """One address of the API. `answers` are (status, its name, the shape of the answer)."""

    id: str
    method: str
    path: str
    title: str
    about: list[SafeString]
    parameters: list[Parameter]
    answers: list[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of answer, field by field: (name, what it is)."""

    name: str
    about: SafeString
    fields: list[tuple[str, str]]


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The page; it needs no script."""
    document = _document()
    context = {
        "parts": _parts(document),
        "shapes": list(_shapes(document)),
        "origin": f"{request.scheme}://{request.get_host()}",
        "limit": settings.API_REQUESTS_A_MINUTE,
        "longest_key": LONGEST_KEY,
    }
    return render(request, "web/api_docs.html", context)


@cache
def _document() -> dict[str, Any]:
    return dict(api.get_openapi_schema())


def _parts(document: dict[str, Any]) -> list[tuple[str, list[Address]]]:
    parts: dict[str, list[Address]] = {title: [] for title in _TITLES.values()}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            title = _TITLES[operation["tags"][0]]
            parts[title].append(_address(path, method, operation))
    return [(title, found) for title, found in parts.items() if found]


def _address(path: str, method: str, operation: dict[str, Any]) -> Address:
    about = operation.get("description", "")
    parameters = [
        Parameter(each["name"], each["in"], each.get("description", ""))
        for each in operation.get("parameters", [])
        if each["in"] != "path"
    ]
    answers = [
        (str(status), HTTPStatus(int(status)).phrase, _shape_of(response))
        for status, response in operation["responses"].items()
    ]
    return Address(
        operation["operationId"],
        method.upper(),
        path,
        operation["summary"],
        [_prose(paragraph) for paragraph in about.split("\n\n")],
        parameters,
        answers,
    )


def _shape_of(response: dict[str, Any]) -> str:
    content = response.get("content", {}).get("application/json", {})
    return _kind(content.get("schema", {}))


def _shapes(document: dict[str, Any]) -> Iterator[Shape]:
    schemas: dict[str, Any] = document["components"]["schemas"]
    for name, schema in sorted(schemas.items()):
        fields = [(field, _kind(kind)) for field, kind in schema.get("properties", {}).items()]
        if fields:
            yield Shape(name, _prose(schema.get("description", "")), fields)


def _prose(paragraph: str) -> SafeString:
    """A docstring's paragraph with its `names` as code."""
    pieces = " ".join(paragraph.split()).split("`")
    drawn = (format_html(_FORMS[place % 2], piece) for place, piece in enumerate(pieces))
    return format_html_join("", "{}", ((piece,) for piece in drawn))


def _kind(schema: dict[str, Any]) -> str:
    """A JSON Schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(each) for each in schema["enum"])
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return kind
