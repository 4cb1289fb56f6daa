"""Amendments whose passage stands twice or nowhere: known before the vote, an errand after it."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Errand, Proposal
from tests.kit import WEDNESDAY, Take

BODY = (
    "In the rule “Voting”, replace the text “{old}” with “Never.”\n\n"
    "Enact a new rule titled “Silver Spoons” and the following text: {{ Spoons are silver. }}"
)


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


@pytest.mark.parametrize(
    ("old", "why"), [("the Open Moon", "nowhere|not|no "), ("until", "twice|times|more than once")]
)
def test_what_cannot_be_placed_is_told_before_the_vote_and_left_to_the_officer_after_it(
    game: Game, player: Player, act: Take, old: str, why: str
) -> None:
    before = game.rules.get(title="Voting").text
    act(player, "proposals.submit", body=BODY.format(old=old))
    told = json.loads(Client().get("/api/v1/games/table/proposals/1").content)
    first, second = told["preview"]["changes"]
    assert (first["done"], second["done"]) == (False, True), told
    assert any(words in first["sentence"] for words in why.split("|")), first
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    act(player, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=12))
    assert Proposal.objects.get().passed
    assert game.rules.get(title="Voting", repealed_in=None).text == before
    assert game.rules.filter(title="Silver Spoons").exists()
    errand = Errand.objects.get()
    assert old in errand.sentence
    assert any(words in errand.why for words in why.split("|"))
    assert replay(Game.objects.get(pk=game.pk))[1] is None
