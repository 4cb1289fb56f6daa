"""The addresses of the cases' pages."""

from django.urls import path, reverse

from nomic.cases.web import views
from nomic.web.hosting.talk import topic

_ALL = "g/<slug:slug>/cases/"

urlpatterns = [
    path(_ALL, views.cases, name="cases"),
    path(f"{_ALL}<int:number>/", views.case, name="case"),
]

topic("case", lambda slug, number: reverse("case", args=[slug, number]), views.is_case)
