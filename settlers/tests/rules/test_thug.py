"""The Thug's steps by examples and by what has to hold for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlers.rulebook import thug_text
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES
from settlers.rules.thug import BribeTerms, bribe_value, collect_bribes
from settlers.rules.titles import THUG

TERMS = Charts.of({THUG: thug_text()}).bribes
RICH = {"wheat": 5, "sheep": 5, "stone": 5, "wood": 5, "brick": 5}


@pytest.mark.parametrize(
    ("bribe", "value"),
    [
        ({}, 0),
        ({"wheat": 0}, 0),
        ({"wheat": 1}, 1),
        ({"wheat": 2}, 1),
        ({"wheat": 3}, 3),
        ({"wheat": 10**12}, 3),
        ({"wheat": 1, "sheep": 2}, 2),
        ({"wheat": 3, "sheep": 1}, 4),
        (dict.fromkeys(RESOURCES, 3), 15),
        (dict.fromkeys(RESOURCES, 1), 5),
    ],
)
def test_what_a_bribe_is_worth(bribe, value):
    assert bribe_value(bribe, TERMS) == value


def test_a_vote_may_change_what_a_bribe_is_worth():
    terms = BribeTerms(2, ((1, 1), (2, 3), (5, 10)))
    assert bribe_value({"wheat": 4, "wood": 5}, terms) == 2 + 4 + 14


def test_everybody_pays_and_the_lowest_bribe_is_a_target():
    visit = collect_bribes(
        {"Brendan": RICH, "Josh": RICH, "Raven": RICH},
        {"Brendan": {"wheat": 3}, "Josh": {"wheat": 1, "wood": 1}},
        TERMS,
    )
    assert visit.values == {"Brendan": 3, "Josh": 2, "Raven": 0}
    assert visit.paid == {"Brendan": {"wheat": 3}, "Josh": {"wheat": 1, "wood": 1}, "Raven": {}}
    assert visit.stockpiles["Josh"] == {**RICH, "wheat": 4, "wood": 4}
    assert visit.targets == ("Raven",)


def test_who_has_too_little_of_one_item_pays_all_the_same_and_is_worth_nothing():
    visit = collect_bribes(
        {"Josh": {"wheat": 2, "wood": 9}, "Raven": {"wheat": 2}},
        {"Josh": {"wheat": 3, "wood": 3, "brick": 1}, "Raven": {"wheat": 1}},
        TERMS,
    )
    assert visit.paid["Josh"] == {"wheat": 2, "wood": 3}
    assert visit.stockpiles["Josh"] == {"wheat": 0, "wood": 6}
    assert visit.values == {"Josh": 0, "Raven": 1}
    assert visit.targets == ("Josh",)


def test_the_value_of_who_cannot_pay_is_zero_even_where_values_begin_higher():
    visit = collect_bribes({"Josh": {"wheat": 1}}, {"Josh": {"wood": 1}}, BribeTerms(7, ((1, 1),)))
    assert visit.values == {"Josh": 0}


def test_who_pays_the_last_item_is_no_target_and_does_not_count_for_the_lowest():
    visit = collect_bribes(
        {"Josh": {"wheat": 1}, "Raven": RICH, "Kevan": RICH},
        {"Josh": {"wheat": 2}, "Raven": {"wood": 3}, "Kevan": {"wood": 1}},
        TERMS,
    )
    assert visit.values == {"Josh": 0, "Raven": 3, "Kevan": 1}
    assert visit.targets == ("Kevan",)


def test_without_anybody_who_has_something_left_there_is_no_target():
    assert collect_bribes({"Josh": {}, "Raven": {"wheat": 0}}, {}, TERMS).targets == ()
    assert collect_bribes({}, {}, TERMS).targets == ()


def test_several_targets_stand_in_alphabetical_order():
    visit = collect_bribes({"Raven": RICH, "Brendan": RICH, "josh": RICH}, {}, TERMS)
    assert visit.targets == ("Brendan", "Raven", "josh")


def test_what_was_given_is_not_changed():
    stockpiles, bribes = {"Josh": {"wheat": 3}}, {"Josh": {"wheat": 2}}
    collect_bribes(stockpiles, bribes, TERMS)
    assert (stockpiles, bribes) == ({"Josh": {"wheat": 3}}, {"Josh": {"wheat": 2}})


items = st.dictionaries(st.sampled_from(RESOURCES), st.integers(0, 5))
cases = st.dictionaries(st.sampled_from("ABCDEFG"), st.tuples(items, items))


@given(cases)
def test_no_item_is_made_or_lost_on_the_way_to_the_thug(case):
    stockpiles = {name: own for name, (own, _) in case.items()}
    visit = collect_bribes(stockpiles, {name: bribe for name, (_, bribe) in case.items()}, TERMS)
    for name, own in stockpiles.items():
        for resource in RESOURCES:
            left, paid = visit.stockpiles[name], visit.paid[name]
            assert left.get(resource, 0) + paid.get(resource, 0) == own.get(resource, 0)
            assert 0 <= paid.get(resource, 0) <= case[name][1].get(resource, 0)
            assert left.get(resource, 0) >= 0
        assert 0 not in visit.paid[name].values()


@given(cases)
def test_the_targets_have_something_left_and_nobody_who_has_offered_less(case):
    stockpiles = {name: own for name, (own, _) in case.items()}
    visit = collect_bribes(stockpiles, {name: bribe for name, (_, bribe) in case.items()}, TERMS)
    left = {name for name, own in visit.stockpiles.items() if sum(own.values())}
    assert set(visit.targets) <= left
    assert bool(visit.targets) == bool(left)
    for target in visit.targets:
        assert all(visit.values[target] <= visit.values[other] for other in left)
    for other in left - set(visit.targets):
        assert all(visit.values[other] > visit.values[target] for target in visit.targets)
    assert list(visit.targets) == sorted(visit.targets)


@given(cases)
def test_a_value_is_between_nothing_and_three_for_each_resource(case):
    bribes = {name: bribe for name, (_, bribe) in case.items()}
    visit = collect_bribes({name: own for name, (own, _) in case.items()}, bribes, TERMS)
    assert visit.values.keys() == case.keys()
    for name, value in visit.values.items():
        assert 0 <= value <= 3 * len(bribes[name])
        assert value in (0, bribe_value(bribes[name], TERMS))


@given(cases)
def test_a_bribe_of_all_that_one_has_is_paid_in_full(case):
    stockpiles = {name: own for name, (own, _) in case.items()}
    visit = collect_bribes(stockpiles, stockpiles, TERMS)
    assert visit.values == {name: bribe_value(own, TERMS) for name, own in stockpiles.items()}
    assert visit.targets == ()
