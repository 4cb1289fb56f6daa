"""Counting by voting strengths under an adoption index (Proposals, Voting)."""

import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate
from proposals.rules.each_votes import shown_index
from proposals.tests.paper import PLAYERS, ballot, named, result, tallied

EDITION = "adoption-index"
SOURCE = Path(__file__).parents[4] / "shared/seeds/000_2917269998bf30e8.txt"

OUR_TWIN = """PROPOSAL 31 (Four against two)
FOR (4): Ann, Ben, cee, dot
AGAINST (2): Eli, fay1
PRESENT (0):
BALLOTS: 6
AI (F/A): 12/6 (AI=1.0)
POPULARITY: 0.333
OUTCOME: ADOPTED
"""


def header(text: str) -> tuple[Ballot, dict[str, str]]:
    """The ballot that the lines above a proposal tell, and the lines by their first word."""
    lines = dict(re.findall(r"^([A-Z]+)[^:\n]*: ?(.*)$", text, re.MULTILINE))
    votes = {
        name.strip(): word
        for word in ("FOR", "AGAINST", "PRESENT")
        for name in lines[word].split(",")
        if name.strip()
    }
    [index] = re.findall(r"AI=([0-9.]+)", text)
    [number] = re.findall(r"^PROPOSAL (\d+)", text)
    return Ballot(int(number), votes, index=Decimal(index)), lines


def check_header(text: str) -> None:
    """That the tally says what the header does."""
    given, lines = header(text)
    found = result(EDITION, given, players=frozenset(given.votes))
    assert (found.votes_for, found.votes_against) == (4, 2)
    assert found.popularity == Fraction(1, 3)
    assert found.reasons == ("Adopted: F/A is 12/6 and the adoption index 1.0.",)
    assert lines["AI"] == f"{found.figures['ratio']} (AI={found.figures['adoption_index']})"
    assert lines["BALLOTS"] == str(found.ballots)
    assert lines["POPULARITY"] == f"{float(found.popularity):.3f}"
    assert lines["OUTCOME"] == found.outcome == "ADOPTED"
    assert found.passed is True


def test_four_against_two_give_twelve_to_six_and_a_third():
    check_header(OUR_TWIN)


def test_the_vote_on_proposal_8822_gives_what_stands_above_it():
    if not SOURCE.exists():
        pytest.skip("the source document is not beside this repository")
    check_header(SOURCE.read_text())


@pytest.mark.parametrize(
    ("votes_for", "against", "index", "adopted"),
    [
        (2, 1, "1.0", True),
        (2, 2, "1.0", False),
        (2, 2, "0.5", False),
        (4, 2, "2.0", True),
        (4, 2, "2.1", False),
        (11, 10, "1.1", True),
        (11, 10, "1.10000001", False),
        (3, 0, "9.9", True),
        (10**15 + 1, 10**15, "1.0", True),
    ],
)
def test_the_ratio_has_to_reach_the_index_and_be_more_than_one(votes_for, against, index, adopted):
    found = result(EDITION, ballot(1, votes_for, against, index=Decimal(index)))
    assert found.outcome == ("ADOPTED" if adopted else "REJECTED")
    assert found.passed is adopted


def test_the_reasons_tell_what_was_missing():
    def told(*votes: int, **facts: object) -> str:
        return result(EDITION, ballot(1, *votes, **facts)).reasons[0]

    assert told(2, 2) == "Rejected: F/A is 6/6, which is not more than 1."
    assert told(2, 1, index=Decimal("2.5")) == (
        "Rejected: F/A is 6/3, which is less than the adoption index 2.5."
    )
    assert told(0, 0, present=3) == "Rejected: nobody's vote is FOR it, F/A is 0/0."
    assert told(2, 0) == "Failed quorum: 2 of 3 ballots."


def test_a_ballot_of_present_counts_for_the_quorum_and_the_popularity():
    found = result(EDITION, named(1, "Alice FOR, Bob PRESENT, Carol ABSTAIN"))
    assert found.outcome == "ADOPTED"
    assert (found.present, found.ballots, found.popularity) == (2, 3, Fraction(1, 3))


def test_a_quorum_is_never_more_than_there_are_active_players():
    assert result(EDITION, ballot(1, 2), players=2).outcome == "ADOPTED"
    assert result(EDITION, ballot(1, 2), players=3).outcome == "FAILED QUORUM"
    assert result(EDITION, ballot(1, 2), players=None).outcome == "FAILED QUORUM"
    assert result(EDITION, ballot(1, 5), players=9, quorum=6).outcome == "FAILED QUORUM"


def test_strengths_of_the_electorate_and_of_the_proposal_outweigh_heads():
    votes = named(1, "Alice FOR, Bob AGAINST, Carol AGAINST")
    strong = named(2, "Alice FOR, Bob AGAINST, Carol AGAINST", strengths={"Alice": 5})
    found = tallied(EDITION, votes, strong, strengths={"Alice": 7}).results
    assert found[1].figures["ratio"] == "7/6"
    assert (found[1].outcome, found[1].strength) == ("ADOPTED", -1)
    assert found[2].figures["ratio"] == "5/6"


def test_a_strength_beyond_the_table_counts_as_its_limit():
    votes = named(1, "Alice FOR, Bob AGAINST, Carol PRESENT")
    found = result(EDITION, votes, strengths={"Alice": 99, "Bob": 0})
    assert found.figures["ratio"] == "15/0"


def test_an_endorsement_counts_as_the_endorsed_vote_with_the_endorsers_own_strength():
    votes = named(1, "Alice ENDORSE Bob, Bob AGAINST, Carol FOR")
    found = result(EDITION, votes, strengths={"Alice": 9})
    assert found.figures["ratio"] == "3/12"
    assert found.figures["counted"] == {"Alice": "AGAINST", "Bob": "AGAINST", "Carol": "FOR"}
    assert "Alice endorses Bob, which counts as AGAINST." in found.reasons


def test_endorsements_are_followed_through_each_other():
    found = result(EDITION, named(1, "Alice endorse Bob, Bob ENDORSE Carol, Carol FOR"))
    assert found.votes_for == 3
    assert "Alice endorses Bob, which counts as FOR." in found.reasons


def test_endorsements_in_a_circle_count_as_present_and_so_do_those_that_lead_into_it():
    votes = "Alice ENDORSE Bob, Bob ENDORSE Carol, Carol ENDORSE Bob, Dave ENDORSE Dave, Eve FOR"
    found = result(EDITION, named(1, votes))
    assert found.present == 4
    circle = "which counts as PRESENT, since the endorsements lead round in a circle."
    assert f"Bob endorses Carol, {circle}" in found.reasons
    assert f"Dave endorses Dave, {circle}" in found.reasons
    assert f"Alice endorses Bob, {circle}" in found.reasons


def test_endorsing_somebody_who_did_not_vote_is_present():
    found = result(EDITION, named(1, "Alice ENDORSE Eve, Bob ENDORSE Alice, Carol FOR"))
    assert found.present == 2
    assert "Bob endorses Alice, which counts as PRESENT, since Eve did not vote." in found.reasons


def test_a_thousand_endorsements_in_a_row_are_resolved():
    votes = {f"p{number}": f"ENDORSE p{number + 1}" for number in range(3000)}
    found = result(EDITION, Ballot(1, {**votes, "p3000": "FOR"}), players=None)
    assert found.votes_for == 3001


def test_each_proposal_stands_for_itself_and_links_count_for_nothing():
    found = tallied(
        EDITION, ballot(1, 3, conflicts=[2], dependencies=[3]), ballot(2, 3), ballot(3, 0, 3)
    )
    assert found.passed_in_order == (1, 2)


@pytest.mark.parametrize(
    ("index", "written"),
    [("1", "1.0"), ("1.0", "1.0"), ("2.50", "2.5"), ("10", "10.0"), ("1.75", "1.75")],
)
def test_an_index_is_written_with_a_decimal(index, written):
    assert shown_index(Decimal(index)) == written
    assert Fraction(index) == Decimal(written)


def test_an_index_may_be_any_fraction():
    third = ballot(1, 4, 3, index=Fraction(4, 3))
    assert result(EDITION, third).outcome == "ADOPTED"
    assert shown_index(Fraction(4, 3)) == "4/3"
    assert shown_index(Fraction(3)) == "3.0"


@pytest.mark.parametrize("vote", ["FOR", "against", "PRESENT", "ENDORSE Alice", "endorse  Bob "])
def test_a_vote_in_the_editions_words_is_taken(vote):
    assert EDITIONS[EDITION].vote_refusal(vote, "Eve", Electorate(PLAYERS)) is None


@pytest.mark.parametrize("vote", ["ENDORSE", "ENDORSE ", "ENDORSE Zoe"])
def test_an_endorsement_of_nobody_is_refused_with_an_example(vote):
    refusal = EDITIONS[EDITION].vote_refusal(vote, "Eve", Electorate(PLAYERS))
    assert refusal is not None
    assert refusal.code == "nobody_to_endorse"
    assert "name of an active player" in refusal.sentence
