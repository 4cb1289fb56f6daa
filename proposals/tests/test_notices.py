"""What players are told of a result, wherever they chose to be told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.notices import concerns
from tests.kit import WEDNESDAY, Take


@pytest.fixture
def preset() -> str:
    return "agora"


def test_the_notice_of_a_vote_that_failed_says_why(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body="[Nothing.]")
    for voter in (player, rival):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(days=14))
    game.refresh_from_db()
    entry = game.entries.get(name="proposals.voting_closes")
    (told,) = [each.text for each in concerns(glance(game), entry) if "Decided" in each.text]
    assert told == "Decided: Proposal 1 “Spoons” did not pass (failed quorum: 2 of 3 ballots)."
