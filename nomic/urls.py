"""Which address leads to which room."""

from django.urls import include, path

from nomic.operations.monitoring import health, metrics
from nomic.web.accounts import single_sign_on

handler500 = health.server_error

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    # Before allauth's own, which they stand for.
    path("accounts/oidc/<slug:provider_id>/login/", single_sign_on.begin),
    path("accounts/oidc/<slug:provider_id>/login/callback/", single_sign_on.come_back),
    path("accounts/", include("allauth.urls")),
    path("", include("nomic.offices.urls")),
    path("", include("horses.web.urls")),
    path("", include("proposals.web.urls")),
    path("", include("settlers.web.urls")),
    path("", include("aceofspades.web.urls")),
    path("", include("nomic.documents.web.urls")),
    path("", include("nomic.contracts.web.urls")),
    path("", include("nomic.cases.web.urls")),
    path("", include("nomic.web.urls")),
]
