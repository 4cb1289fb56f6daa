"""The words of votes as the text in force lists them."""

import pytest

from proposals.rulebook import shipped_texts
from proposals.rules import EDITIONS
from proposals.rules.words import translated, vocabulary

AGORA = ("FOR", "AGAINST", "PRESENT", "ENDORSE")
REFRESH = ("FOR", "AGAINST", "ABSTAIN")


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_the_shipped_texts_list_the_words_that_their_edition_counts(edition: str) -> None:
    words = EDITIONS[edition].words
    assert vocabulary(words, shipped_texts(edition)) == {word: word for word in words}


@pytest.mark.parametrize(
    ("own", "sentence", "expected"),
    [
        (
            AGORA,
            "Each active player CAN vote YES or NO, or ENDORSE another player.",
            {"YES": "FOR", "NO": "AGAINST", "ENDORSE": "ENDORSE"},
        ),
        (AGORA, "Each active player CAN vote YES or NO.", {"YES": "FOR", "NO": "AGAINST"}),
        (
            REFRESH,
            "The\nVote must be one of the words FOR, AGAINST, or OBSTAIN; other words",
            {"FOR": "FOR", "AGAINST": "AGAINST", "OBSTAIN": "ABSTAIN"},
        ),
        (
            ("FOR", "AGAINST"),
            "A Proposal's Valid Votes are {AGAINST, FOR}.",
            {"AGAINST": "AGAINST", "FOR": "FOR"},
        ),
        (
            ("FOR", "AGAINST"),
            "A vote on a Proposal is FOR, AGAINST or MAYBE.",
            {"FOR": "FOR", "AGAINST": "AGAINST", "MAYBE": "MAYBE"},
        ),
        (
            REFRESH,
            "Each player may vote on it, with FOR, AGAINST, ABSTAIN or MAYBE and no other word.",
            {"FOR": "FOR", "AGAINST": "AGAINST", "ABSTAIN": "ABSTAIN", "MAYBE": "ABSTAIN"},
        ),
        (
            AGORA,
            "Each active player CAN vote early or often.",
            dict(zip(AGORA, AGORA, strict=True)),
        ),
        (AGORA, "Each active player CAN vote AGAINST.", dict(zip(AGORA, AGORA, strict=True))),
    ],
)
def test_words_keep_their_meaning_or_take_the_place_of_those_that_are_gone(
    own: tuple[str, ...], sentence: str, expected: dict[str, str]
) -> None:
    assert vocabulary(own, {"Voting": sentence}) == expected


def test_a_vote_is_translated_with_the_name_that_it_endorses() -> None:
    words = {"YES": "FOR", "BACK": "ENDORSE"}
    assert translated("YES", words) == "FOR"
    assert translated("FOR", words) == "FOR"
    assert translated("ENDORSE Bob", words) == "ENDORSE Bob"
