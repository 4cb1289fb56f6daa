"""Parts of the page on which an act was done, as it changed them, that its answer brings along."""

import logging
from copy import copy
from urllib.parse import urlsplit

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, QueryDict
from django.urls import Resolver404, resolve

logger = logging.getLogger(__name__)
PAGE = "Nomic-Live"  # the header in which a page says where its live parts are


def live_parts(request: HttpRequest, slug: str) -> str:
    """The live parts of the page of that game from which the act was sent, as they are now; "" for
    a page that has none, or is not for the viewer any more."""
    try:
        address = urlsplit(request.headers.get(PAGE, "")[:2000])
        match = resolve(address.path)
    except (ValueError, Resolver404):
        return ""
    if match.kwargs.get("slug") != slug:
        return ""
    look = copy(request)
    look.method, look.path, look.path_info = "GET", address.path, address.path
    asked = QueryDict(address.query, mutable=True)
    asked.pop("v", None)  # it would be told that nothing is new to others
    look.GET, look.POST = QueryDict(asked.urlencode()), QueryDict()
    look.resolver_match = match
    try:
        answer = match.func(look, *match.args, **match.kwargs)
    except (Http404, PermissionDenied):
        return ""
    except Exception:  # the act is done: its receipt must not be lost to a page's fault
        logger.exception("The parts of %s cannot be drawn after an act", address.path)
        return ""
    return answer.content.decode() if getattr(answer, "has_live_parts", False) else ""
