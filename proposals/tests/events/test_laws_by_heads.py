"""Games that vote by a majority or by consent, from the submission to the report."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.state.results import results_of
from proposals.tests.site import Site
from proposals.web.results import text_of
from tests.kit import WEDNESDAY

SPOONS = "Enact a new rule titled “Spoons” and the following text: { Nice. }"
VOTERS = ("Ann", "Bob", "Cy")


@pytest.mark.parametrize(
    ("law", "cast", "reason"),
    [
        ("majority", ("FOR", "FOR", "AGAINST"), "Adopted with 2 votes to 1."),
        ("consent", ("FOR", "ABSTAIN", "ABSTAIN"), "Adopted: nobody objects to it."),
    ],
)
def test_a_proposal_is_voted_on_by_the_law_and_takes_effect(
    db: None, client: Client, law: str, cast: tuple[str, ...], reason: str
):
    game, _ = new_game("table", "nomic", law=law, pace="manual", start=WEDNESDAY)
    site = Site(game, *VOTERS)
    proposal = site.propose("Ann", SPOONS, title="Spoons")
    site.vote(proposal, dict(zip(VOTERS, cast, strict=True)))
    for page in ("proposals", "proposal_new", "rules"):
        assert client.get(reverse(page, args=[game.slug]), follow=True).status_code == 200
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    decided = site.fresh(proposal)
    assert (decided.passed, decided.reasons) == (True, [reason])
    assert site.text("Spoons") == "Nice.\n"
    assert reason in text_of(results_of(game, decided.closed_in))
    told = client.get(f"/api/v1/games/{game.slug}/proposals").json()
    assert [(each["outcome"], "index" in each) for each in told] == [("adopted", False)]
    now = Game.objects.get(pk=game.pk)
    assert [finding for finding in audit(now) if finding.wrong] == []
    assert replay(now)[1] is None
