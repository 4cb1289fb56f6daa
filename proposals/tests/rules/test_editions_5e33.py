"""Counting under B Nomic's Rule 5E33 (Proposals, Voting, Vested Players)."""

import pytest

from proposals.tests.paper import ballot, named, outcomes, result, tallied

EDITION = "rule-5e33"


@pytest.mark.parametrize(
    ("vested", "votes_for", "against", "outcome"),
    [
        (6, 3, 0, "Won"),
        (6, 2, 0, "Discarded"),
        (5, 2, 0, "Discarded"),
        (5, 3, 0, "Won"),
        (6, 2, 1, "Won"),
        (6, 0, 2, "Discarded"),
        (6, 1, 2, "Lost"),
        (1, 0, 0, "Discarded"),
        (0, 0, 0, "Undecided"),
        (4, 2, 2, "Undecided"),
    ],
)
def test_stamina_is_asked_first_and_then_strength(vested, votes_for, against, outcome):
    found = result(EDITION, ballot(1, votes_for, against), vested=vested)
    assert (found.outcome, found.passed) == (outcome, outcome == "Won")


def test_the_reasons_tell_stamina_and_strength():
    few = result(EDITION, ballot(1, 1, 1), vested=6)
    even = result(EDITION, ballot(1, 3, 3), vested=6)
    assert few.reasons == (
        "Discarded: its Stamina of 2 is less than one half of the 6 Vested players.",
    )
    assert even.reasons == (
        "Fails: its Strength is 0, with 3 FOR and 3 AGAINST, so it is not Won.",
    )


def test_vested_players_may_be_given_by_name():
    assert result(EDITION, ballot(1, 1), vested=frozenset({"Alice"})).outcome == "Won"
    assert result(EDITION, ballot(1, 1), vested=frozenset({"A", "B", "C"})).outcome == "Discarded"


def test_a_vote_counts_without_being_vested():
    assert result(EDITION, named(1, "Eve FOR"), vested=frozenset({"Alice"})).outcome == "Won"


def test_at_equal_strength_the_lower_number_wins_the_conflict():
    found = tallied(EDITION, ballot(1, 2, conflicts=[2]), ballot(2, 2))
    assert outcomes(found) == {1: "Won", 2: "Lost"}
    assert found.results[2].reasons == (
        "Lost: conflicts with 1, which has the same Strength 2 and the lower number.",
    )


@pytest.mark.parametrize("lister", [1, 2])
def test_lower_strength_loses_the_conflict_whoever_lists_it(lister):
    lists = {lister: [3 - lister]}
    found = tallied(
        EDITION,
        ballot(1, 2, conflicts=lists.get(1, [])),
        ballot(2, 3, conflicts=lists.get(2, [])),
    )
    assert outcomes(found) == {1: "Lost", 2: "Won"}
    assert found.results[1].reasons == ("Lost: conflicts with 2, which has Strength 3 against 2.",)


def test_the_reason_names_the_best_of_those_that_beat_it():
    found = tallied(
        EDITION, ballot(1, 1, conflicts=[2, 3, 4]), ballot(2, 2), ballot(3, 5), ballot(4, 5)
    )
    assert found.results[1].figures["by"] == 3


def test_a_proposal_loses_also_to_one_that_is_lost_itself():
    chain = ballot(1, 1, conflicts=[2]), ballot(2, 2, conflicts=[3]), ballot(3, 3)
    assert outcomes(tallied(EDITION, *chain)) == {1: "Lost", 2: "Lost", 3: "Won"}


def test_a_proposal_loses_also_to_one_that_is_discarded():
    found = tallied(EDITION, ballot(1, 3, 2, conflicts=[2]), ballot(2, 2), vested=6)
    assert outcomes(found) == {1: "Lost", 2: "Discarded"}


def test_a_discarded_proposal_stays_so_and_harms_nobody_who_depends_on_it():
    found = tallied(
        EDITION,
        ballot(1, 0, 1, dependencies=[4]),
        ballot(2, 3, dependencies=[1]),
        ballot(3, 4),
        ballot(4, 0, 4),
        vested=5,
    )
    assert outcomes(found) == {1: "Discarded", 2: "Won", 3: "Won", 4: "Lost"}


def test_a_strength_of_zero_harms_nobody_until_it_is_lost():
    alone = tallied(EDITION, ballot(1, 1, 1), ballot(2, 3, dependencies=[1]))
    beaten = tallied(
        EDITION, ballot(1, 1, 1, conflicts=[3]), ballot(2, 3, dependencies=[1]), ballot(3, 1)
    )
    assert outcomes(alone) == {1: "Undecided", 2: "Won"}
    assert outcomes(beaten) == {1: "Lost", 2: "Lost", 3: "Won"}


def test_depending_on_a_lost_one_is_followed_to_its_end_after_conflicts_too():
    found = tallied(
        EDITION,
        ballot(1, 9, dependencies=[2]),
        ballot(2, 9, dependencies=[3]),
        ballot(3, 1, conflicts=[4]),
        ballot(4, 2),
    )
    assert found.passed_in_order == (4,)
    assert found.results[1].reasons == ("Lost: depends on 2, which is Lost.",)


def test_a_circle_of_won_proposals_passes():
    found = tallied(EDITION, ballot(1, 2, dependencies=[2]), ballot(2, 2, dependencies=[1]))
    assert found.passed_in_order == (1, 2)


def test_a_proposal_of_an_earlier_period_beats_nobody_but_drags_down():
    found = tallied(
        EDITION,
        ballot(1, 9, status="Lost", conflicts=[2]),
        ballot(2, 1),
        ballot(3, 1, dependencies=[1]),
    )
    assert outcomes(found) == {2: "Won", 3: "Lost"}
