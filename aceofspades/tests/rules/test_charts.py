"""The numbers that the regulations' tables give, and what is said of tables that are wrong."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from aceofspades.rulebook import shipped_texts
from aceofspades.rules.charts import (
    Charts,
    DealTerms,
    Refill,
    Tie,
    charts_from,
    filling,
    shipped_charts,
)
from aceofspades.rules.tables import DECIDES, TABLES
from nomic.governance.rules import MotionTerms
from nomic.rulebook.tables import TableBroken

SUITS = ("Mauve", "Red", "Black", "Green", "Hearts")
BEGIN = datetime(2002, 3, 6, 17, 30, tzinfo=UTC)


def with_text(number: int, text: str) -> Charts:
    """The charts after a proposal of that number has taken effect."""
    return charts_from([*((n, own) for n, own in shipped_texts() if n != number), (number, text)])


def amended(number: int, old: str, new: str) -> Charts:
    """The charts of the shipped texts with one passage changed."""
    text = dict(shipped_texts())[number]
    assert old in text
    return with_text(number, text.replace(old, new))


def table(first: str, second: str, *rows: tuple[str, object]) -> str:
    lines = [f"| {first} | {second} |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {cell} |" for name, cell in rows)])


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


# What the shipped tables say, by regulation


def test_every_shipped_table_can_be_read():
    assert shipped_charts().faults == []
    assert all(shipped_charts().where(part) for part in TABLES)


def test_regulation_101_makes_the_first_twenty_five_immutable():
    assert shipped_charts().immutable == range(101, 126)


def test_regulation_107_lets_numbers_be_proposed_from_200_to_999():
    assert shipped_charts().proposable == range(200, 1000)


def test_regulation_110_lets_votes_decide_from_the_third_day_on():
    assert shipped_charts().decided_after == timedelta(hours=72)


def test_regulation_114_takes_four_days_without_three_objections_or_a_majority():
    assert shipped_charts().remedy == MotionTerms(
        timedelta(days=4), 3, by_support=True, prevent=True
    )


def test_regulation_119_has_marking_regulations_from_300_on():
    charts = shipped_charts()
    assert [number for number in (299, 300, 301, 999) if charts.is_marking(number)] == [
        300,
        301,
        999,
    ]


def test_regulation_121_waits_three_days_for_a_victory():
    assert shipped_charts().next_finalist_after == timedelta(hours=72)


def test_regulation_122_bounds_the_reckoning_by_the_days_of_the_source():
    charts = shipped_charts()
    assert charts.earliest(BEGIN) == day(2002, 4, 15)
    assert charts.latest(BEGIN) == day(2002, 6, 10)


def test_regulation_123_always_defines_mauve_and_keeps_one_in_the_deck():
    assert (shipped_charts().always, shipped_charts().least_mauve) == ("Mauve", {"Mauve": 1})


def test_regulation_124_makes_mauve_for_newcomers_and_for_empty_hands():
    assert shipped_charts().made_for_new == {"Mauve": 2}
    assert shipped_charts().made_for_empty == {"Mauve": 1}


def test_regulation_200_sets_the_reckoning_for_the_middle_of_may():
    assert shipped_charts().reckoning(BEGIN) == day(2002, 5, 15)


def test_regulation_205_names_the_suits_in_their_order():
    assert shipped_charts().suits == SUITS
    assert shipped_charts().colours["Hearts"] == "pink"


def test_regulation_210_fills_the_deck_and_refills_it():
    text = dict(shipped_texts())[210]
    assert (filling(text), shipped_charts().filling_of(210)) == (20, 20)
    assert shipped_charts().refill == Refill(below=10, of_each=4)
    assert shipped_charts().deal_terms == DealTerms(SUITS, {"Mauve": 1}, Refill(10, 4))


def test_no_other_shipped_regulation_fills_the_deck():
    assert [number for number, text in shipped_texts() if filling(text) is not None] == [210]


def test_regulation_215_deals_seven_cards_to_a_newcomer():
    assert shipped_charts().dealt_to_new == 7


def test_regulation_245_costs_a_card_of_each_suit():
    assert (shipped_charts().fee, shipped_charts().where("fee")) == (1, "Regulation 245")


def test_regulation_250_takes_that_nobody_objects():
    assert shipped_charts().without_objection == MotionTerms(
        timedelta(days=4), 1, by_support=False, prevent=True
    )


def test_regulation_999_marks_a_tie_anew_by_three_cards():
    assert shipped_charts().tie == Tie(number=999, cards=3)


# Which regulation has a part, and when it is off


def test_a_part_is_off_where_no_regulation_has_its_table():
    charts = charts_from([])
    assert charts.faults == []
    assert not any(charts.where(part) for part in TABLES)
    assert charts.suits == ()
    assert charts.always == ""
    assert (charts.made_for_new, charts.made_for_empty, charts.least_mauve) == ({}, {}, {})
    off = (
        charts.immutable, charts.proposable, charts.decided_after, charts.remedy,
        charts.without_objection, charts.marking_from, charts.tie, charts.next_finalist_after,
        charts.earliest(BEGIN), charts.latest(BEGIN), charts.reckoning(BEGIN), charts.refill,
        charts.dealt_to_new, charts.fee, charts.filling_of(210),
    )  # fmt: skip
    assert set(off) == {None}
    assert not charts.is_marking(300)


def test_a_new_text_without_the_table_turns_the_part_off():
    assert with_text(245, "Nobody reads a secret any more.").fee is None


def test_the_regulation_of_the_lowest_number_that_has_a_table_counts():
    fee = table(*TABLES["fee"], ("Paid to the deck", 3))
    assert with_text(246, fee).fee == 1
    assert with_text(246, fee).where("fee") == "Regulation 245"
    assert with_text(244, fee).fee == 3
    assert with_text(244, fee).where("fee") == "Regulation 244"


@pytest.mark.parametrize(
    ("one", "other", "prevails"),
    [(101, 125, 101), (125, 200, 125), (300, 299, 299), (126, 125, 125), (5, 101, 101), (9, 7, 7)],
)
def test_regulation_101_lets_immutable_and_then_lower_numbers_prevail(one, other, prevails):
    texts = [
        (number, table(*TABLES["fee"], ("Paid to the deck", number % 100)))
        for number in (one, other)
    ]
    for given in (texts, texts[::-1]):
        charts = charts_from(given, immutable=range(101, 126))
        assert (charts.where("fee"), charts.fee) == (f"Regulation {prevails}", prevails % 100)


def test_the_order_in_which_regulations_are_given_does_not_matter():
    fee = table(*TABLES["fee"], ("Paid to the deck", 3))
    assert charts_from([(246, fee), *reversed(shipped_texts())]).fee == 1


def test_a_tie_is_marked_where_its_table_stands():
    tie = table(*TABLES["tie"], ("Dealt to each tied hand", 5))
    assert with_text(500, tie).tie == Tie(number=500, cards=5)


def test_a_part_says_nothing_of_another_regulations_prose():
    prose = "The fee for a secret regulation is paid in cards of each suit."
    rows = "| Paid to the deck || 9"
    assert with_text(230, f"{prose}\n\n{rows}").fee == 1


def test_a_table_in_wiki_form_is_read():
    head, second = TABLES["suits"]
    for heading in (f"! {head} !! {second}", f"! {head}\n! {second}"):
        charts = with_text(205, f"{heading}\n| Blue || blue\n| Gold || #ffd700")
        assert charts.colours == {"Mauve": "", "Blue": "blue", "Gold": "#ffd700"}


# Suits


def test_mauve_is_a_suit_wherever_the_suits_are_named():
    assert with_text(205, "There are no other suits.").suits == ("Mauve",)
    assert with_text(205, table(*TABLES["suits"], ("Blue", "blue"))).suits == ("Mauve", "Blue")
    last = table(*TABLES["suits"], ("Blue", "blue"), ("Mauve", "–"))
    assert with_text(205, last).suits == ("Blue", "Mauve")


@pytest.mark.parametrize("cell", ["–", "", "no colour at all", "url(x)", "#12", '"/><script>'])
def test_what_is_no_colour_holds_up_no_suit(cell):
    assert with_text(205, table(*TABLES["suits"], ("Blue", cell))).colours["Blue"] == ""


# The day of the Reckoning


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("70 days after the contest begins", day(2002, 5, 15)),
        ("41 days after the contest begins.", day(2002, 4, 16)),
        ("1 day after the contest begins", day(2002, 4, 15)),
        ("040 Days  after the contest begins", day(2002, 4, 15)),
        ("97 days after the contest begins", day(2002, 6, 10)),
        ("2002-05-01", day(2002, 5, 1)),
        ("2002-04-14", day(2002, 4, 15)),
        ("2999-12-31", day(2002, 6, 10)),
    ],
)
def test_regulation_200_may_set_a_day_or_a_date_within_those_of_122(cell, expected):
    assert with_text(200, table(*TABLES["day"], ("Set for", cell))).reckoning(BEGIN) == expected


def test_where_no_day_is_set_the_reckoning_comes_at_the_latest():
    assert with_text(200, "Some day.").reckoning(BEGIN) == day(2002, 6, 10)


def test_without_bounds_the_day_that_is_set_stands():
    charts = charts_from([(200, table(*TABLES["day"], ("Set for", "2031-01-02")))])
    assert charts.reckoning(BEGIN) == day(2031, 1, 2)


def test_days_are_counted_from_the_utc_day_on_which_the_contest_begins():
    evening_in_new_york = datetime(2002, 3, 5, 22, 0, tzinfo=timezone(timedelta(hours=-5)))
    assert shipped_charts().reckoning(evening_in_new_york) == day(2002, 5, 15)
    assert shipped_charts().reckoning(day(2002, 3, 6)) == day(2002, 5, 15)
    assert shipped_charts().reckoning(day(2002, 3, 5)) == day(2002, 5, 14)


# Tables that cannot be played by

BROKEN = [
    (101, "| Last | 125 |", "| Last | 100 |", "immutable", "from 101 to 9999"),
    (101, "| First | 101 |", "| First | one |", "immutable", "“one” under NUMBER for First"),
    (107, "| Less than | 1000 |", "| Less than | 200 |", "proposable", "from 201 to 10000"),
    (107, "| At least | 200 |", "| Least | 200 |", "proposable", "has no row “At least”"),
    (110, "| 72 |", "| 72 hours |", "decided_after", "“72 hours” under HOURS"),
    (110, "| 72 |", "| 10001 |", "decided_after", "“10001” under HOURS"),
    (114, "| 3 |", "| 0 |", "remedy", "from 1 to 1000"),
    (114, "| 4 |", "| -4 |", "remedy", "“-4” under WHAT IT TAKES"),
    (114, "| a majority |", "| two |", "remedy", "“two” as support"),
    (250, "| 1 |", "| nobody |", "without_objection", "“nobody” under WHAT IT TAKES"),
    (119, "| From | 300 |", "| From | 0 |", "marking_from", "“0” under NUMBER"),
    (121, "| 72 |", "| 0 |", "next_finalist_after", "from 1 to 10000"),
    (122, "| Not before | 40 |", "| Not before | 97 |", "_bounds", "97 days as the earliest"),
    (123, "| Mauve | 1 |", "| Mauve | 1001 |", "least_mauve", "“1001” under LEAST IN THE DECK"),
    (123, "| Mauve | 1 |", "| Mauve | 1 |\n| Red | 1 |", "always", "has to have one row"),
    (123, "| Mauve | 1 |", "| 42 | 1 |", "always", "“42” as a suit"),
    (124, "| Mauve | 2 |", "| Purple | 2 |", "made_for_new", "“Purple”, which is no suit"),
    (124, "| Mauve | 2 |", "| Mauve | 101 |", "made_for_new", "from 0 to 100"),
    (124, "| Mauve | 1 |", "| Mauve | some |", "made_for_empty", "“some” under CARDS"),
    (200, "70 days", "seventy days", "_set_day", "“seventy days after the contest begins”"),
    (200, "70 days after the contest begins", "2002-02-30", "_set_day", "“2002-02-30”"),
    (200, "70 days after the contest begins", "0001-01-01", "_set_day", "from 1970 to 2999"),
    (200, "70 days", "99999 days", "_set_day", "from 0 to 10000"),
    (205, "| Red | red |", "| Red2 | red |", "suits", "“Red2” as a suit"),
    (205, "| Red | red |", f"| {'R' * 31} | red |", "suits", "as a suit"),
    (205, "| Red | red |", "| hearts | red |", "suits", "in two spellings"),
    (205, "| Red | red |", "| mauve | red |", "suits", "in two spellings"),
    (205, "| Red | red |", "| Red | red |\n| Red | blue |", "suits", "“Red” stands twice"),
    (205, "| Red | red |", "\n".join(f"| {c}a | red |" for c in "abcdefghijklmnopqrs"), "suits",
     "more than 20 suits"),
    (210, "| 10 |", "| 1001 |", "refill", "“1001” under CARDS"),
    (210, "| 4 |", "| a few |", "refill", "“a few” under CARDS"),
    (215, "| 7 |", "| 101 |", "dealt_to_new", "from 0 to 100"),
    (245, "| 1 |", "| 1.5 |", "fee", "“1.5” under CARDS OF EACH SUIT"),
    (999, "| 3 |", "| three |", "tie", "“three” under CARDS"),
]  # fmt: skip


@pytest.mark.parametrize(("number", "old", "new", "chart", "words"), BROKEN)
def test_a_table_that_cannot_be_played_by_names_its_regulation_and_what_is_wrong(
    number, old, new, chart, words
):
    charts = amended(number, old, new)
    with pytest.raises(TableBroken) as broken:
        getattr(charts, chart)
    assert words in broken.value.sentence
    assert broken.value.rule == broken.value.refusal.rule == f"Regulation {number}"
    assert charts.faults


def test_a_filling_without_a_number_is_broken_and_has_a_bound():
    for cell in ("plenty", "1001"):
        text = table(*TABLES["filling"], ("When this takes effect", cell))
        with pytest.raises(TableBroken, match=f"“{cell}” under CARDS OF EACH SUIT"):
            filling(text)
        assert [each.rule for each in with_text(300, text).faults] == ["Regulation 300"]


def test_a_broken_table_is_not_passed_over_for_a_higher_number():
    charts = with_text(240, table(*TABLES["fee"], ("Paid to the deck", "nothing")))
    with pytest.raises(TableBroken) as broken:
        _ = charts.fee
    assert broken.value.rule == "Regulation 240"


def test_a_broken_table_holds_up_nothing_else():
    charts = amended(205, "| Red | red |", "| Red2 | red |")
    assert (charts.fee, charts.dealt_to_new) == (1, 7)


@pytest.mark.parametrize(
    "text",
    [
        table(*TABLES["tie"], ("Dealt to each tied hand", "bribes")),
        table(*TABLES["tie"], ("Bribes", "1")),
        "| TIE FOR THE HIGHEST WORTH | CARDS |\n| bribes | 1 |",
    ],
    ids=["a cell", "a row", "a heading"],
)
def test_what_is_wrong_with_a_hidden_regulation_is_not_said(text):
    with pytest.raises(TableBroken) as broken:
        _ = charts_from([*shipped_texts(), (240, text)], hidden=[240]).tie
    assert broken.value.sentence == (
        "A table of Regulation 240, which is not public, cannot be read."
    )
    assert broken.value.rule == "Regulation 240"
    with pytest.raises(TableBroken, match=r"TIE FOR THE HIGHEST|dashes"):
        _ = charts_from([*shipped_texts(), (240, text)], hidden=[241]).tie


def test_a_hidden_regulation_decides_nothing_but_worths():
    fee = table(*TABLES["fee"], ("Paid to the deck", 2))
    tie = table(*TABLES["tie"], ("Dealt to each tied hand", 5))
    charts = charts_from([*shipped_texts(), (240, fee), (340, tie)], hidden=[240, 340])
    assert charts.fee == 1
    assert charts.tie == Tie(340, 5)
    assert set(TABLES) - set(DECIDES) == {"tie"}
