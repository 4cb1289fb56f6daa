"""Which address leads to which room."""

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from nomic import health

handler500 = health.server_error

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("accounts/", include("allauth.urls")),
]
urlpatterns += [
    path("", include(room))
    for room in ("nomic.offices.urls", "horses.urls", "nomic.pages.urls")
    if find_spec(room)
]
