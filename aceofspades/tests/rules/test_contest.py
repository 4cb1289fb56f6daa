"""What is legal in the Ace of Spades and what follows, by regulation: examples and laws."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceofspades.rulebook import shipped_texts
from aceofspades.rules.charts import Charts, charts_from, shipped_charts
from aceofspades.rules.contest import (
    Offer,
    agreed,
    alliance_refusal,
    cannot_be_fulfilled,
    cannot_pay_fee,
    describe_cards,
    fee_of,
    finalists,
    missing,
    needs_consent_of_all,
    number_refusal,
    offer_refusal,
    standing,
    tied,
    verdict,
)
from nomic.governance.rules import MotionTerms, fate

SHIPPED = shipped_charts()
IN_FORCE = [number for number, _ in shipped_texts()]
CONTESTANTS = ("Murphy", "Madrid", "juan")


def without(*numbers: int) -> Charts:
    """The charts after these regulations have ceased to be."""
    return charts_from((n, text) for n, text in shipped_texts() if n not in numbers)


def codes(refusal) -> str:
    return "" if refusal is None else refusal.code


# The book


@pytest.mark.parametrize("number", [200, 205, 206, 410, 999])
def test_regulation_107_lets_mutable_regulations_be_proposed(number):
    assert number_refusal(number, SHIPPED, IN_FORCE) is None
    assert not needs_consent_of_all(number, SHIPPED)


@pytest.mark.parametrize("number", [-1, 0, 1, 100, 126, 199, 1000, 5000])
def test_regulation_107_refuses_other_numbers_and_names_those_that_may_be(number):
    refusal = number_refusal(number, SHIPPED, IN_FORCE)
    assert (codes(refusal), refusal.rule) == ("number_out_of_range", "Regulation 107")
    assert refusal.sentence == (
        f"Regulation {number} cannot be proposed: choose a number from 200 to 999, or one of"
        " Regulations 101 to 125 to amend it."
    )


@pytest.mark.parametrize("number", [101, 110, 125])
def test_regulation_101_lets_an_immutable_regulation_be_amended_by_the_consent_of_all(number):
    assert number_refusal(number, SHIPPED, IN_FORCE) is None
    assert needs_consent_of_all(number, SHIPPED)


def test_regulation_101_has_no_place_for_a_new_immutable_regulation():
    refusal = number_refusal(111, SHIPPED, IN_FORCE)
    assert (codes(refusal), refusal.rule) == ("no_such_regulation", "Regulation 101")
    assert "no Regulation 111 to amend" in refusal.sentence


def test_without_regulation_107_only_immutable_regulations_are_proposed():
    refusal = number_refusal(300, without(107), IN_FORCE)
    assert (codes(refusal), refusal.rule) == ("nothing_proposable", "Regulation 107")
    assert number_refusal(101, without(107), IN_FORCE) is None


def test_without_the_table_of_regulation_101_no_number_is_immutable():
    assert not needs_consent_of_all(101, without(101))
    assert number_refusal(101, without(101), IN_FORCE).sentence == (
        "Regulation 101 cannot be proposed: choose a number from 200 to 999."
    )


# Votes


@pytest.mark.parametrize(
    ("for_", "against", "contestants", "expected"),
    [
        (2, 0, 3, "adopted"),
        (0, 2, 3, "failed"),
        (1, 1, 3, None),
        (2, 2, 4, None),
        (3, 1, 4, "adopted"),
        (1, 0, 1, "adopted"),
        (0, 0, 0, None),
    ],
)
def test_regulation_110_decides_by_a_majority_of_the_current_contestants(
    for_, against, contestants, expected
):
    assert verdict(for_, against, contestants) == expected


@pytest.mark.parametrize(
    ("for_", "against", "contestants", "expected"),
    [
        (3, 0, 3, "adopted"),
        (1, 0, 1, "adopted"),
        (2, 0, 3, None),
        (2, 1, 3, "failed"),
        (0, 1, 3, "failed"),
        (0, 0, 0, None),
    ],
)
def test_regulation_101_asks_for_the_consent_of_all(for_, against, contestants, expected):
    assert verdict(for_, against, contestants, needs_all=True) == expected


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_what_all_consent_to_has_a_majority_too(for_, against, others):
    contestants = for_ + against + others
    if verdict(for_, against, contestants, needs_all=True) == "adopted":
        assert verdict(for_, against, contestants) == "adopted"
    mirrored = {"adopted": "failed", "failed": "adopted", None: None}
    assert verdict(against, for_, contestants) == mirrored[verdict(for_, against, contestants)]


# Tabled acts

REMEDY, ACT = SHIPPED.remedy, SHIPPED.without_objection


@pytest.mark.parametrize(
    ("objections", "supports", "days_over", "expected"),
    [
        (0, 0, False, None),
        (2, 0, True, "done"),
        (3, 0, True, "prevented"),
        (3, 0, False, None),
        (3, 3, False, None),
        (3, 4, False, "done"),
        (3, 4, True, "done"),
        (0, 4, False, "done"),
    ],
)
def test_regulation_114_does_a_remedy_without_three_objections_or_with_a_majority(
    objections, supports, days_over, expected
):
    assert fate(objections, supports, 7, days_over, REMEDY) == expected


@pytest.mark.parametrize(
    ("objections", "supports", "days_over", "expected"),
    [(0, 0, False, None), (0, 7, False, None), (0, 0, True, "done"), (1, 6, False, "prevented")],
)
def test_regulation_250_does_an_act_to_which_nobody_objects(
    objections, supports, days_over, expected
):
    assert fate(objections, supports, 7, days_over, ACT) == expected


def test_half_of_the_contestants_are_no_majority_for_a_remedy():
    assert fate(0, 3, 6, False, REMEDY) is None
    assert fate(0, 4, 6, False, REMEDY) == "done"


@given(*[st.integers(0, 9)] * 3, st.integers(1, 9), st.booleans())
def test_every_tabled_act_ends_with_its_days(objections, supports, contestants, bound, by_support):
    terms = MotionTerms(timedelta(days=4), bound, by_support, prevent=True)
    assert fate(objections, supports, contestants, True, terms) is not None


# Offers

SWAP = Offer("Murphy", frozenset({"Madrid", "juan"}), {"Red": 2}, {"Hearts": 1})


def test_regulation_125_lets_cards_be_offered_for_cards_of_other_suits():
    assert offer_refusal(SWAP, CONTESTANTS, SHIPPED.suits) is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"to": frozenset()}, "nobody"),
        ({"to": frozenset({"Madrid", "Murphy"})}, "yourself"),
        ({"to": frozenset({"Madrid", "snail"})}, "no_contestant"),
        ({"gives": {}}, "gives_nothing"),
        ({"takes": {}}, "takes_nothing"),
        ({"gives": {"Purple": 1}}, "no_suit"),
        ({"takes": {"Purple": 1}}, "no_suit"),
        ({"gives": {"Red": 0}}, "no_number"),
        ({"takes": {"Hearts": -1}}, "no_number"),
        ({"takes": {"Red": 1, "Hearts": 1}}, "same_suit"),
    ],
)
def test_regulation_125_refuses_what_is_no_offer(change, code):
    refusal = offer_refusal(replace(SWAP, **change), CONTESTANTS, SHIPPED.suits)
    assert (codes(refusal), refusal.rule) == (code, "Regulation 125")


@pytest.mark.parametrize(
    ("end", "offerer", "acceptor", "code"),
    [
        ("", {"Red": 2}, {"Hearts": 1}, ""),
        ("", {"Red": 9, "Mauve": 1}, {"Hearts": 4}, ""),
        ("", {"Red": 1}, {"Hearts": 1}, "offerer_short"),
        ("", {"Red": 2}, {"Red": 9}, "acceptor_short"),
        ("", {}, {}, "both_short"),
        ("accepted", {"Red": 2}, {"Hearts": 1}, "accepted"),
        ("accepted", {}, {}, "accepted"),
        ("withdrawn", {"Red": 2}, {"Hearts": 1}, "withdrawn"),
    ],
)
def test_regulation_125_gives_the_reason_why_an_acceptance_fails(end, offerer, acceptor, code):
    assert codes(cannot_be_fulfilled(replace(SWAP, end=end), offerer, acceptor)) == code


@pytest.mark.parametrize("end", ["", "accepted", "withdrawn"])
@pytest.mark.parametrize("hand", [{}, {"Red": 2}])
def test_the_reason_names_nobody_and_no_cards(end, hand):
    reason = cannot_be_fulfilled(replace(SWAP, end=end), hand, {})
    assert reason.rule == "Regulation 125"
    said = reason.sentence
    assert not any(word in said for word in (*CONTESTANTS, *SHIPPED.suits, "1", "2"))


# Fees


def test_regulation_245_asks_for_one_card_of_each_defined_suit():
    assert fee_of(SHIPPED) == dict.fromkeys(SHIPPED.suits, 1)
    assert cannot_pay_fee(dict.fromkeys(SHIPPED.suits, 1), SHIPPED) is None
    refusal = cannot_pay_fee({"Mauve": 1, "Black": 4, "Green": 1}, SHIPPED)
    assert (codes(refusal), refusal.rule) == ("cannot_pay", "Regulation 245")
    assert refusal.sentence == (
        "The fee is 1 Mauve, 1 Red, 1 Black, 1 Green and 1 Hearts: you lack 1 Red and 1 Hearts."
    )


def test_without_regulation_245_no_fee_opens_anything():
    assert fee_of(without(245)) == {}
    assert codes(cannot_pay_fee(dict.fromkeys(SHIPPED.suits, 9), without(245))) == "no_fee"


def test_cards_are_told_in_words():
    assert describe_cards({"Red": 2, "Mauve": 1, "Black": 0}) == "2 Red and 1 Mauve"
    assert describe_cards({"Red": 1}) == "1 Red"
    assert describe_cards({}) == "no cards"
    assert not missing({"Red": 1}, {})
    assert missing({}, {"Red": 1}) == {"Red": 1}


# Alliances


def test_regulation_220_forms_an_alliance_once_every_member_agrees():
    assert not agreed({"Murphy", "Madrid"}, {"Murphy"})
    assert agreed({"Murphy", "Madrid"}, {"Madrid", "Murphy"})
    assert not agreed({"Murphy"}, {"Murphy"})
    assert not agreed((), ())


@pytest.mark.parametrize(
    ("by", "members", "code"),
    [
        ("Murphy", ["Murphy", "juan"], ""),
        ("Murphy", ["Murphy"], "too_few"),
        ("Murphy", ["Murphy", "Murphy"], "too_few"),
        ("Murphy", ["Madrid", "juan"], "not_a_member"),
        ("Murphy", ["Murphy", "snail"], "no_contestant"),
    ],
)
def test_regulation_220_is_about_two_or_more_contestants(by, members, code):
    refusal = alliance_refusal(by, members, CONTESTANTS)
    assert codes(refusal) == code
    assert refusal is None or refusal.rule == "Regulation 220"


def test_regulation_220_takes_alliances_of_the_same_members_for_one():
    assert standing([["a", "b"], ["b", "c"], ["b", "a"], ["c"], [], ["a", "b", "c"]]) == [0, 1, 5]


# The Reckoning


@pytest.mark.parametrize(
    ("worths", "expected"),
    [
        ({"Murphy": 3, "Madrid": 7, "juan": 7.0}, ("Madrid", "juan")),
        ({"Murphy": 0.5, "Madrid": -7}, ("Murphy",)),
        ({"Murphy": 0, "Madrid": 0}, ()),
        ({"Murphy": -2, "Madrid": -1}, ()),
        ({}, ()),
    ],
)
def test_regulation_120_makes_the_highest_positive_worths_finalists(worths, expected):
    assert finalists(worths) == expected


@pytest.mark.parametrize(
    ("worths", "expected"),
    [
        ({"Murphy": 3, "Madrid": 7, "juan": 7}, ("Madrid", "juan")),
        ({"Murphy": 3, "Madrid": 3, "juan": 7}, ()),
        ({"Murphy": -3, "Madrid": -3}, ("Murphy", "Madrid")),
        ({"Murphy": 3}, ()),
        ({}, ()),
    ],
)
def test_regulation_999_is_about_two_or_more_at_the_highest_worth(worths, expected):
    assert tied(worths) == expected


@given(st.dictionaries(st.text(max_size=3), st.integers(-5, 5) | st.floats(-5, 5), max_size=6))
def test_nobody_is_worth_more_than_a_finalist(worths):
    found = finalists(worths)
    assert bool(found) == any(worth > 0 for worth in worths.values())
    assert all(worths[name] >= worth for name in found for worth in worths.values())
    assert tied(worths) in (found, ()) or not found
