"""What a Settler may do, and each sentence that says why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.games.refusal import Refusal
from settlers.actions.settlers import bribe_refusal
from settlers.rulebook import shipped_texts
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES, Bonus, Settler, Shift, Swap, changed
from settlers.rules.legality import (
    accept_refusal,
    alliance_refusal,
    build_refusal,
    harvest_refusal,
    merchant_refusal,
    offer_refusal,
    ready_refusal,
)
from settlers.rules.titles import DECK, GIFT, MERCHANT, THUG
from settlers.tests.rules.test_rulebook import REPLACED, WITH

CHARTS = Charts.as_shipped()
DOMAINS = {"wheat": 6, "sheep": 2, "stone": 12, "wood": 9, "brick": 5}
RICH = dict.fromkeys(RESOURCES, 9)


def settler(name: str = "Josh", **facts) -> Settler:
    return Settler(name, **{"domains": DOMAINS, "stockpile": RICH, **facts})


def check(refusal: Refusal | None, words: str, rule: str = GIFT) -> None:
    """That it is refused by that rule, in a sentence with these words and with what would help."""
    assert refusal is not None
    assert words in refusal.sentence
    assert refusal.rule == rule
    assert refusal.sentence.endswith(".")


def protected() -> Charts:
    """The charts after Protection Money."""
    return Charts.of({**shipped_texts(), GIFT: shipped_texts()[GIFT].replace(REPLACED, WITH)})


# Harvesting


def test_there_is_nothing_to_harvest_before_the_first_production():
    check(harvest_refusal(settler(), None, CHARTS), "Wait for the first Production")


def test_the_crop_is_harvested_once_since_the_most_recent_production():
    assert harvest_refusal(settler(), (2, 3), CHARTS) is None
    check(
        harvest_refusal(settler(harvested=True), (2, 3), CHARTS),
        "have harvested since the most recent Production of Resources: wait for the next",
    )


def test_the_injured_cannot_harvest_once_the_gift_says_so():
    assert harvest_refusal(settler(injured=True), (2, 3), CHARTS) is None
    check(harvest_refusal(settler(injured=True), (2, 3), protected()), "on the Injured list")
    assert harvest_refusal(settler(victim=True), (2, 3), protected()) is None


@pytest.mark.parametrize(
    "change",
    [
        Swap("wheat", "sheep"),
        Shift("wheat", 4),
        Shift("wheat", 8),
        Shift("sheep", 4),
        Shift("sheep", 3),
        Shift("stone", 10),
    ],
)
def test_a_swap_or_a_number_up_to_two_away_is_a_change(change):
    assert harvest_refusal(settler(), (2, 3), CHARTS, change) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Swap("wheat", "wheat"), "choose another than wheat"),
        (Swap("wheat", "gold"), "gold is no resource of the isle. The resources are wheat, sheep"),
        (Swap("x" * 99, "wheat"), "…"),
        (Shift("gold", 4), "gold is no resource"),
        (Shift("wheat", 7), "A Domain cannot hold 7, only 2, 3, 4, 5, 6, 8, 9, 10, 11, 12"),
        (Shift("sheep", 1), "cannot hold 1,"),
        (Shift("sheep", 0), "cannot hold 0,"),
        (Shift("stone", 13), "cannot hold 13,"),
        (Shift("stone", -12), "cannot hold -12,"),
        (Shift("stone", 10**30), "cannot hold 1000000"),
        (Shift("wheat", 5), "Your Domain of brick holds 5"),
        (Shift("wheat", 6), "holds 6 already: choose another number or no change"),
        (Shift("wheat", 3), "From 6 to 3 is further than 2: choose a nearer number, or build a Ch"),
        (Shift("wood", 12), "Your Domain of stone holds 12"),
        (Shift("sheep", 8), "From 2 to 8 is further than 2"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_with_its_reason(change, words):
    check(harvest_refusal(settler(), (2, 3), CHARTS, change), words)


def test_with_a_church_a_changed_domain_takes_any_number_that_it_can_hold():
    owner = settler(buildings=("Church",))
    assert harvest_refusal(owner, (2, 3), CHARTS, Shift("sheep", 11)) is None
    check(harvest_refusal(owner, (2, 3), CHARTS, Shift("sheep", 7)), "cannot hold 7")
    check(harvest_refusal(owner, (2, 3), CHARTS, Shift("sheep", 12)), "of stone holds 12")


def test_an_empty_domain_has_no_number_to_change_but_may_swap():
    empty = {**DOMAINS, "sheep": None, "wood": None}
    check(
        harvest_refusal(settler(domains=empty), (2, 3), CHARTS, Shift("sheep", 3)), "sheep is empty"
    )
    check(
        harvest_refusal(settler(domains=empty), (2, 3), CHARTS, Swap("sheep", "wood")), "both empty"
    )
    assert harvest_refusal(settler(domains=empty), (2, 3), CHARTS, Swap("sheep", "stone")) is None


def test_each_building_gives_its_bonus_once():
    owner = settler(buildings=("Farm", "Quarry", "Farm"))
    both = [Bonus("Farm", "sheep"), Bonus("Farm", "sheep"), Bonus("Quarry")]
    assert harvest_refusal(owner, (2, 3), CHARTS, None, both) is None
    assert harvest_refusal(owner, (2, 3), CHARTS, None, [Bonus("Quarry", "stone")]) is None


@pytest.mark.parametrize(
    ("bonuses", "words"),
    [
        ([Bonus("Quarry")], "There is no Quarry in your Settlement: build one first"),
        ([Bonus("Castle")], "There is no Castle in your Settlement"),
        ([Bonus("Farm", "sheep")] * 2, "bonus of Farm 2 times and have 1"),
        ([Bonus("Farm")], "Farm gives 1 sheep or 1 wheat: say which"),
        ([Bonus("Farm", "stone")], "Farm does not give stone, but 1 sheep or 1 wheat"),
        ([Bonus("Church")], "Church gives no resource"),
        ([Bonus("Cone", "stone")], "Cone gives no resource"),
        ([Bonus("Ruin")], "Ruin gives no resource"),
    ],
)
def test_a_bonus_that_cannot_be_taken_is_refused_with_its_reason(bonuses, words):
    owner = settler(buildings=("Farm", "Church", "Cone", "Ruin"))
    check(harvest_refusal(owner, (2, 3), CHARTS, None, bonuses), words)


numbers = st.sampled_from(sorted(CHARTS.yields))
domains = st.lists(numbers | st.none(), min_size=5, max_size=5).filter(
    lambda held: len({n for n in held if n}) == sum(n is not None for n in held)
)
resources = st.sampled_from(RESOURCES)
changes = st.builds(Swap, resources, resources) | st.builds(Shift, resources, st.integers(-3, 15))


@given(domains, changes, st.sampled_from([(), ("Farm",), ("Church",)]))
def test_after_a_legal_change_the_numbers_are_different_and_can_be_held(held, change, buildings):
    owner = settler(domains=dict(zip(RESOURCES, held, strict=True)), buildings=buildings)
    if harvest_refusal(owner, (2, 3), CHARTS, change) is None:
        after = changed(owner.domains, change)
        kept = [number for number in after.values() if number is not None]
        assert len(set(kept)) == len(kept)
        assert set(kept) <= CHARTS.yields.keys()
        assert after.keys() == owner.domains.keys()
        assert after != owner.domains
        if isinstance(change, Shift) and "Church" not in buildings:
            assert abs(change.number - owner.domains[change.resource]) <= 2


# Building


def test_what_the_stockpile_pays_for_can_be_built():
    for name in ("Farm", "Quarry", "Church"):
        assert build_refusal(settler(), name, None, CHARTS.buildings) is None
        assert build_refusal(settler(), name, "", CHARTS.buildings) is None
    assert build_refusal(settler(), "Cone", None, CHARTS.buildings) is None
    assert build_refusal(settler(), "Cone", "brick", CHARTS.buildings) is None
    assert build_refusal(settler(), None, None, CHARTS.buildings) is None


@pytest.mark.parametrize(
    ("building", "other", "words"),
    [
        ("Castle", None, "There is no building “Castle”. The buildings are Farm, Quarry, Church"),
        ("Cone", "", "Cone costs 5 of one other resource: choose wheat or sheep or wood or brick"),
        ("Cone", "stone", "stone cannot be the other resource of Cone: choose wheat or sheep"),
        ("Cone", "gold", "gold cannot be the other resource of Cone"),
        ("Farm", "wood", "wood cannot be the other resource of Farm: leave it out"),
    ],
)
def test_a_building_that_is_ill_named_or_ill_paid_is_refused(building, other, words):
    check(build_refusal(settler(), building, other, CHARTS.buildings), words)


@pytest.mark.parametrize(
    ("building", "other", "words"),
    [
        ("Farm", None, "Farm costs 1 wheat, 1 sheep and 2 wood, and your Stockpile has 5 stone a"),
        ("Cone", None, "Cone costs 5 stone and 5 of one other"),
        ("Cone", "brick", "Cone costs 5 stone and 5 brick"),
    ],
)
def test_a_building_is_paid_in_full(building, other, words):
    poor = settler(stockpile={"stone": 5, "brick": 4})
    check(build_refusal(poor, building, other, CHARTS.buildings), words)
    assert build_refusal(poor, "Church", None, CHARTS.buildings) is None
    assert build_refusal(poor, None, None, CHARTS.buildings) is None


def test_who_can_pay_for_nothing_is_told_so_before_they_choose():
    poor = settler(stockpile={"stone": 1})
    check(
        build_refusal(poor, None, None, CHARTS.buildings),
        "Your Stockpile of 1 stone pays for no Building",
    )


# The Merchant


def test_the_merchant_swaps_three_of_one_for_one_of_another():
    assert merchant_refusal(settler(), True, None, None, CHARTS) is None
    assert merchant_refusal(settler(stockpile={"wood": 3}), True, None, "brick", CHARTS) is None
    assert merchant_refusal(settler(stockpile={"wood": 3}), True, "wood", "brick", CHARTS) is None
    assert merchant_refusal(settler(used=frozenset({THUG})), True, "wood", None, CHARTS) is None


@pytest.mark.parametrize(
    ("facts", "is_here", "give", "take", "words"),
    [
        ({}, False, None, None, "The Merchant is not here"),
        ({"used": frozenset({MERCHANT})}, True, None, None, "during this visit: wait"),
        ({}, True, "gold", None, "gold is no resource"),
        ({}, True, None, "gold", "gold is no resource"),
        ({}, True, "wood", "wood", "take wood for wood: choose another"),
        ({"stockpile": {"wood": 2}}, True, "wood", "brick", "The Merchant takes 3 of wood, and"),
        ({"stockpile": {"wood": 2}}, True, None, None, "The Merchant takes 3 of one resource"),
    ],
)
def test_what_the_merchant_does_not_do(facts, is_here, give, take, words):
    check(merchant_refusal(settler(**facts), is_here, give, take, CHARTS), words, MERCHANT)


# Trade


@pytest.mark.parametrize(
    ("give", "take"),
    [
        (None, None),
        ({"wood": 1}, None),
        (None, {"wood": 1}),
        ({"wood": 1}, {"wood": 1}),
        ({"wood": 1}, {"brick": 3}),
        ({"wood": 2, "brick": 2}, {"stone": 2}),
    ],
)
def test_a_trade_may_be_offered(give, take):
    assert offer_refusal(settler(), "Raven", give, take, CHARTS) is None


@pytest.mark.parametrize(
    ("facts", "to", "give", "take", "words"),
    [
        ({"traded": True}, None, None, None, "You have traded since the most recent Production"),
        ({}, "Josh", None, None, "choose somebody else"),
        ({}, "Raven", {}, None, "You give nothing: each side"),
        ({}, "Raven", {"wood": 1}, {}, "You take nothing"),
        ({}, "Raven", {"wood": 0}, {"wood": 1}, "You give nothing"),
        ({}, "Raven", {}, {}, "You give nothing"),
        ({}, "Raven", {"wood": 1}, {"brick": 4}, "You give 1 and take 4"),
        ({}, "Raven", {"wood": 5, "brick": 1}, {"wheat": 3}, "may differ by at most 2 items"),
        ({}, "Raven", {"wood": 10}, {"wheat": 10}, "You offer 10 wood, and your Stockpile has"),
        ({"stockpile": {}}, None, None, None, "your Stockpile has nothing"),
    ],
)
def test_an_offer_that_cannot_be_made_is_refused_with_its_reason(facts, to, give, take, words):
    check(offer_refusal(settler(**facts), to, give, take, CHARTS), words)


def test_an_offer_is_accepted_by_who_has_what_is_asked():
    assert accept_refusal(settler(), settler("Raven"), {"wood": 9}, {"brick": 9}, CHARTS) is None


@pytest.mark.parametrize(
    ("by", "to", "words"),
    [
        ({}, {"traded": True}, "You have traded"),
        ({"traded": True}, {}, "Josh has traded"),
        ({}, {"stockpile": {"brick": 1}}, "Josh asks for 2 brick, and your Stockpile has 1 brick"),
        ({"stockpile": {"wood": 1}}, {}, "Josh offered 3 wood and lacks 2 wood"),
        ({"stockpile": {}}, {"stockpile": {}}, "Josh asks for 2 brick"),
    ],
)
def test_an_offer_is_not_accepted_by_or_from_who_cannot_keep_it(by, to, words):
    asked = accept_refusal(settler(**by), settler("Raven", **to), {"wood": 3}, {"brick": 2}, CHARTS)
    check(asked, words)


def test_an_offer_that_the_rules_have_made_too_uneven_is_not_accepted():
    texts = shipped_texts()
    narrow = Charts.of({**texts, GIFT: texts[GIFT].replace("two sides | 2 |", "two sides | 0 |")})
    asked = accept_refusal(settler(), settler("Raven"), {"wood": 3}, {"brick": 2}, narrow)
    check(asked, "You give 2 and take 3: the two sides may differ by at most 0 items")


@pytest.mark.parametrize(("give", "take", "words"), [
    ({}, {"wood": 1}, "You take nothing"), ({"wood": 1}, {}, "You give nothing"),
])  # fmt: skip
def test_an_offer_with_an_empty_side_is_not_accepted(give, take, words):
    check(accept_refusal(settler(), settler("Raven"), give, take, CHARTS), words)


# Alliances, flags, bribes


def test_an_alliance_list_is_for_other_settlers():
    ally = settler(alliance=frozenset({"Raven"}))
    assert alliance_refusal(ally, None, None) is None
    assert alliance_refusal(ally, "Raven", False) is None
    assert alliance_refusal(ally, "Kevan", True) is None
    assert alliance_refusal(ally, "Kevan", None) is None
    check(alliance_refusal(ally, "Josh", True), "is for other Settlers")
    check(alliance_refusal(ally, "Raven", True), "Raven stands on your Alliance list already")
    check(alliance_refusal(ally, "Kevan", False), "Kevan is not on your Alliance list")


@pytest.mark.parametrize("ready", [True, False])
def test_the_flag_is_set_the_other_way(ready):
    assert ready_refusal(settler(ready=not ready), ready) is None
    words = "You are Ready already" if ready else "You are not Ready anyway"
    check(ready_refusal(settler(ready=ready), ready), words, DECK)


def test_a_bribe_is_told_while_the_thug_is_here():
    assert bribe_refusal(True, False) is None
    check(bribe_refusal(False, False), "The Thug is not here", THUG)
    check(bribe_refusal(True, True), "You were the Onlooker during this visit", THUG)
