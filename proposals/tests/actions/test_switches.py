"""A passed proposal sets who is Vested (Vested Players), and how strong a vote is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Errand, Proposal
from proposals.tests.site import Site
from tests.kit import WEDNESDAY


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def passed(site: Site, body: str, days: int) -> Proposal:
    """The proposal that all three adopt."""
    proposal = site.propose("Murphy", body)
    if proposal.status == "Pending":
        advance(site.game.slug, WEDNESDAY + timedelta(days=8))
    site.vote(proposal, dict.fromkeys(("Murphy", "Madrid", "juan"), "FOR"))
    advance(site.game.slug, WEDNESDAY + timedelta(days=days))
    return site.fresh(proposal)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora-proposals"], indirect=True)
def test_the_next_vote_is_counted_by_the_strength_that_was_voted(game: Game) -> None:
    site = Site(game, "Murphy", "Madrid", "juan")
    assert passed(site, "Set Madrid's voting strength to 9.", 7).passed
    following = site.propose("Murphy", "Nothing.")
    site.vote(following, {"Murphy": "FOR", "juan": "FOR", "Madrid": "AGAINST"})
    advance(game.slug, WEDNESDAY + timedelta(days=14))
    following = site.fresh(following)
    assert (following.outcome, following.figures["against_strength"]) == ("REJECTED", 9)
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.parametrize("preset", ["agora-proposals"], indirect=True)
@pytest.mark.parametrize("strength", ["16", "many", "-1"])
def test_a_strength_that_no_vote_can_have_is_left_to_the_officer(game: Game, strength: str) -> None:
    site = Site(game, "Murphy", "Madrid", "juan")
    passed(site, f"Set Madrid's voting strength to {strength}.", 7)
    assert f"from 0 to 15, and not “{strength}”" in Errand.objects.get().why


@pytest.mark.parametrize("preset", ["b-nomic-5e33"], indirect=True)
def test_who_is_vested_can_be_voted(game: Game) -> None:
    site = Site(game, "Murphy", "Madrid", "juan")
    proposals = [
        site.propose("Murphy", f"Set {whose} Vested to {value}.")
        for whose, value in (("juan's", "off"), ("Madrid's", "maybe"))
    ]
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    for each in proposals:
        site.vote(each, {"Murphy": "FOR", "Madrid": "FOR"})
    advance(game.slug, WEDNESDAY + timedelta(days=12))
    (done,), (left,) = (site.fresh(each).effects for each in proposals)
    assert done["sentence"] == "juan's Vested is set from on to off."
    assert "on or off, and not “maybe”" in left["sentence"]
    assert not Player.objects.get(game=game, name="juan").vested


@pytest.mark.parametrize("preset", ["b-nomic-2006"], indirect=True)
def test_an_edition_without_a_switch_leaves_it_to_the_officer(game: Game) -> None:
    site = Site(game, "Murphy", "Madrid", "juan")
    passed(site, "Set Madrid's Vested switch to off.", 12)
    assert "Nothing in this game has a switch “Vested” now" in Errand.objects.get().why
