"""What pages show and do has an address in the API, as docs/api.md tells page by page."""

import re
from pathlib import Path

import pytest

from nomic.infrastructure.paths import ROOT
from nomic.web.api.site import api
from nomic.web.tests.watchers import routes

_ROW = re.compile(r"^\| `(/[^`]*)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
_ADDRESS = re.compile(r"`((?:[A-Z]+ )+)([…~][^`]*)`")
_FORM = re.compile(
    r"""<form\b(?=[^>]*\bmethod="post")[^>]*\baction="{%\s*url\s+['"]([\w:]+)['"]""", re.DOTALL
)
_OF_PEOPLE = ("/accounts/", "/static/", "/oauth/", "/o/")
_WRITES = {"POST", "PUT", "DELETE"}


def is_a_page(route: str) -> bool:
    """Whether that is a page, and not an address of the API, of signing in or of a book."""
    of_a_book = route.startswith("/office/") and not re.match(
        r"/office/($|g/|reported/|shares/|users/)", route
    )
    return not route.startswith(("/api/", *_OF_PEOPLE)) and not of_a_book


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """What docs/api.md has of each page: its addresses in the API, or why there is none."""
    text = (ROOT / "docs/api.md").read_text()
    rows = [(page, told) for page, _, told in _ROW.findall(text)]
    assert len(rows) == len(dict(rows)), "a page has two rows"
    return dict(rows)


def addresses(told: str) -> set[tuple[str, str]]:
    """The methods and paths that a row names."""
    whole = {"…": "/api/v1/games/{slug}", "~": "/api/v1"}
    return {
        (method, whole[path[0]] + path[1:])
        for methods, path in _ADDRESS.findall(told)
        for method in methods.split()
    }


def test_each_page_has_a_row_and_each_row_a_page(pages: dict[str, str]) -> None:
    shown = {route for route, *_ in routes() if is_a_page(route)}
    assert pages.keys() == shown


def test_each_row_names_addresses_that_there_are_or_says_why_not(pages: dict[str, str]) -> None:
    paths = api.get_openapi_schema()["paths"]
    known = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    for page, told in pages.items():
        named = addresses(told)
        assert named <= known, page
        assert named or re.fullmatch(r"none: .{10,}", told), page


def test_what_a_form_sends_can_be_sent_by_a_program(pages: dict[str, str]) -> None:
    names = {name: route for route, _, name in routes() if name and is_a_page(route)}
    templates: list[Path] = [*(ROOT / "templates").rglob("*.html")]
    sent = {
        name
        for template in templates
        for name in _FORM.findall(template.read_text())
        if name in names
    }
    assert len(sent) > 15
    for name in sent:
        told = pages[names[name]]
        methods = {method for method, _ in addresses(told)}
        assert methods & _WRITES or "none" in told, name


def test_each_address_of_the_api_is_in_a_row(pages: dict[str, str]) -> None:
    told = {path for row in pages.values() for _, path in addresses(row)}
    others = {
        "/api/v1/games/{slug}/openapi.json",  # a page for tools
        "/api/v1/games/{slug}/players",  # in the page of the game
        "/api/v1/games/{slug}/machinery",
    }
    of_tests = {"/api/v1/games/{slug}/tiny", "/api/v1/games/{slug}/lottery"}
    assert {*api.get_openapi_schema()["paths"]} - told <= others | of_tests
