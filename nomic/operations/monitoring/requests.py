"""What each request is called in the logs, and how many there were of which kind.

Middleware, around all others, so that what they turn away is counted as well.
"""

import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from math import inf
from threading import Lock
from time import monotonic

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from nomic.infrastructure.contexts import within
from nomic.infrastructure.logs import REQUEST_ID

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
_KEY = "nomic:requests"
_EVERY = 5.0  # seconds: a call of the cache for each request would cost more than to count it
_HEADER = "X-Request-ID"
_NAMED = re.compile(r"[\w-]{8,64}")
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})


class Requests:
    """Gives each request an id, which is told to whoever asked; the proxy's counts where one stands
    in front. Counts it for the metrics."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        start = monotonic()
        brought = request.headers.get(_HEADER, "")
        is_believed = settings.ALLAUTH_TRUSTED_PROXY_COUNT and _NAMED.fullmatch(brought)
        with within(REQUEST_ID, brought if is_believed else secrets.token_hex(8)) as name:
            response = self.get_response(request)
        response.headers[_HEADER] = name
        _COUNTED.count(_kind(request), response.status_code, monotonic() - start)
        return response


def _kind(request: HttpRequest) -> str:
    path = request.path_info
    if path in _PROBES:
        return "probe"
    return next((kind for kind in ("api", "static") if path.startswith(f"/{kind}/")), "page")


class _Counted:
    """What this process has counted and not told the cache."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[str] = Counter()
        self._told_at = monotonic()

    def count(self, kind: str, status: int, seconds: float) -> None:
        bound = next((longest for longest in BOUNDS if seconds <= longest), inf)
        counts = {
            f"answered/{kind}/{status}": 1,
            f"took/{kind}/{bound}": 1,
            f"microseconds/{kind}": round(seconds * 1_000_000),
        }
        with self._lock:
            self._counts.update(counts)
            if monotonic() - self._told_at < _EVERY:
                return
        self.tell()

    def tell(self) -> None:
        with self._lock:
            counts, self._counts = self._counts, Counter()
            self._told_at = monotonic()
        cache.count({_KEY: counts})  # type: ignore[attr-defined]


_COUNTED = _Counted()


def counted() -> Mapping[str, int]:
    """The counts of requests since the cache began, of all processes, each some seconds late:
    `answered/KIND/STATUS`, `took/KIND/BOUND` of those that took at most so many seconds and more
    than the bound before, and their `microseconds/KIND` in all."""
    _COUNTED.tell()
    counts: dict[str, int] = cache.counted(_KEY)  # type: ignore[attr-defined]
    return counts
