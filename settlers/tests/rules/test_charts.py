"""The numbers that the rule texts' tables give, and what is said of tables that are wrong."""

from datetime import timedelta
from itertools import product

import pytest

from nomic.rulebook.tables import TableBroken
from settlers.rulebook import shipped_texts, thug_text
from settlers.rules.charts import AT_A_VICTORY, Building, Charts, Opening
from settlers.rules.thug import BribeTerms
from settlers.rules.titles import DECK, GIFT, MERCHANT, SEALED, THUG, VISITORS

SOURCES_STEPS = """* Start with a Bribe Value of 0
* Add 1 to the Bribe Value for each type of item in the Settler’s Bribe that has an amount of at least 1
* Add 2 to the Bribe Value for each type of item in the Settler’s Bribe that has an amount of at least 3If the Visitor"""  # noqa: E501


def with_text(title: str, old: str, new: str) -> Charts:
    """The charts of the shipped texts after an amendment of one of them."""
    text = shipped_texts()[title]
    assert old in text
    return Charts.of({**shipped_texts(), title: text.replace(old, new)})


def test_the_shipped_tables_say_what_the_isle_was_like():
    charts = Charts.as_shipped()
    charts.check()
    assert charts.yields == {2: 5, 12: 5, 3: 4, 11: 4, 4: 3, 10: 3, 5: 2, 9: 2, 6: 1, 8: 1}
    assert (charts.change_by, charts.trade_gap, charts.merchant) == (2, 2, (3, 1))
    assert charts.victory == ("Cone", 4)
    assert charts.visitors == {5: "Merchant", 9: "Merchant"}
    assert charts.may_after == timedelta(hours=36)
    assert charts.at_latest == timedelta(hours=48)
    assert charts.arrival_after == timedelta(hours=24)
    assert charts.opening == Opening(2, AT_A_VICTORY)


def test_the_deck_has_a_card_for_each_way_in_which_two_dice_fall():
    dice = [sum(pair) for pair in product(range(1, 7), repeat=2)]
    assert Charts.as_shipped().deck == {number: dice.count(number) for number in set(dice)}
    assert Charts.as_shipped().remade_at == 6


def test_the_shipped_buildings():
    farm, quarry, church, cone = Charts.as_shipped().buildings.values()
    crop = {"sheep": 1, "wheat": 1}
    assert farm == Building("Farm", {"wood": 2, "sheep": 1, "wheat": 1}, 0, crop, False)
    assert quarry == Building("Quarry", {"brick": 2, "wood": 1}, 0, {"stone": 1}, False)
    assert church == Building("Church", {"stone": 2}, 0, {}, True)
    assert cone == Building("Cone", {"stone": 5}, 5, {}, False)


CONE = "| Cone | 5 stone, 5 of one other | – |"


@pytest.mark.parametrize(
    ("row", "building"),
    [
        ("| Mill | 3 wheat and 1 brick | 2 wheat |", ({"wheat": 3, "brick": 1}, 0, {"wheat": 2})),
        ("| Mill | 1 of one other | - |", ({}, 1, {})),
        ("| Mill | 1 Wood, 2 wood |  |", ({"wood": 3}, 0, {})),
        (
            "| Mill | 1 wood | 1 brick or 3 stone or 1 wood |",
            ({"wood": 1}, 0, {"brick": 1, "stone": 3, "wood": 1}),
        ),
    ],
)
def test_a_building_that_players_add_is_read_like_the_others(row, building):
    mill = with_text(GIFT, CONE, f"{CONE}\n{row}").buildings["Mill"]
    assert (mill.costs, mill.of_one_other, mill.bonus) == building
    assert not mill.frees_change


def test_a_building_in_wiki_form_fits_the_table():
    charts = with_text(GIFT, CONE, f"{CONE}\n| Chapel || 9 stone || {FREER}")
    assert charts.buildings["Chapel"].frees_change


FREER = "A changed Domain may take any number that it can hold."


def test_a_vote_on_a_number_changes_what_is_played():
    assert with_text(GIFT, "| One number | 2 |", "| One number | 0 |").change_by == 0
    assert with_text(GIFT, "| Cone | 4 |", "| Farm | 9 |").victory == ("Farm", 9)
    assert with_text(GIFT, "| 6 | 1 |", "| 6 | 1 |\n| 7 | 3 |").yields[7] == 3
    assert with_text(MERCHANT, "| Given | 3 |", "| Given | 4 |").merchant == (4, 1)
    assert with_text(DECK, "| 7 | 6 |", "| 7 | 0 |").deck.get(7) is None
    assert with_text(VISITORS, "| 9 || Merchant", "| 9 || Thug").visitors[9] == "Thug"


@pytest.mark.parametrize(
    ("when", "read"),
    [
        ("never", None),
        ("Never.", None),
        ("0 Productions after its end", 0),
        ("1 Production after its end", 1),
        ("at a victory", AT_A_VICTORY),
    ],
)
def test_the_ways_in_which_a_visit_opens_by_itself(when, read):
    assert with_text(SEALED, "at a victory", when).opening.by_itself == read


def test_the_onlooker_may_be_forbidden_to_open_a_visit():
    assert with_text(SEALED, "2 Productions after its end", "never").opening == Opening(
        None, AT_A_VICTORY
    )


def test_a_text_in_prose_says_no_numbers():
    texts = dict.fromkeys((GIFT, DECK, VISITORS, MERCHANT), "As it always was.")
    with pytest.raises(TableBroken, match="has no table with the columns NUMBER, YIELD"):
        _ = Charts.of(texts).yields
    assert Charts.of(texts).visitors == {}
    assert not Charts.of(texts).faults


def test_no_shipped_text_opens_what_the_rulebook_keeps_sealed():
    without = {title: text for title, text in shipped_texts().items() if title != SEALED}
    Charts.of(without).check()
    assert Charts.of(without).opening == Opening(None, None)
    with pytest.raises(TableBroken, match="A VISIT IS OPENED, WHEN") as broken:
        _ = Charts.of({**without, SEALED: "Everything is opened in the end."}).opening
    assert broken.value.rule == SEALED


def test_rows_without_a_heading_are_the_visitors():
    charts = Charts.of({**shipped_texts(), VISITORS: "The Visitors:\n\n| 4 || Thug\n| 10 || Thug"})
    assert charts.visitors == {4: "Thug", 10: "Thug"}


def test_a_table_that_was_taken_out_is_off():
    text = "| DECK | CARDS |\n| --- | --- |\n| Made whole when left | 6 |\n"
    assert with_text(DECK, text, "").remade_at == 0
    assert with_text(DECK, text, "").deck == Charts.as_shipped().deck
    with pytest.raises(TableBroken, match="has no row “One number”") as missing:
        _ = with_text(GIFT, "| One number |", "| A number |").change_by
    assert missing.value.rule == GIFT


BROKEN = [
    (GIFT, "| 12 | 5 |", "| twelve | 5 |", "yields", "“twelve” instead of a whole number"),
    (GIFT, "| 12 | 5 |", "| 12 | 5000000 |", "yields", "“5000000” under YIELD for 12"),
    (GIFT, "| 12 | 5 |", "| 1001 | 5 |", "yields", "from 0 to 1000"),
    (GIFT, "| 12 | 5 |", "| 12 | -1 |", "yields", "“-1” under YIELD for 12"),
    (GIFT, "| 12 | 5 |", "| 11 | 5 |", "yields", "“11” stands twice"),
    (GIFT, "| 12 | 5 |", "| 011 | 5 |", "yields", "has 11 twice"),
    (GIFT, "| One number | 2 |", "| One number | two |", "change_by", "“two” under BY AT MOST"),
    (GIFT, "2 brick, 1 wood", "2 bricks, 1 wood", "buildings", "“2 bricks” under COST for Quarry"),
    (GIFT, "2 brick, 1 wood", "0 brick", "buildings", "“0 brick” under COST"),
    (GIFT, "2 brick, 1 wood", "", "buildings", "“” under COST for Quarry"),
    (GIFT, "2 brick, 1 wood", "1 wheat, 1 sheep, 1 stone, 1 wood, 1 brick, 1 of one other",
     "buildings", "names them all"),
    (GIFT, "1 sheep or 1 wheat", "1 sheep and 1 wheat", "buildings", "HARVEST BONUS for Farm"),
    (GIFT, "1 sheep or 1 wheat", "1 sheep or 2 sheep", "buildings", "“1 sheep or 2 sheep”"),
    (GIFT, "1 sheep or 1 wheat", "1 of one other", "buildings", "“1 of one other”"),
    (GIFT, "| Quarry |", f"| {'Q' * 61} |", "buildings", "1 to 60 characters"),
    (GIFT, "| Cone | 4 |", "| Cone | 0 |", "victory", "“0” under BUILDINGS for Cone"),
    (GIFT, "| Cone | 4 |", "| Pyramid | 4 |", "victory", "“Pyramid”, which is no Building"),
    (GIFT, "| Cone | 4 |", "| Cone | 4 |\n| Farm | 9 |", "victory", "has to have one row"),
    (GIFT, "| Difference of the two sides | 2 |", "| Difference of the two sides | – |",
     "trade_gap", "“–” under ITEMS"),
    (DECK, "| 7 | 6 |", "| 7 | 1000 |", "deck", "more than 1000 cards"),
    (DECK, "| 7 | 6 |", "| 7 | 1001 |", "deck", "“1001” under CARDS for 7"),
    (DECK, "left | 6 |", "left | 30 |", "remade_at", "has 30 under CARDS; with 30 or more"),
    (DECK, "| May happen after | 36 |", "| May happen after | 49 |", "may_after", "49 hours"),
    (DECK, "latest after | 48 |", "latest after | 0 |", "at_latest", "from 1 to 10000"),
    (DECK, "latest after | 48 |", "latest after | 10001 |", "at_latest", "“10001” under HOURS"),
    (VISITORS, "latest after | 24 |", "latest after | soon |", "arrival_after", "“soon” under"),
    (VISITORS, "| 9 || Merchant", "| 5 || Thug", "visitors", "“5” stands twice"),
    (VISITORS, "| 9 || Merchant", "| 05 || Thug", "visitors", "has 5 twice"),
    (VISITORS, "| 9 || Merchant", "| nine || Thug", "visitors", "“nine” instead"),
    (VISITORS, "| 9 || Merchant", "| 9 || ", "visitors", "“” as a Visitor"),
    (MERCHANT, "| Given | 3 |", "| Given | 0 |", "merchant", "“0” under ITEMS for Given"),
    (SEALED, "at a victory", "at dawn", "opening", "“at dawn” under WHEN for By itself"),
    (SEALED, "2 Productions after its end", "at a victory", "opening", "lets the Onlooker"),
    (SEALED, "2 Prod", "2000 Prod", "opening", "“2000 Productions after its end”"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "old", "new", "chart", "words"), BROKEN)
def test_a_table_that_cannot_be_played_by_names_its_rule_and_what_is_wrong(
    title, old, new, chart, words
):
    charts = with_text(title, old, new)
    with pytest.raises(TableBroken) as broken:
        getattr(charts, chart)
    assert words in broken.value.sentence
    assert broken.value.rule == title
    with pytest.raises(TableBroken):
        charts.check()


@pytest.mark.parametrize("numbers", [(7,), (4, 9)])
def test_a_deck_has_cards_of_three_results_or_two_draws_might_never_differ(numbers):
    rows = "\n".join(f"| {number} | 30 |" for number in numbers)
    charts = Charts.of({DECK: f"| RESULT | CARDS |\n| --- | --- |\n{rows}"})
    with pytest.raises(TableBroken, match="might never differ"):
        _ = charts.deck


def test_fewer_than_five_numbers_are_too_few_for_a_settler():
    rows = "\n".join(f"| {number} | 1 |" for number in range(4))
    charts = Charts.of({GIFT: f"| NUMBER | YIELD |\n| --- | --- |\n{rows}"})
    with pytest.raises(TableBroken, match="has 4 numbers; a Settler needs 5"):
        _ = charts.yields


# The Thug


@pytest.mark.parametrize(
    "text",
    [thug_text(), SOURCES_STEPS, SOURCES_STEPS.replace("\n", "\r\n"), SOURCES_STEPS.lower()],
    ids=["own words", "the source's", "with other line ends", "in small letters"],
)
def test_the_thugs_terms_are_read_from_a_table_or_from_the_sources_sentences(text):
    assert Charts.of({THUG: text}).bribes == BribeTerms(0, ((1, 1), (3, 2)))


def test_a_vote_on_the_thugs_sentences_changes_what_a_bribe_is_worth():
    text = (
        SOURCES_STEPS.replace("Add 2", "Add 5")
        .replace("of 0", "of 1")
        .replace("least 3", "least 4")
    )
    assert Charts.of({THUG: text}).bribes == BribeTerms(1, ((1, 1), (4, 5)))


def test_rows_for_another_table_in_the_thugs_text_are_not_taken_for_his_terms():
    text = f"{SOURCES_STEPS}\n| 4 || Thug\n| 10 || Thug"
    assert Charts.of({THUG: text}).bribes.steps == ((1, 1), (3, 2))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not in force"),
        ("He is kind.", "has no table with the columns ITEMS OF ONE TYPE, ADDED"),
        (SOURCES_STEPS.replace("Add 2", "Add some"), "“add some to the bribe value”"),
        ("| ITEMS OF ONE TYPE | ADDED |\n|---|---|\n| 0 | 1 |", "from 1 to 999999"),
        ("| ITEMS OF ONE TYPE | ADDED |\n|---|---|\n| 1 | x |", "“x” under ADDED for 1"),
    ],
)
def test_a_thug_whose_terms_cannot_be_read_says_so(text, words):
    with pytest.raises(TableBroken) as broken:
        _ = Charts.of({THUG: text}).bribes
    assert words in broken.value.sentence
    assert broken.value.rule == THUG


def test_the_thug_is_checked_where_he_has_a_text():
    Charts.of(shipped_texts()).check()
    with pytest.raises(TableBroken):
        Charts.of({**shipped_texts(), THUG: "Add some to the Bribe Value."}).check()


@pytest.mark.parametrize("name", Charts.as_shipped().buildings)
def test_a_building_says_what_it_is_good_for(name: str) -> None:
    charts = Charts.as_shipped()
    told = charts.describe_building(name)
    assert ("you win" in told) == (name == charts.victory[0])
    assert ("Each harvest then gives you" in told) == bool(charts.buildings[name].bonus)
