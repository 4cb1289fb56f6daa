"""The API's documentation as a page: the OpenAPI document, told to people."""

import json
import re
from collections.abc import Collection
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
_USUAL = frozenset({304, 401, 403, 404, 413, 422, 429, 503})  # told once for all addresses
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
            "parts": _parts(document, f"{request.scheme}://{request.get_host()}"),
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


def _parts(document: dict[str, Any], origin: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """The addresses of each part as OpenAPI describes them, with what only people need."""
    shapes = {
        name for name, schema in document["components"]["schemas"].items() if "properties" in schema
    }
    parts: dict[str, list[dict[str, Any]]] = {title: [] for title in _TITLES.values()}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            answers = []
            for status, response in operation["responses"].items():
                if int(status) in _USUAL:
                    continue
                contents = response.get("content", {})
                sent = contents.get("application/json") or contents.get(PROBLEM, {})
                shape = _kind(sent.get("schema", {}))
                answers.append((status, HTTPStatus(int(status)).phrase, _linked(shape, shapes)))
            shown = {
                "method": method.upper(),
                "path": path,
                "parameters": [
                    {**parameter, "kind": _kind(parameter["schema"]).removesuffix(" or null")}
                    for parameter in operation.get("parameters", [])
                    if parameter["in"] != "path" and parameter["name"] != "If-None-Match"
                ],
                "about": map(_prose, operation.get("description", "").split("\n\n")),
                "body": _fields(_body(operation)),
                "example": _call(origin, path, method, operation),
                "answers": answers,
                "scopes": [scope for way in operation["security"] for scope, *_ in way.values()],
                "is_open": {} in operation["security"],
            }
            parts[_TITLES[operation["tags"][0]]].append({**operation, **shown})
    return [(title, operations) for title, operations in parts.items() if operations]


def _linked(kind: str, shapes: Collection[str]) -> SafeString:
    """What `_kind` says, each shape in it as a link to its fields."""
    words = (
        format_html('<a href="#shape-{}">{}</a>', word, word) if word in shapes else word
        for word in re.split(r"(\w+)", kind)
    )
    return format_html_join("", "{}", ((word,) for word in words))


def _body(operation: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of what is sent there; {} where nothing is."""
    content = operation.get("requestBody", {}).get("content", {})
    schema: dict[str, Any] = content.get("application/json", {}).get("schema", {})
    return schema


def _fields(schema: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The fields of the object, or of each member of the list, that is sent: their names, kinds,
    and whether they have to be there."""
    of_members = schema.get("items", {}) if schema.get("type") == "array" else schema
    of_one = next(iter(of_members.get("anyOf", ())), of_members)
    required = of_one.get("required", ())
    return [
        (name, _kind(kind), "" if name in required else "may be left out")
        for name, kind in of_one.get("properties", {}).items()
    ]


def _call(origin: str, path: str, method: str, operation: dict[str, Any]) -> str:
    """The call of an address as one types it: names in capitals are to be filled in."""
    address = re.sub(r"{(\w+)}", lambda name: name[1].upper(), path)
    query = [
        f"{parameter['name']}=…"
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query" and parameter.get("required")
    ]
    words = [f"curl {origin}{address}" + (f"?{'&'.join(query)}" if query else "")]
    if method != "get":
        words[0] = words[0].replace("curl", f"curl -X {method.upper()}")
    if {} not in operation["security"]:
        words.append('-H "Authorization: Bearer $TOKEN"')
    if body := _body(operation):
        sent = json.dumps(_example(body), ensure_ascii=False)
        words += ['-H "Content-Type: application/json"', f"-d '{sent}'"]
    return " \\\n     ".join(words)


def _example(schema: dict[str, Any]) -> Any:
    """Something of that JSON Schema: of an object what has to be there, or else a first field."""
    if "anyOf" in schema:
        return _example(schema["anyOf"][0])
    if examples := schema.get("enum") or schema.get("examples"):
        return examples[0]
    kind = schema.get("type")
    if kind == "object":
        fields = schema.get("properties", {})
        names = [name for name in fields if name in schema.get("required", ())] or [*fields][:1]
        return {name: _example(fields[name]) for name in names}
    if kind == "array":
        return [_example(schema.get("items", {}))]
    plain_examples = {"integer": max(schema.get("minimum", 1), 1), "number": 1.5, "boolean": True}
    return plain_examples.get(str(kind), "…")


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
    if schema.get("format") == "uuid":
        return "id"
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_kind(schema['additionalProperties'])}"
    return kind
