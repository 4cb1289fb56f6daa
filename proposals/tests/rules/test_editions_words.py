"""The words of votes: which are refused, and what those of other editions count for."""

import pytest

from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate
from proposals.rules.words import names_in_words, plain_vote
from proposals.tests.paper import PLAYERS, ballot, named, result

PEOPLE = Electorate(PLAYERS)
NEW = ("majority", "consent")
SENTENCES = {
    "refresh-2006": "vote FOR, AGAINST or ABSTAIN.",
    "rule-5e33": "vote FOR or AGAINST.",
    "adoption-index": "vote FOR, AGAINST, PRESENT or ENDORSE.",
    "quorum": "vote FOR, AGAINST or DEFERENTIAL.",
    "majority": "vote FOR, AGAINST or ABSTAIN.",
    "consent": "vote FOR, AGAINST or ABSTAIN.",
}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("word", ["MAYBE", "", "FOR it", "F OR", "FÖR", "0", "FOR\x00", "x" * 9999])
def test_a_word_that_no_edition_knows_is_refused_with_the_list_of_words(edition, word):
    refusal = EDITIONS[edition].vote_refusal(word, "Alice", PEOPLE)
    assert refusal is not None
    assert refusal.code == "no_such_vote"
    assert refusal.rule == "Proposals"
    assert refusal.sentence.endswith(SENTENCES[edition])
    assert len(refusal.sentence) < 150


@pytest.mark.parametrize(
    ("edition", "word"),
    [
        ("refresh-2006", "PRESENT"),
        ("refresh-2006", "ENDORSE Bob"),
        ("rule-5e33", "ABSTAIN"),
        ("adoption-index", "ABSTAIN"),
        ("adoption-index", "VETO"),
        ("quorum", "PRESENT"),
    ],
)
def test_a_word_of_another_edition_is_refused_too(edition, word):
    assert EDITIONS[edition].vote_refusal(word, "Alice", PEOPLE) is not None


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("word", ["FOR", "for", " Against\n"])
def test_for_and_against_may_be_said_under_every_edition(edition, word):
    assert EDITIONS[edition].vote_refusal(word, "Alice", PEOPLE) is None


def test_a_vote_is_kept_in_capitals_with_the_name_as_it_is():
    assert plain_vote(" for ") == "FOR"
    assert plain_vote("endorse   ais523 the  Second ") == "ENDORSE ais523 the Second"
    assert plain_vote("endorse\tBob") == plain_vote("endorse\u00a0Bob") == "ENDORSE Bob"


def test_a_sentence_that_ends_with_a_name_has_one_full_stop():
    votes = {"G.": "PRESENT", "ais523": "FOR"}
    found = EDITIONS["rule-5e33"].tally(
        [Ballot(1, votes)],
        Electorate(frozenset(votes), vested=2),
        EDITIONS["rule-5e33"].shipped_terms(),
    )
    assert found.results[1].reasons[-1].endswith("so it counts for nothing: G.")


@pytest.mark.parametrize(
    ("edition", "present", "outcome"),
    [
        ("refresh-2006", 2, "Won"),
        ("rule-5e33", 0, "Won"),
        ("adoption-index", 2, "ADOPTED"),
        ("quorum", 0, "Pending"),
    ],
)
def test_present_and_abstain_are_the_same_where_one_of_them_is_known(edition, present, outcome):
    found = result(edition, named(1, "Alice FOR, Bob PRESENT, Carol ABSTAIN"))
    assert (found.present, found.outcome) == (present, outcome)
    told = any(reason.startswith("PRESENT is no word") for reason in found.reasons)
    assert told is (present == 0)


@pytest.mark.parametrize("edition", ["rule-5e33", "quorum"])
def test_counts_of_present_are_told_where_they_count_for_nothing(edition):
    found = result(edition, ballot(1, 1, present=2))
    assert found.present == 0
    assert found.reasons[-1] == (
        "PRESENT is no word of this edition, so 2 votes of it counted for nothing."
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_words_of_other_editions_count_for_nothing_and_the_result_says_so(edition):
    found = result(
        edition, named(1, "Alice FOR, Bob ENDORSE Alice, Carol VETO, Dave DEFERENTIAL, Eve FOR")
    )
    known = EDITIONS[edition].words
    for word, voter in (("ENDORSE", "Bob"), ("DEFERENTIAL", "Dave")):
        sentence = f"{word} is no word of this edition, so it counts for nothing: {voter}."
        assert (sentence in found.reasons) is (word not in known)
    assert found.votes_for == (3 if edition == "adoption-index" else 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_active_players_votes_count(edition):
    found = result(edition, named(1, "Alice FOR, Zoe AGAINST, Yan AGAINST"))
    assert (found.votes_for, found.votes_against) == (1, 0)
    assert "Not of active players, so not counted: the votes of Yan and Zoe." in found.reasons


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_crowd_is_told_by_its_first_names(edition):
    crowd = ", ".join(f"p{number:03} FOR" for number in range(500))
    found = result(edition, named(1, crowd))
    assert found.votes_for == 0
    assert "p018, p019 and 480 more." in found.reasons[-1]
    assert len(found.reasons[-1]) < 250


def test_lists_are_written_as_people_write_them():
    assert names_in_words(["FOR"]) == "FOR"
    assert names_in_words(["FOR", "AGAINST"], "or") == "FOR or AGAINST"
    assert names_in_words(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_an_edition_says_what_it_is(edition):
    assert edition.period in ("nweek", "each", "queue")
    assert edition.rules[0] == "Proposals"
    assert set(edition.success.values()) <= {"Won", "Lost", "Discarded", "Undecided"}
    assert edition.title
    assert edition.officer


def test_the_editions_are_found_by_name():
    assert tuple(EDITIONS) == (*("refresh-2006", "rule-5e33", "adoption-index", "quorum"), *NEW)
    assert [edition.officer for edition in EDITIONS.values()] == [
        "Administrator",
        "Chairman",
        "Assessor",
        "Admin",
        *("Chair", "Chair"),
    ]
    with pytest.raises(KeyError):
        EDITIONS["nomic-1982"]
