"""The addresses under /api/. An unknown one is told in JSON, too."""

from django.urls import path, re_path

from nomic.pages.api import docs
from nomic.pages.api.answers import nothing_here
from nomic.pages.api.site import api

urlpatterns = [
    path("", nothing_here),
    path("docs", docs.docs, name="api_docs"),
    path("", api.urls),
    re_path(r"^(?P<rest>.*)$", nothing_here),
]
