"""Votes of seven days, each proposal's own, under an adoption index (Proposals, Voting)."""

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal
from tests.kit import WEDNESDAY, Take, seat


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def test_a_proposal_is_open_from_its_submission_and_decided_after_seven_days(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    seat(game, "juan")
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.", index=1.5)
    assert Proposal.objects.get(game=game).status == "Open"
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    act(player, "proposals.vote", proposal=1, choice="ENDORSE Madrid")
    act(game.players.get(name="juan"), "proposals.vote", proposal=1, choice="PRESENT")
    with pytest.raises(Refused, match="FOR, AGAINST"):
        act(rival, "proposals.vote", proposal=1, choice="ABSTAIN")
    advance(game.slug, WEDNESDAY + timedelta(days=7))
    proposal = Proposal.objects.get(game=game)
    assert (proposal.status, proposal.outcome, proposal.passed) == ("Historical", "ADOPTED", True)
    assert proposal.figures["popularity"] == pytest.approx(0.667)
    assert replay(game)[1] is None
