"""The least and the most that a regulation's table may say, and what holds whatever it says."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceofspades.rules.charts import LONGEST_SUIT, MOST_SUITS, Refill, Tie, charts_from
from aceofspades.rules.tables import TABLES
from aceofspades.tests.rules.test_charts import BEGIN, amended, day, table
from nomic.rulebook.tables import TableBroken

MANY = [f"{letter}{'a' * (LONGEST_SUIT - 1)}" for letter in "abcdefghijklmnopqrst"]


@pytest.mark.parametrize(
    ("number", "old", "new", "chart", "expected"),
    [
        (101, "| First | 101 |", "| First | 1 |", "immutable", range(1, 126)),
        (101, "| First | 101 |", "| First | 125 |", "immutable", range(125, 126)),
        (107, "| At least | 200 |", "| At least | 1 |", "proposable", range(1, 1000)),
        (107, "| Less than | 1000 |", "| Less than | 10000 |", "proposable", range(200, 10_000)),
        (110, "| 72 |", "| 0 |", "decided_after", timedelta(0)),
        (119, "| From | 300 |", "| From | 1 |", "marking_from", 1),
        (121, "| 72 |", "| 10000 |", "next_finalist_after", timedelta(hours=10_000)),
        (123, "| Mauve | 1 |", "| Mauve | 0 |", "least_mauve", {"Mauve": 0}),
        (124, "| Mauve | 2 |", "| Mauve | 0 |", "made_for_new", {"Mauve": 0}),
        (210, "| 10 |", "| 0 |", "refill", Refill(0, 4)),
        (210, "| 4 |", "| 1000 |", "refill", Refill(10, 1_000)),
        (210, "| 4 |", "| 0 |", "refill", Refill(10, 0)),
        (215, "| 7 |", "| 0 |", "dealt_to_new", 0),
        (215, "| 7 |", "| 100 |", "dealt_to_new", 100),
        (245, "| 1 |", "| 0 |", "fee", 0),
        (999, "| 3 |", "| 0 |", "tie", Tie(999, 0)),
    ],
)
def test_the_least_and_the_most_that_a_table_may_say(number, old, new, chart, expected):
    charts = amended(number, old, new)
    assert charts.faults == []
    assert getattr(charts, chart) == expected


@pytest.mark.parametrize(("earliest", "latest"), [(0, 0), (40, 40), (0, 10_000)])
def test_the_bounds_of_the_reckoning_may_be_one_day(earliest, latest):
    rows = (("Not before", earliest), ("At the latest", latest))
    charts = charts_from([(122, table(*TABLES["bounds"], *rows))])
    begun = day(2002, 3, 6)
    assert charts.earliest(BEGIN) == begun + timedelta(days=earliest)
    assert charts.latest(BEGIN) == charts.reckoning(BEGIN) == begun + timedelta(days=latest)


@pytest.mark.parametrize("year", [1970, 2999])
def test_the_years_in_which_a_reckoning_may_be_set(year):
    charts = charts_from([(200, table(*TABLES["day"], ("Set for", f"{year}-01-01")))])
    assert charts.reckoning(BEGIN) == day(year, 1, 1)


def test_there_may_be_many_suits_with_long_names():
    assert len(MANY) == MOST_SUITS
    charts = charts_from([(205, table(*TABLES["suits"], *((suit, "red") for suit in MANY)))])
    assert list(charts.suits) == MANY


# Whatever players write

cells = st.one_of(
    st.integers(-5, 2_000).map(str),
    st.text(max_size=12),
    st.sampled_from(["Mauve", "Red", "none", "a majority", "–", "", "2002-05-15", "1|2", "```"]),
)
rows_said = [
    "First", "Last", "At least", "Less than", "Decided from", "Days from the announcement",
    "Objections that prevent it", "Support that does it at once", "From", "Another Finalist after",
    "Not before", "At the latest", "Set for", "When this takes effect", "When fewer are left than",
    "Made of each suit", "From the deck", "Paid to the deck", "Dealt to each tied hand",
]  # fmt: skip
written = st.builds(
    lambda head, rows: table(*head, *rows),
    st.sampled_from(list(TABLES.values())),
    st.lists(st.tuples(st.sampled_from(rows_said) | cells, cells), max_size=5),
)


def unless_broken(read, otherwise=None):
    """What that reads, where its table can be read."""
    try:
        return read()
    except TableBroken:
        return otherwise


@given(st.lists(st.tuples(st.integers(100, 320), written), max_size=4))
def test_whatever_stands_in_a_table_is_read_within_bounds_or_not_at_all(regulations):
    charts = charts_from(dict(regulations).items())
    assert all(isinstance(each, TableBroken) for each in charts.faults)
    assert len(unless_broken(lambda: charts.suits, ())) <= MOST_SUITS + 1
    assert unless_broken(lambda: charts.dealt_to_new or 0, 0) <= 100
    assert all(n <= 100 for n in unless_broken(lambda: charts.made_for_new, {}).values())
    refill = unless_broken(lambda: charts.refill)
    assert refill is None or max(refill.below, refill.of_each) <= 1_000
    moment = unless_broken(lambda: charts.reckoning(BEGIN))
    assert moment is None or 1970 <= moment.year <= 2999
    number = unless_broken(lambda: charts.proposable)
    assert number is None or len(number) > 0


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_the_reckoning_is_never_before_the_earliest_nor_after_the_latest(set_for, one, other):
    bounds = table(
        *TABLES["bounds"], ("Not before", min(one, other)), ("At the latest", max(one, other))
    )
    chosen = table(*TABLES["day"], ("Set for", f"{set_for} days after the contest begins"))
    charts = charts_from([(122, bounds), (200, chosen)])
    found = charts.reckoning(BEGIN)
    assert charts.earliest(BEGIN) <= found <= charts.latest(BEGIN)
    assert found == day(2002, 3, 6) + timedelta(days=sorted((set_for, one, other))[1])
