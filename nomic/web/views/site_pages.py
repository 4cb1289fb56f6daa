"""The pages about the site, for people and for programs that look around."""

import re
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from nomic.games.clock import wall_now
from nomic.rulebook.rendering.markdown import render as as_html
from nomic.web.site_pages import KINDS, contact, text_of

_HEADING = re.compile("<(/?)h([3-6])>")
_GOOD_FOR = timedelta(days=180)
_NOT_FOR_ROBOTS = (
    *("/accounts/", "/settings/", "/office/", "/notices/", "/api/v1/", "/i/", "/calendar/"),
    *("/search/", "/g/*/search/", "/g/*/act/", "/g/*/say/", "/g/*/download/", "/g/*/whole/"),
)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this site is."""
    return _page(request, "about")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What it keeps of people."""
    return _page(request, "privacy")


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Who runs it."""
    return _page(request, "imprint")


@require_safe
def site_rules(request: HttpRequest) -> HttpResponse:
    """What its operator expects of everybody, whatever the rules of a game are."""
    return _page(request, "rules")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What crawlers leave alone (RFC 9309): people's own pages, and what is worked out anew for
    each question."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_ROBOTS)]
    return _as_text(lines)


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Where faults of the site's security are told (RFC 9116)."""
    ends = wall_now() + _GOOD_FOR
    return _as_text(
        [
            f"Contact: {contact()}",
            f"Expires: {ends:%Y-%m-%d}T00:00:00Z",
            "Preferred-Languages: en",
            f"Canonical: {settings.ADDRESS}{reverse('security')}",
        ]
    )


def _page(request: HttpRequest, name: str) -> HttpResponse:
    # Rules have their headings two levels below a page's own; here they are the next ones.
    text = _HEADING.sub(lambda tag: f"<{tag[1]}h{int(tag[2]) - 1}>", as_html(text_of(name)))
    context = {"kind": KINDS[name], "text": mark_safe(text)}  # noqa: S308 - as it was
    return render(request, "web/site_page.html", context)


def _as_text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
