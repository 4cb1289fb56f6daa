"""Counting in a queue with a quorum (Proposals, The Emperor)."""

import pytest

from proposals.rules import EDITIONS
from proposals.rules.ballots import Electorate
from proposals.tests.paper import PLAYERS, ballot, named, outcomes, result, tallied

EDITION = "quorum"


def test_protection_money_reached_its_quorum_eight_to_none():
    found = result(EDITION, ballot(1, 8), players=15)
    assert (found.outcome, found.passed) == ("Enacted", True)
    assert found.reasons == ("Reached quorum 8 votes to 0.",)


@pytest.mark.parametrize(
    ("players", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (14, 8), (15, 8), (16, 9)]
)
def test_the_quorum_is_more_than_half_the_active_players(players, needed):
    assert result(EDITION, ballot(1, needed), players=players).outcome == "Enacted"
    assert result(EDITION, ballot(1, needed - 1), players=players).outcome == "Pending"


@pytest.mark.parametrize(
    ("votes_for", "against", "ripe", "outcome", "reason"),
    [
        (2, 1, False, "Pending", "Not decided yet: 2 votes to 1, and the quorum is 4."),
        (1, 3, False, "Pending", "Not decided yet: 1 vote to 3, and the quorum is 4."),
        (
            *(2, 4, False, "Failed"),
            "Failed 2 votes to 4: the quorum of 4 cannot be reached by further votes.",
        ),
        (4, 3, False, "Enacted", "Reached quorum 4 votes to 3."),
        (2, 1, True, "Enacted", "Enacted when its time was over, with 2 votes to 1."),
        (2, 2, True, "Failed", "Timed out 2 votes to 2: it needs more FOR than AGAINST."),
        (1, 0, True, "Failed", "Timed out 1 vote to 0: it needs at least 2 votes that count."),
        (1, 1, True, "Failed", "Timed out 1 vote to 1: it needs more FOR than AGAINST."),
        (0, 0, True, "Failed", "Timed out 0 votes to 0: it needs at least 2 votes that count."),
    ],
)
def test_seven_players_decide(votes_for, against, ripe, outcome, reason):
    found = result(EDITION, ballot(1, votes_for, against, ripe=ripe), players=7)
    assert found.outcome == outcome
    assert found.passed is {"Enacted": True, "Failed": False, "Pending": None}[outcome]
    assert found.reasons == (reason,)


def test_a_proposal_that_is_not_decided_holds_up_all_that_follow():
    found = tallied(
        EDITION, ballot(4, 5), ballot(1, 5), ballot(2, 0, 5), ballot(3, 1), ballot(5, 0, 5)
    )
    assert outcomes(found) == {1: "Enacted", 2: "Failed", 3: "Pending", 4: "Pending", 5: "Pending"}
    assert found.passed_in_order == (1,)
    assert found.results[4].passed is None
    assert found.results[4].reasons == ("Waits for 3, which is older and not decided yet.",)


def test_a_deferential_vote_counts_as_the_emperors_own():
    votes = "Alice DEFERENTIAL, Bob deferential, Carol AGAINST"
    for_it = result(EDITION, named(1, f"{votes}, Eve FOR"), emperor="Eve")
    against_it = result(EDITION, named(1, f"{votes}, Eve AGAINST"), emperor="Eve")
    assert (for_it.votes_for, for_it.votes_against, for_it.outcome) == (3, 1, "Enacted")
    assert (against_it.votes_for, against_it.votes_against) == (0, 4)
    assert "DEFERENTIAL counts as FOR, as Eve votes: Alice and Bob." in for_it.reasons
    assert for_it.figures["counted"]["Alice"] == "FOR"


@pytest.mark.parametrize(
    ("emperor", "votes", "why"),
    [
        ("", "Alice DEFERENTIAL, Bob FOR", "since there is no Emperor"),
        ("Eve", "Alice DEFERENTIAL, Bob FOR", "since the Emperor Eve votes neither FOR nor"),
        ("Eve", "Alice DEFERENTIAL, Bob FOR, Eve DEFERENTIAL", "the Emperor Eve votes neither"),
        ("Zoe", "Alice DEFERENTIAL, Bob FOR, Zoe FOR", "the Emperor Zoe votes neither"),
    ],
)
def test_without_an_emperors_vote_a_deferential_one_is_no_valid_vote(emperor, votes, why):
    found = result(EDITION, named(1, votes, ripe=True), emperor=emperor)
    assert found.outcome == "Failed"
    assert (found.votes_for, found.ballots) == (1, 1)
    assert any(why in reason for reason in found.reasons)


def test_the_emperors_veto_fails_even_what_has_its_quorum():
    votes = "Alice FOR, Bob FOR, Carol FOR, Dave DEFERENTIAL, Eve VETO"
    found = result(EDITION, named(1, votes), emperor="Eve")
    assert (found.outcome, found.passed) == ("Failed", False)
    assert found.reasons[0] == "Vetoed by Eve."


def test_nobody_elses_veto_counts():
    found = result(EDITION, named(1, "Alice FOR, Bob FOR, Carol FOR, Dave VETO"), emperor="Eve")
    assert found.outcome == "Enacted"
    assert "Only the Emperor vetoes, so VETO counts for nothing: Dave." in found.reasons


def test_a_veto_waits_its_turn_in_the_queue():
    found = tallied(EDITION, ballot(1), named(2, "Eve VETO"), emperor="Eve")
    assert outcomes(found) == {1: "Pending", 2: "Pending"}


def test_on_paper_the_quorum_alone_is_enough():
    assert result(EDITION, ballot(1, 3), players=None, quorum=3).outcome == "Enacted"
    assert result(EDITION, ballot(1, 0, 2), players=None, quorum=3).outcome == "Pending"
    assert result(EDITION, ballot(1, 0, 3), players=None, quorum=3).outcome == "Failed"


def test_without_players_and_without_a_quorum_nothing_can_be_counted():
    with pytest.raises(ValueError, match="number of active players"):
        tallied(EDITION, ballot(1), players=None)


def test_the_emperor_vetoes_and_nobody_else_does():
    edition, people = EDITIONS[EDITION], Electorate(PLAYERS, emperor="Eve")
    assert edition.vote_refusal("veto", "Eve", people) is None
    refusal = edition.vote_refusal("VETO", "Alice", people)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("not_the_emperor", "The Emperor")
    assert refusal.sentence == "Only the Emperor vetoes: vote FOR, AGAINST or DEFERENTIAL."


def test_the_emperor_has_nobody_to_defer_to():
    edition, people = EDITIONS[EDITION], Electorate(PLAYERS, emperor="Eve")
    assert edition.vote_refusal("DEFERENTIAL", "Alice", people) is None
    refusal = edition.vote_refusal("DEFERENTIAL", "Eve", people)
    assert refusal is not None
    assert refusal.sentence.endswith("vote FOR, AGAINST or VETO.")
