"""The addresses of the proposals' pages, and their panel on a game's home."""

from django.urls import path

from nomic.web.api.subgames import adds_to_api
from nomic.web.moments import register_moment
from nomic.web.panels import register_highlights, register_home_panel
from proposals.web import (
    compose,
    for_programs,
    laws,
    letters,
    lists,
    proposal,
    results,
    spots,
    what_if,
)
from proposals.web.home import closest_votes, panel

_ALL = "g/<slug:slug>/proposals/"
_ONE = "g/<slug:slug>/proposals/<str:handle>/"

urlpatterns = [
    path(_ALL, lists.proposals, name="proposals"),
    path(f"{_ALL}new/", compose.proposal_new, name="proposal_new"),
    path(f"{_ALL}figures/", spots.proposal_figures, name="proposal_figures"),
    path(f"{_ALL}preview/", compose.proposal_preview, name="proposal_preview"),
    path(
        f"{_ALL}spot/<int:rule>/<int:version>/<slug:kind>/<int:start>/",
        spots.proposal_spot,
        name="proposal_spot",
    ),
    path(f"{_ALL}drafts/", compose.proposal_drafts, name="proposal_drafts"),
    path(f"{_ALL}drafts/<int:number>/", compose.proposal_draft, name="proposal_draft"),
    path(
        f"{_ALL}drafts/<int:number>/delete/",
        compose.proposal_draft_delete,
        name="proposal_draft_delete",
    ),
    path(f"{_ALL}results/<int:seq>/", results.results, name="proposal_results"),
    path(f"{_ONE}revise/", compose.proposal_revise, name="proposal_revise"),
    path(f"{_ONE}changes/", compose.proposal_changes, name="proposal_changes"),
    path(f"{_ONE}what-if/", what_if.what_if, name="proposal_what_if"),
    path(_ONE, proposal.proposal, name="proposal"),
    path("ballot/<str:token>/", letters.ballot, name="ballot"),
]

adds_to_api(for_programs.router)
register_home_panel("proposals", "proposals/_panel.html", panel)
register_moment("proposals", "proposals/_law.html", laws.newly_held)
register_moment("proposals", "proposals/_failed.html", laws.newly_failed)
register_highlights("proposals", "The closest votes", closest_votes)
