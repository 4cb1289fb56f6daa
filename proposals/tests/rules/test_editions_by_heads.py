"""Majority and consent: what Proposals and Voting of these laws say, by heads alone."""

import pytest

from proposals.rulebook import shipped_texts
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate, Result

PLAYERS = frozenset(("Ann", "Bob", "Cy", "Dee", "Eve"))


def result(edition: str, votes: str, **changed: str) -> Result:
    """What these votes come to: a letter a player, F, A or -."""
    chosen = EDITIONS[edition]
    words = {"F": "FOR", "A": "AGAINST", "-": "ABSTAIN"}
    cast = {name: words[sign] for name, sign in zip(sorted(PLAYERS), votes, strict=False)}
    text = shipped_texts(edition)["Voting"]
    for old, new in changed.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| {old}"))
        text = text.replace(row, new)
    terms = chosen.terms({**shipped_texts(edition), "Voting": text})
    return chosen.tally([Ballot(1, cast)], Electorate(PLAYERS), terms).results[1]


@pytest.mark.parametrize(
    ("votes", "outcome", "reason"),
    [
        ("FFA", "ADOPTED", "Adopted with 2 votes to 1."),
        ("F--", "ADOPTED", "Adopted with 1 vote to 0."),
        ("FFAA", "REJECTED", "Rejected with 2 votes to 2: it needs more than 1/2 of the votes FOR"),
        ("---", "REJECTED", "Rejected with 0 votes to 0"),
        ("FF", "FAILED QUORUM", "Failed quorum: 2 of 3 ballots."),
    ],
)
def test_a_majority_is_more_than_its_part_of_those_who_decide(votes, outcome, reason):
    found = result("majority", votes)
    assert (found.outcome, found.passed) == (outcome, outcome == "ADOPTED")
    assert found.reasons[0].startswith(reason)


def test_another_part_and_another_quorum_are_played_by():
    two_thirds = {"More": "| More than | 2 | 3 |"}
    assert result("majority", "FFA", **two_thirds).outcome == "REJECTED"
    assert result("majority", "FFFA", **two_thirds).outcome == "ADOPTED"
    assert result("majority", "FF", At="| At least | 2 |").outcome == "ADOPTED"
    assert result("majority", "FFFFF", At="| At least | 9 |").outcome == "ADOPTED"


@pytest.mark.parametrize(
    ("votes", "outcome", "reason"),
    [
        ("F", "ADOPTED", "Adopted: nobody objects to it."),
        ("FFFFA", "REJECTED", "Rejected: 1 of the players object to it, and fewer than 1 may be."),
        ("---", "REJECTED", "Rejected: it has 0 of the 1 supporters that it needs."),
        ("", "REJECTED", "Rejected: it has 0 of the 1 supporters that it needs."),
    ],
)
def test_what_nobody_objects_to_is_adopted(votes, outcome, reason):
    found = result("consent", votes)
    assert (found.outcome, found.reasons[0]) == (outcome, reason)


def test_as_many_may_object_and_have_to_support_it_as_the_table_says():
    two = {
        "Objections": "| Objections fewer than | 2 |",
        "Supporters": "| Supporters at least | 9 |",
    }
    assert result("consent", "FFFFA", **two).outcome == "REJECTED"
    assert result("consent", "FFFFF", **two).outcome == "ADOPTED"
    two["Supporters"] = "| Supporters at least | 2 |"
    assert result("consent", "FFA", **two).reasons[0] == "Adopted: 1 object to it, fewer than 2."


@pytest.mark.parametrize("edition", ["majority", "consent"])
def test_a_law_after_which_nothing_could_be_adopted_is_found_out(edition):
    chosen = EDITIONS[edition]
    assert chosen.impasse(Electorate(PLAYERS), chosen.shipped_terms()) == ""
    text = shipped_texts("majority")["Voting"].replace(
        "| More than | 1 | 2 |", "| More than | 2 | 2 |"
    )
    majority = EDITIONS["majority"]
    terms = majority.terms({**shipped_texts("majority"), "Voting": text})
    assert "it needs more than 2/2" in majority.impasse(Electorate(PLAYERS), terms)
