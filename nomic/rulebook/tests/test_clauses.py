"""Sentences that a program reads: what a declared clause finds, and what it leaves alone."""

import pytest

from nomic.rulebook.clauses import Clause, cells_of, clause_of, unread_cells

GAIN = Clause("Tolls", "GAIN", "By announcement", "COINS", ("gain {n} (coin|coins) by saying so",))
NUDGE = Clause("Tolls", "ACTION", "Nudge", "STEPS", ("nudge … by 1, {n} times",))
BETS = Clause("Tolls", "BET", "{n}", "FEE", ("bet {n*} coins … fee of {m*} coins",), "{m}")
WORDS = Clause("Tolls", "VOTE", "{n}", "WORD", ("words {n/w*}; other words",))
FINISH = Clause("Tolls", "TRACK", "Finish", "POSITION", ("up to {n}", "no further than {n}"))
ALL = (GAIN, NUDGE, BETS, WORDS, FINISH)


def cell(text: str, row: str, column: str) -> set[str]:
    return cells_of(text, ALL).get((row, column), set())


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("* gain 4 coins by saying so.", "4"),
        ("*  Gain\n  **six** coins by saying so;", "6"),
        ("Each player may gain one coin by saying so, if e is poor.", "1"),
        ("• GAIN '''twelve''' COINS BY SAYING SO", "12"),
    ],
)
def test_a_number_is_read_in_figures_or_words_whatever_the_case_and_emphasis(sentence, number):
    assert cell(sentence, "By announcement", "COINS") == {number}


@pytest.mark.parametrize(
    "sentence",
    [
        "* gain thirteen coins by saying so.",
        "* gain 1,000 coins by saying so.",
        "* gain 4.5 coins by saying so.",
        "* gain coins by saying so.",
        "* regain 4 coins by saying so.",
        "No player CAN gain 9 coins by saying so.",
        "A player CANNOT gain 9 coins by saying so.",
        "Players do not gain 9 coins by saying so.",
        "* to gain 7 coins by saying so, but never on Sundays.",
        "| gain 4 coins by saying so |\n|---|",
        "```\ngain 4 coins by saying so\n```",
        f"Gain 4 coins by saying so, {'and ' * 1000} so on.",
    ],
)
def test_what_the_words_of_a_clause_do_not_say_is_not_read(sentence):
    assert not cell(sentence, "By announcement", "COINS")


def test_other_words_in_the_place_of_a_number_are_told():
    said = "* gain a few coins by saying so."
    assert cells_of(said, ALL) == {}
    assert unread_cells(said, ALL) == {("By announcement", "COINS"): "a few"}
    assert unread_cells("* gain coins by saying so.", ALL) == {}
    assert unread_cells("* gain nothing.", ALL) == {}
    assert unread_cells("* gain 7 coins by saying so, but never on Sundays.", ALL) == {}


def test_twice_is_two_times_and_words_between_may_be_any():
    assert cell("Nudge a horse of yours by 1, twice, by paying.", "Nudge", "STEPS") == {"2"}


def test_a_list_makes_a_row_of_each_of_its_numbers():
    said = "- bet 1, two, or 3 coins on a horse for a fee of 2, 4 or 6 coins respectively"
    assert cells_of(said, ALL) == {("1", "FEE"): {"2"}, ("2", "FEE"): {"4"}, ("3", "FEE"): {"6"}}


def test_lists_of_different_lengths_say_nothing():
    assert cells_of("bet 1, 2, or 3 coins for a fee of 1 or 2 coins", ALL) == {}


def test_words_are_read_as_numbers_are():
    said = "A vote is one of the words YES, NO, or PERHAPS; other words are ignored."
    assert set(cells_of(said, ALL)) == {("yes", "WORD"), ("no", "WORD"), ("perhaps", "WORD")}


def test_two_sentences_that_contradict_each_other_are_both_told():
    text = "A horse goes up to 16.\n\nIt goes no further than 12."
    assert cell(text, "Finish", "POSITION") == {"16", "12"}


def test_the_frame_of_a_passage_is_what_it_says_beside_its_numbers():
    first = clause_of("* gain 4 coins by saying so.", ALL)
    other = clause_of("- Gain *six* coins by saying so.", ALL)
    more = clause_of("* gain 4 coins by saying so, if e has fewer than 5.", ALL)
    assert first
    assert other
    assert more
    assert first.frame == other.frame == "gain {} coins by saying so."
    assert more.frame != first.frame


def test_a_passage_of_no_clause_is_none():
    assert clause_of("Whoever passes a gate pays.", ALL) is None
