"""A whole nweek of the 2006 edition: submit, number, vote, cull, pass (Proposals)."""

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal
from tests.kit import WEDNESDAY, Take

NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


def test_a_proposal_opens_at_nday_nine_and_is_decided_when_the_nweek_ends(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    with pytest.raises(Refused, match="Pending"):
        act(rival, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, NDAY_9)
    assert Proposal.objects.get(game=game).status == "Open"
    act(rival, "proposals.vote", proposal=1, choice="for")
    advance(game.slug, THE_END)
    proposal = Proposal.objects.get(game=game)
    assert (proposal.status, proposal.success, proposal.passed) == ("Historical", "Won", True)
    assert (proposal.strength, proposal.stamina) == (1, 1)
    agreed, difference = replay(game)
    assert difference is None
    assert agreed == Game.objects.get(pk=game.pk).last_entry


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["b-nomic-5e33"])
def test_what_depends_on_a_proposal_withdrawn_before_it_had_a_number_is_lost(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    keep = {"duty": "numbers", "keeper": "the officer"}
    act(None, "proposals.keep_by_hand", **keep)
    act(player, "proposals.submit", body="Spoons are nice.")
    act(rival, "proposals.submit", body="Forks are nicer.", dependencies=["p1"])
    act(player, "proposals.withdraw", proposal="p1")
    advance(game.slug, NDAY_9)
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal="p2", choice="FOR")
    advance(game.slug, THE_END)
    lost = Proposal.objects.get(game=game, serial=2)
    assert (lost.success, lost.passed) == ("Lost", False)
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.parametrize("preset", ["b-nomic-5e33"])
def test_what_is_decided_together_is_told_in_the_order_of_its_numbers(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    act(None, "proposals.keep_by_hand", duty="numbers", keeper="the officer")
    for title in ("Spoons", "Forks", "Knives"):
        act(player, "proposals.submit", title=title, body="Nothing.")
    for number, proposal in enumerate(("p3", "p1", "p2"), 1):
        act(officer, "proposals.assign_number", proposal=proposal, number=number)
    advance(game.slug, THE_END)
    closed = game.entries.filter(outcome__has_key="results").latest("seq")
    assert [each["number"] for each in closed.outcome["results"]] == [1, 2, 3]
