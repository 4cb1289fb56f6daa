"""The addresses under /api/. An unknown one is told in JSON, too."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path

from nomic.pages.api import docs
from nomic.pages.api.answers import not_so, nothing_here
from nomic.pages.api.site import api

View = Callable[..., Any]


def _also_for_head(view: View) -> View:
    """The view, which answers HEAD as it answers GET, and another wrong method in JSON."""

    @wraps(view)
    def answering(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response: HttpResponse = view(request, *args, **kwargs)
        request.method = asked
        return not_so(request, response) if response.status_code == 405 else response

    return answering


_patterns, _app, _namespace = api.urls
for _pattern in _patterns:
    assert _pattern.callback is not None
    _pattern.callback = _also_for_head(_pattern.callback)

urlpatterns = [
    path("", nothing_here),
    path("docs", docs.docs, name="api_docs"),
    path("", (_patterns, _app, _namespace)),
    re_path(r"^(?P<rest>.*)$", nothing_here),
]
