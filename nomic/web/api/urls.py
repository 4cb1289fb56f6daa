"""The addresses under /api/. An unknown one is told in JSON, too."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, re_path
from django.views.decorators.csrf import csrf_exempt

from nomic.etags import tagged
from nomic.record.keys import head_of
from nomic.web.api import docs
from nomic.web.api.answers import not_so, nothing_here
from nomic.web.api.callers import Caller
from nomic.web.api.inputs import HEAD
from nomic.web.api.site import api

View = Callable[..., Any]


def _for_every_method(view: View) -> View:
    """The view, which answers HEAD as it answers GET, and another wrong method in JSON. What it
    tells of a game tells the head of its record.

    No form is sent here, so a method is told to be wrong before a form's token is asked for.
    """

    @csrf_exempt
    @wraps(view)
    def answering(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response: HttpResponse = view(request, *args, **kwargs)
        request.method = asked
        caller = getattr(request, "auth", None)
        if asked in ("GET", "HEAD") and response.status_code == 200 and not response.streaming:
            response = tagged(request, response, getattr(caller, "etag", ""))
        if isinstance(caller, Caller) and caller.game:
            response.headers[HEAD] = str(head_of(caller.game))
        return not_so(request, response) if response.status_code == 405 else response

    return answering


_patterns, _app, _namespace = api.urls
for _pattern in _patterns:
    assert _pattern.callback is not None
    _pattern.callback = _for_every_method(_pattern.callback)

_nothing = _for_every_method(nothing_here)
urlpatterns = [
    path("", _nothing),
    path("docs", _for_every_method(docs.docs), name="api_docs"),
    path("", (_patterns, _app, _namespace)),
    re_path("", _nothing),
]
