"""What is wrong with a request, told to programs (RFC 9457); answers that no shared cache keeps."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

PROBLEM = "application/problem+json"
COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}


def error_response(detail: str | list[dict[str, Any]], status: int) -> HttpResponse:
    """An error that one sentence tells, or a list of complaints."""
    problem = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    content = {**problem, "detail": detail}
    return keep_private(
        JsonResponse(content, status=status, json_dumps_params=COMPACT, content_type=PROBLEM)
    )


def keep_private[Answer: HttpResponseBase](response: Answer) -> Answer:
    """Keep the answer out of shared caches, and apart from other callers' answers."""
    response.headers["Cache-Control"] = "private, no-cache"
    # Browsers keep it too, and whoever signs in at one is another caller.
    patch_vary_headers(response, ("Authorization", "Cookie"))
    return response
