"""What browsers let the programs of other sites read of the API, and send to it (CORS).

Everything is read as by somebody who has not signed in here: cookies are never sent along. Who acts
shows a token.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from nomic.web.api.messages import HEAD, KEY, LAST_EVENT

_TOLD = (
    *("ETag", "Link", "Retry-After", "RateLimit", "RateLimit-Policy", "WWW-Authenticate"),
    HEAD,
)
_SENT = ("Authorization", "Content-Type", "If-None-Match", KEY, HEAD, LAST_EVENT)
READABLE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(_TOLD),
}
PREFLIGHT = {
    **READABLE,
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": ", ".join(_SENT),
    "Access-Control-Max-Age": "86400",
}


_FOR_PROGRAMS = ("/api/", "/oauth/token/", "/oauth/revoke/")


def allow_other_sites(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answer what a browser asks before it lets another site's program ask the API, and
    let that read each of the API's answers."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(_FOR_PROGRAMS):
            return get_response(request)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return HttpResponse(status=204, headers=PREFLIGHT)
        response = get_response(request)
        for name, text in READABLE.items():
            response.headers[name] = text
        return response

    return answer
