"""The site's addresses and one more: the least that a view can do which changes a game.

It passes the same middleware, checks session and CSRF, locks one row and inserts one.
"""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_POST

from nomic.urls import urlpatterns as the_site

ROWS = 100


def lay() -> None:
    """Make the two tables that the view touches."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_row (id int PRIMARY KEY, n int NOT NULL DEFAULT 0)")
        cursor.execute("CREATE TABLE bench_act (id bigserial PRIMARY KEY, what text NOT NULL)")
        cursor.execute("INSERT INTO bench_row SELECT generate_series(0, %s::int)", [ROWS - 1])


@require_POST
@login_required
def floor(request: HttpRequest) -> HttpResponse:
    """Lock the row that is named and write down what was said."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        row = int(request.POST["row"]) % ROWS
        cursor.execute("SELECT n FROM bench_row WHERE id = %s FOR NO KEY UPDATE", [row])
        cursor.execute("INSERT INTO bench_act (what) VALUES (%s)", [request.POST["what"]])
    return HttpResponse("<p>It is written down.</p>")


urlpatterns = [*the_site, path("bench/floor/", floor)]
