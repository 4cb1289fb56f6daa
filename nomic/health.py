"""Whether this site works: two addresses for machines, one plain page for people."""

from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Web and database: 200, or 503 when the database does not answer."""
    database = database_answers()
    return JsonResponse({"web": True, "database": database}, status=200 if database else 503)


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    return healthz(request)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return False
    return True


def say_when_the_database_is_away(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def answer(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        except (OperationalError, InterfaceError):
            return HttpResponse("The database is away.", status=503)

    return answer
