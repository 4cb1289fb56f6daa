"""The queue of proposals: the oldest is resolved, at quorum or after two days (Proposals)."""

from datetime import timedelta

import pytest

from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.events.closing import move_the_queue
from proposals.models import Errand, Proposal
from proposals.state.reading import state_of
from tests.kit import WEDNESDAY, Take, at_the_table, seat


@pytest.fixture
def preset() -> str:
    return "blognomic"


@pytest.mark.thorough
def test_the_oldest_is_enacted_at_quorum_and_lets_the_next_one_follow(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    third = seat(game, "juan")
    act(player, "proposals.submit", body="Spoons are nice.")
    act(rival, "proposals.submit", body="Forks are nicer.")
    for voter in (player, rival):
        act(voter, "proposals.vote", proposal=2, choice="FOR")
    assert [each.status for each in Proposal.objects.filter(game=game)] == ["Open", "Open"]
    act(player, "proposals.vote", proposal=1, choice="FOR")
    receipt = act(third, "proposals.vote", proposal=1, choice="FOR")
    assert "Reached quorum 2 votes to 0" in receipt.entry.text
    assert [each.passed for each in Proposal.objects.filter(game=game)] == [True, True]
    assert replay(game)[1] is None


@pytest.mark.thorough
def test_after_two_days_more_for_than_against_is_enough(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    for name in ("juan", "Jason", "ais523"):
        seat(game, name)
    act(player, "proposals.submit", body="Spoons are nice.")
    for voter in (player, rival):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + timedelta(hours=47))
    assert Proposal.objects.get(game=game).passed is None
    advance(game.slug, WEDNESDAY + timedelta(hours=48))
    assert Proposal.objects.get(game=game).passed is True
    assert replay(game)[1] is None


def test_the_queue_moves_by_what_is_so_now_whatever_was_read_before(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Spoons are nice.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    with at_the_table(game) as table:
        assert [each.passed for each in state_of(table).open] == [None]
        Proposal.objects.filter(game=game).update(closes_at=table.now)
        move_the_queue(table)
    assert Proposal.objects.get(game=game).status == "Historical"


def test_a_body_that_cannot_be_read_any_more_is_left_to_the_officer_as_a_whole(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    act(player, "proposals.submit", body="Give Murphy 5 points.")
    Proposal.objects.update(body="Give { Murphy 5 points.")
    for voter in (player, rival):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    errand = Errand.objects.get()
    assert (errand.sentence, errand.done_in) == ("Give { Murphy 5 points.", None)
    assert "Line 1, column 6" in errand.why
    assert Proposal.objects.get(game=game).passed


def test_the_emperor_vetoes_and_has_none_of_an_officers_acts(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    act(player, "games.take_office", office="Emperor")
    with pytest.raises(Refused, match="Only an officer"):
        act(player, "games.pause", reason="because I can")
    act(rival, "proposals.submit", body="Spoons are nice.")
    with pytest.raises(Refused, match="FOR, AGAINST or DEFERENTIAL"):
        act(rival, "proposals.vote", proposal=1, choice="VETO")
    act(player, "proposals.vote", proposal=1, choice="VETO")
    assert Proposal.objects.get(game=game).outcome == "Failed"
