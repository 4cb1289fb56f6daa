"""Counting under B Nomic's Refresh Prop (Proposals)."""

import pytest

from proposals.tests.paper import ballot, named, outcomes, result, tallied

EDITION = "refresh-2006"


@pytest.mark.parametrize(
    ("votes_for", "against", "outcome", "reason"),
    [
        (3, 1, "Won", "Won: its Strength is 2, with 3 FOR and 1 AGAINST."),
        (1, 0, "Won", "Won: its Strength is 1, with 1 FOR and 0 AGAINST."),
        (2, 2, "Lost", "Lost: its Strength is 0, with 2 FOR and 2 AGAINST."),
        (0, 0, "Lost", "Lost: its Strength is 0, with 0 FOR and 0 AGAINST."),
        (1, 3, "Lost", "Lost: its Strength is −2, with 1 FOR and 3 AGAINST."),
    ],
)
def test_positive_strength_wins_and_nothing_else_does(votes_for, against, outcome, reason):
    found = result(EDITION, ballot(1, votes_for, against))
    assert (found.outcome, found.passed) == (outcome, outcome == "Won")
    assert found.reasons == (reason,)
    assert found.strength == votes_for - against
    assert found.stamina == votes_for + against


def test_abstaining_is_a_ballot_and_changes_no_strength():
    found = result(EDITION, named(1, "Alice FOR, Bob ABSTAIN, Carol abstain"))
    assert (found.strength, found.present, found.ballots) == (1, 2, 3)
    assert found.figures["counted"] == {"Alice": "FOR", "Bob": "ABSTAIN", "Carol": "ABSTAIN"}


def test_a_proposal_is_lost_with_one_that_it_depends_on():
    found = tallied(EDITION, ballot(1, 0, 1), ballot(2, 5, dependencies=[1]))
    assert outcomes(found) == {1: "Lost", 2: "Lost"}
    assert found.results[2].reasons == ("Lost: depends on 1, which is Lost.",)


def test_a_proposal_of_strength_zero_drags_down_what_depends_on_it():
    found = tallied(EDITION, ballot(1, 2, 2), ballot(2, 5, dependencies=[1]))
    assert outcomes(found) == {1: "Lost", 2: "Lost"}


def test_dependencies_are_followed_against_the_order_of_numbers():
    """One pass in ascending order would find only the last of them."""
    chain = [ballot(number, 5, dependencies=[number + 1]) for number in range(1, 9)]
    found = tallied(EDITION, *chain, ballot(9, 0, 1))
    assert set(outcomes(found).values()) == {"Lost"}
    assert found.results[1].reasons == ("Lost: depends on 2, which is Lost.",)


def test_two_won_proposals_that_need_each_other_both_pass():
    found = tallied(EDITION, ballot(1, 2, dependencies=[2]), ballot(2, 1, dependencies=[1]))
    assert found.passed_in_order == (1, 2)


def test_a_circle_falls_as_a_whole():
    found = tallied(
        EDITION,
        ballot(1, 2, dependencies=[2]),
        ballot(2, 2, dependencies=[3]),
        ballot(3, 2, dependencies=[1, 4]),
        ballot(4, 0, 1),
    )
    assert found.passed_in_order == ()


@pytest.mark.parametrize("lister", [1, 2])
def test_the_stronger_of_two_wins_the_conflict_whoever_lists_it(lister):
    lists = {lister: [3 - lister]}
    found = tallied(
        EDITION,
        ballot(1, 2, conflicts=lists.get(1, [])),
        ballot(2, 3, conflicts=lists.get(2, [])),
    )
    assert outcomes(found) == {1: "Lost", 2: "Won"}
    assert found.results[1].reasons == ("Lost: conflicts with 2, which has Strength 3 against 2.",)
    assert found.results[1].figures == {"cull": "conflict", "by": 2}


def test_at_equal_strength_the_higher_number_wins_the_conflict():
    found = tallied(EDITION, ballot(1, 2, conflicts=[2]), ballot(2, 2))
    assert outcomes(found) == {1: "Lost", 2: "Won"}
    assert found.results[1].reasons == (
        "Lost: conflicts with 2, which has the same Strength 2 and the higher number.",
    )


def test_what_has_lost_a_conflict_beats_nobody_any_more():
    found = tallied(EDITION, ballot(1, 1, conflicts=[2]), ballot(2, 2, conflicts=[3]), ballot(3, 3))
    assert outcomes(found) == {1: "Won", 2: "Lost", 3: "Won"}


def test_a_strong_proposal_that_depends_on_a_lost_one_takes_no_rival_with_it():
    """The case for which the Refresh Prop culls dependencies before conflicts, too."""
    found = tallied(
        EDITION, ballot(1, 9, conflicts=[2], dependencies=[3]), ballot(2, 1), ballot(3, 0, 1)
    )
    assert found.passed_in_order == (2,)


def test_what_depends_on_the_loser_of_a_conflict_falls_and_frees_nobody():
    found = tallied(
        EDITION,
        ballot(1, 5, conflicts=[2]),
        ballot(2, 4),
        ballot(3, 6, conflicts=[4], dependencies=[2]),
        ballot(4, 1),
    )
    assert outcomes(found) == {1: "Won", 2: "Lost", 3: "Lost", 4: "Lost"}
    assert found.results[3].reasons == ("Lost: depends on 2, which is Lost.",)
    assert found.results[4].reasons == ("Lost: conflicts with 3, which has Strength 6 against 1.",)


def test_a_historical_lost_proposal_still_drags_down_what_depends_on_it():
    found = tallied(EDITION, ballot(1, status="Lost"), ballot(2, 3, dependencies=[1]))
    assert outcomes(found) == {2: "Lost"}


def test_a_historical_proposal_beats_nobody_and_is_beaten_by_nobody():
    found = tallied(
        EDITION,
        ballot(1, 9, status="Won", conflicts=[2]),
        ballot(2, 3),
        ballot(3, 1, dependencies=[1]),
    )
    assert outcomes(found) == {2: "Won", 3: "Won"}


def test_what_passes_does_so_in_order_of_number():
    found = tallied(EDITION, ballot(12, 1), ballot(3, 1), ballot(7, 9))
    assert found.passed_in_order == (3, 7, 12)
    assert list(found.results) == [3, 7, 12]


def test_a_link_to_nothing_that_is_known_has_no_effect():
    found = tallied(EDITION, ballot(1, 1, conflicts=[77], dependencies=[78]))
    assert found.passed_in_order == (1,)
