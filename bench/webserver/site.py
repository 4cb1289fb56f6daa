"""A site with one view, for `bench.webserver`: what every action of ours does at the least."""

import os

import django
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nomic.settings")
settings.ROOT_URLCONF = "bench.webserver.site"


@login_required
def floor(request: HttpRequest) -> HttpResponse:
    """Session and CSRF checked by the usual middleware; one row locked, one inserted."""
    if request.method == "POST":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT n FROM bench_row WHERE id = %s FOR UPDATE", [1 + os.getpid() % 9]
            )
            cursor.execute("INSERT INTO bench_act (what) VALUES (%s)", [request.POST["what"]])
    return HttpResponse(b"<p>" + b"Alexia runs. " * 300 + b"</p>")


def up(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"up")


urlpatterns = [path("floor/", floor), path("up/", up)]

if __name__ != "__main__":
    django.setup()
    application = get_wsgi_application()
