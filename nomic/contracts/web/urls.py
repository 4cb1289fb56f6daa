"""The addresses of the contracts' pages."""

from django.urls import path, reverse

from nomic.contracts.web import compose, for_programs, views
from nomic.web.api.subgames import adds_to_api
from nomic.web.hosting.talk import topic

_ALL = "g/<slug:slug>/contracts/"

urlpatterns = [
    path(_ALL, views.contracts, name="contracts"),
    path(f"{_ALL}new/", compose.contract_new, name="contract_new"),
    path(f"{_ALL}preview/", compose.contract_preview, name="contract_preview"),
    path(f"{_ALL}<int:number>/", views.contract, name="contract"),
    path(f"{_ALL}<int:number>/change/", compose.contract_change, name="contract_change"),
]

topic("contract", lambda slug, number: reverse("contract", args=[slug, number]), views.is_contract)

adds_to_api(for_programs.router)
