"""The site's addresses and two more: the least that a view can do which changes a game.

It passes the same middleware, checks session and CSRF, locks one row and inserts one. The second
sends all statements of a real bet as well, as plain SQL, and does nothing else of what a bet does.
"""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any, cast

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
        cursor.execute("CREATE TABLE bench_said (id serial PRIMARY KEY, said bytea NOT NULL)")


def keep(said: list[tuple[str, Any]]) -> None:
    """Let the second view send these statements, each with its values."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO bench_said (said) VALUES (%s)", [pickle.dumps(said)])


@cache
def _said() -> list[tuple[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT said FROM bench_said ORDER BY id DESC LIMIT 1")
        return cast(list[tuple[str, Any]], pickle.loads(cursor.fetchone()[0]))  # noqa: S301 (ours)


@require_POST
@login_required
def statements(request: HttpRequest) -> HttpResponse:
    """Send what was kept, undo it, and write down what was said: the next request may send it
    again. What is checked at the end of a transaction is checked before that."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SAVEPOINT bet")
        for sql, values in _said():
            cursor.execute(sql, values)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ROLLBACK TO SAVEPOINT bet")
        cursor.execute("INSERT INTO bench_act (what) VALUES (%s)", [request.POST["what"]])
    return HttpResponse("<p>It is written down.</p>")


@require_POST
@login_required
def floor(request: HttpRequest) -> HttpResponse:
    """Lock the row that is named and write down what was said."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        row = int(request.POST["row"]) % ROWS
        cursor.execute("SELECT n FROM bench_row WHERE id = %s FOR NO KEY UPDATE", [row])
        cursor.execute("INSERT INTO bench_act (what) VALUES (%s)", [request.POST["what"]])
    return HttpResponse("<p>It is written down.</p>")


urlpatterns = [
    *the_site,
    path("bench/floor/", floor),
    path("bench/statements/", statements),
]
