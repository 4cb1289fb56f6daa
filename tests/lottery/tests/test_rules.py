"""What the lottery's rule says, by example (The Lottery)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.tables import TableBroken
from tests.lottery.rulebook import shipped_texts
from tests.lottery.rules import (
    THE_LOTTERY,
    Terms,
    buy_refusal,
    holder_of,
    prize,
    terms_from,
    why_broken,
)

TEXT = shipped_texts()[THE_LOTTERY]


def test_the_shipped_tables_are_read() -> None:
    assert terms_from(TEXT) == Terms(price=1, most=10, percent=80, income=5)
    assert why_broken(TEXT) == ""


def test_a_table_that_says_no_number_is_broken_and_says_so() -> None:
    with pytest.raises(TableBroken, match="The table “PRIZE” of The Lottery has “most of it”"):
        terms_from(TEXT.replace("| 80 |", "| most of it |"))


def test_a_text_in_prose_alone_says_no_numbers() -> None:
    assert why_broken("A lottery is drawn each week.") == (
        "The text of The Lottery has no table with the columns TICKET, FLORINS."
    )


@pytest.mark.parametrize(("pot", "won"), [(0, 0), (1, 1), (5, 4), (6, 5), (100, 80)])
def test_a_part_of_a_florin_counts_as_a_whole_one(pot: int, won: int) -> None:
    assert prize(pot, 80) == won


@given(st.integers(0, 10**6), st.integers(0, 100))
def test_nobody_wins_more_than_the_pot(pot: int, percent: int) -> None:
    assert 0 <= prize(pot, percent) <= pot


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 9), min_size=1))
def test_every_ticket_has_its_holder_and_every_holder_their_tickets(
    tickets: dict[str, int],
) -> None:
    holders = [holder_of(number, tickets) for number in range(1, sum(tickets.values()) + 1)]
    assert {name: holders.count(name) for name in tickets} == tickets


@pytest.mark.parametrize("number", [0, 4])
def test_there_is_no_ticket_beyond_those_that_were_sold(number: int) -> None:
    with pytest.raises(ValueError, match=f"no ticket {number} among 3"):
        holder_of(number, {"Madrid": 1, "Murphy": 2})


def test_one_player_has_no_more_tickets_than_the_table_says() -> None:
    terms = terms_from(TEXT)
    assert buy_refusal(terms, 7, 3) is None
    refusal = buy_refusal(terms, 8, 3)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("too_many_tickets", THE_LOTTERY)
    assert refusal.sentence.endswith("and you have 8: buy 2 or fewer.")
    full = buy_refusal(terms, 10, 1)
    assert full is not None
    assert full.sentence.endswith("and you have 10: wait for the next draw.")
