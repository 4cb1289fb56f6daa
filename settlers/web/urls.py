"""The addresses of the isle's pages, and its panel on a game's home."""

from django.urls import path

from nomic.web.api.subgames import adds_to_api
from nomic.web.panels import register_highlights, register_home_panel
from settlers.web import for_programs, views
from settlers.web.built import who_built

urlpatterns = [
    path("g/<slug:slug>/settlers/", views.settlers, name="settlers"),
    path("g/<slug:slug>/settlers/harvest/", views.harvest_preview, name="settlers_harvest"),
    path("g/<slug:slug>/settlers/bribe/", views.bribe_preview, name="settlers_bribe"),
    path("g/<slug:slug>/settlers/private/", views.private, name="settlers_private"),
    path("g/<slug:slug>/settlers/visits/<int:number>/", views.visit, name="settlers_visit"),
]

register_home_panel("settlers", "settlers/_panel.html", views.panel, shared="settlers/_share.svg")
register_highlights("settlers", "Who built most on the isle", who_built)

adds_to_api(for_programs.router)
