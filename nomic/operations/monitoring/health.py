"""Whether this site works: two addresses for machines, and what people read when it does not."""

import logging
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import redis
from django.db import Error, InterfaceError, OperationalError, connection
from django.db.models import Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_redis import get_redis_connection

from nomic.engine import watch
from nomic.engine.outcomes import Busy
from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.infrastructure.logs import REQUEST_ID
from nomic.quotas.holds import goes_on

log = logging.getLogger(__name__)

LATE = timedelta(seconds=60)
COME_BACK_IN = 2  # seconds
# Lock not available, deadlock, serialization failure: the database lives, and has its hands full.
FULL_HANDS = frozenset({"55P03", "40P01", "40001"})
# What a standby says to whatever writes.
READ_ONLY = "25006"

View = Callable[[HttpRequest], HttpResponse]


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Web and database: 200, or 503 when the database does not answer."""
    database = _database_answers()
    return JsonResponse({"web": True, "database": database}, status=200 if database else 503)


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether games move by themselves: also broker, worker, and how late the clock is.

    `late` is in seconds: since when the oldest due appointment waits; a minute is too long.
    """
    checks: dict[str, Any] = {"web": True, "database": _database_answers()}
    try:
        checks["broker"] = bool(get_redis_connection().ping())
    except redis.RedisError:
        checks["broker"] = False
    checks["worker"] = checks["broker"] and watch.is_worker_running()
    late = lateness() if checks["database"] else None
    checks["on_time"] = late is not None and late < LATE
    ready = all(checks.values())
    checks["late"] = None if late is None else round(late.total_seconds(), 1)
    return JsonResponse(checks, status=200 if ready else 503)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def lateness() -> timedelta:
    """For how long the game that has waited longest for a sweep has waited."""
    wall = wall_now()
    waiting = Game.objects.filter(goes_on(wall), scratch=False, set_aside="", wakes_at__lte=wall)
    oldest = waiting.aggregate(oldest=Min("wakes_at"))["oldest"]
    return wall - oldest if oldest else timedelta(0)


def ask_to_come_back(get_response: View) -> View:
    """Middleware: whatever cannot be answered now says when to ask again."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 503:
            seconds = getattr(request, "come_back_in", COME_BACK_IN)
            response.headers.setdefault("Retry-After", str(seconds))
        return response

    return answer


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer where a view raised: 503 when it is the database's or a lock's doing, else 500.

    The next request asks the database anew, so the site recovers by itself.
    """
    error = sys.exc_info()[1]
    if isinstance(error, Busy) or _sqlstate(error) in FULL_HANDS:
        if seconds := getattr(error, "seconds", 0):
            request.come_back_in = seconds  # type: ignore[attr-defined]
        sentence = str(error) if isinstance(error, Busy) else str(Busy())
        return _page(request, 503, "busy.html", sentence)
    if _sqlstate(error) == READ_ONLY:
        sentence = (
            "At this moment the site can be read and nothing can be changed, since its database is"
            " a standby. Nothing is lost; please try again in a minute."
        )
        return _page(request, 503, "standby.html", sentence)
    if isinstance(error, (OperationalError, InterfaceError)):
        sentence = "The database does not answer. Nothing is lost; please try again in a minute."
        return _page(request, 503, "503.html", sentence)
    sentence = (
        "Something broke on our side. An action is done wholly or not at all; see the record."
    )
    return _page(request, 500, "500.html", sentence)


def _sqlstate(error: BaseException | None) -> str | None:
    return getattr(getattr(error, "__cause__", None), "sqlstate", None)


def _page(request: HttpRequest, status: int, template: str, sentence: str) -> HttpResponse:
    """The page, or the plain sentence: for programs, and where not even a page can be made."""
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": sentence}, status=status)
    try:
        context = {"request_id": REQUEST_ID.get()}
        return HttpResponse(render_to_string(template, context), status=status)
    except Exception:
        log.exception("%s could not be shown", template)
        return HttpResponse(sentence, status=status, content_type="text/plain; charset=utf-8")
