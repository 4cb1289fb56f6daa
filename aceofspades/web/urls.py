"""The addresses of the contest's pages, and its panel on a game's home."""

from django.urls import path

from aceofspades.web import compose, disclosed, for_programs, views
from aceofspades.web.waiting import newly_reckoned, panel
from nomic.web.api.subgames import adds_to_api
from nomic.web.moments import register_moment
from nomic.web.panels import register_home_panel

_ALL = "g/<slug:slug>/aceofspades/"

urlpatterns = [
    path(_ALL, views.aceofspades, name="aceofspades"),
    path(f"{_ALL}private/", views.private, name="aceofspades_private"),
    path(f"{_ALL}propose/", compose.propose, name="aceofspades_propose"),
    path(f"{_ALL}propose/trial/", compose.trial, name="aceofspades_trial"),
    path(f"{_ALL}regulations/<int:number>/", views.regulation, name="aceofspades_regulation"),
    path(f"{_ALL}proposals/<int:number>/", views.proposal, name="aceofspades_proposal"),
    path(f"{_ALL}all/<slug:listing>/", views.whole_list, name="aceofspades_list"),
    path(f"{_ALL}hands/<int:turn>/", views.marked_hand, name="aceofspades_hand"),
    path(f"{_ALL}proof/", disclosed.proof, name="aceofspades_proof"),
]

register_moment("aceofspades", "aceofspades/_moment.html", newly_reckoned)
register_home_panel(
    "aceofspades", "aceofspades/_panel.html", panel, shared="aceofspades/_share.svg"
)

adds_to_api(for_programs.router)
