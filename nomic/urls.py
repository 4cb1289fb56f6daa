"""Which address leads to which room."""

from django.urls import include, path

from nomic import health

handler500 = health.server_error

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("accounts/", include("allauth.urls")),
    path("", include("nomic.offices.urls")),
    path("", include("horses.urls")),
    path("", include("proposals.urls")),
    path("", include("settlers.urls")),
    path("", include("aceofspades.urls")),
    path("", include("nomic.pages.urls")),
]
