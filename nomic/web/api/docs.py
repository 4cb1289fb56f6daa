"""The API's documentation as a page: the OpenAPI document, told to people."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from nomic.engine.requests import LONGEST_KEY
from nomic.games.bounds import DRY_RUNS
from nomic.web.problems import PROBLEM
from nomic.web.tokens import Scope

_TITLES = {
    "me": "The account that calls",
    "games": "Games",
    "actions": "Acting",
    "hosting": "Starting and hosting games",
    "table": "Players, and what comes and came",
    "talk": "The talk",
    "search": "Finding words",
    "record": "The record",
    "events": "Events",
    "ledger": "The ledger",
    "rulebook": "The rulebook",
    "reports": "Reports",
    "recalculations": "Recalculations",
    "dice": "The dice",
    "proof": "Proof",
    "files": "Files",
    "proposals": "Writing proposals",
    "subgames": "Subgames",
}
_FORMS = ("{}", "<code>{}</code>")


class Docs(DocsBase):
    """The page; it needs no script."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        document = api.get_openapi_schema()
        shapes = []
        for name, schema in sorted(document["components"]["schemas"].items()):
            fields = [(field, _kind(kind)) for field, kind in schema.get("properties", {}).items()]
            if fields:
                about = _prose(schema.get("description", ""))
                shapes.append({"name": name, "about": about, "fields": fields})
        context = {
            "parts": _parts(document),
            "shapes": shapes,
            "origin": f"{request.scheme}://{request.get_host()}",
            "limit": settings.API_REQUESTS_A_MINUTE,
            "longest_key": LONGEST_KEY,
            "dry_runs": DRY_RUNS.count,
            "scopes": [
                (scope.value, f"{scope.label[0].lower()}{scope.label[1:]}") for scope in Scope
            ],
        }
        return render(request, "web/api/docs.html", context)


def _parts(document: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The addresses of each part as OpenAPI describes them, with what only people need."""
    parts: dict[str, list[dict[str, Any]]] = {title: [] for title in _TITLES.values()}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            answers = []
            for status, response in operation["responses"].items():
                contents = response.get("content", {})
                sent = contents.get("application/json") or contents.get(PROBLEM, {})
                shape = _kind(sent.get("schema", {}))
                answers.append((status, HTTPStatus(int(status)).phrase, shape))
            shown = {
                "method": method.upper(),
                "path": path,
                "parameters": [
                    parameter
                    for parameter in operation.get("parameters", [])
                    if parameter["in"] != "path" and parameter["name"] != "If-None-Match"
                ],
                "about": map(_prose, operation.get("description", "").split("\n\n")),
                "answers": answers,
            }
            parts[_TITLES[operation["tags"][0]]].append({**operation, **shown})
    return [(title, operations) for title, operations in parts.items() if operations]


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
        return " or ".join(_kind(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(choice) for choice in schema["enum"])
    kind = str(schema.get("type", "anything"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return kind
