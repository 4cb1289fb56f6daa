"""Counting only what links bind together comes to what counting everything comes to."""

from datetime import timedelta
from random import Random

import pytest

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.api import bound_together, running_results
from proposals.models import Link, Proposal, Vote
from proposals.state.reading import state_of
from proposals.web.proposal import running_result
from tests.kit import WEDNESDAY, Take, seat

NDAY_9 = WEDNESDAY + timedelta(days=8)
COUNT = 40


@pytest.fixture(params=["b-nomic-2006", "b-nomic-5e33", "blognomic"])
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def ballot(game: Game, player: Player, rival: Player, act: Take) -> list[Proposal]:
    """Forty Open proposals with links and votes at random."""
    chance = Random(game.edition)
    voters = [player, rival, *(seat(game, name) for name in ("snail", "G.", "Jason"))]
    for number in range(COUNT):
        act(player, "proposals.submit", title=f"Spoon {number}", body="x")
    if game.edition != "quorum":
        advance(game.slug, NDAY_9)
    found = list(Proposal.objects.order_by("serial"))
    Link.objects.bulk_create(
        (
            Link(proposal=one, other=other, kind=chance.choice(("conflict", "dependency")))
            for one, other in (chance.sample(found, 2) for _ in range(COUNT // 2))
        ),
        ignore_conflicts=True,
    )
    Vote.objects.bulk_create(
        Vote(proposal=each, player=voter, word=word, at=NDAY_9, entry=each.submitted_in)
        for each in found
        for voter in voters
        if (word := chance.choice(("FOR", "FOR", "AGAINST", "")))
    )
    return found


@pytest.mark.thorough
def test_each_proposal_stands_as_it_would_among_all(game: Game, ballot: list[Proposal]) -> None:
    state = state_of(glance(Game.objects.get(pk=game.pk)))
    among_all = running_results(state, ballot)
    assert len({result.outcome for result in among_all.values()}) > 1 or game.edition == "quorum"
    for each in ballot:
        assert running_result(state, each) == among_all[each.pk]


def test_the_first_so_many_come_with_those_bound_to_them_alone(
    game: Game, ballot: list[Proposal]
) -> None:
    Link.objects.all().delete()
    Link.objects.create(proposal=ballot[1], other=ballot[30], kind="conflict")
    Link.objects.create(proposal=ballot[31], other=ballot[30], kind="dependency")
    Link.objects.create(proposal=ballot[20], other=ballot[21], kind="conflict")
    Proposal.objects.filter(pk=ballot[2].pk).update(
        status="Historical", success="Lost", closed_in=ballot[2].submitted_in
    )
    Link.objects.create(proposal=ballot[0], other=ballot[2], kind="dependency")
    Link.objects.create(proposal=ballot[2], other=ballot[25], kind="dependency")
    found = Proposal.objects.filter(pk__in=bound_together(game, 3)).order_by("serial")
    assert [each.serial for each in found] == [1, 2, 4, 31, 32]
