"""The isle's rule texts: in our own words, and fit for what Protection Money does to them."""

import re
from pathlib import Path

import pytest

from nomic.rulebook.edits.rows import add_rows
from nomic.rulebook.edits.texts import add_bullets
from nomic.rulebook.shipped import shipped_rules
from settlers.rulebook import RULEBOOK, THUG, shipped_texts, thug_text
from settlers.rules.charts import Charts
from settlers.rules.injuries import NO_VICTIMS, VICTIMS_ARE_INJURED
from settlers.rules.isle import RESOURCES
from settlers.rules.titles import DECK, GIFT, MERCHANT, SEALED, VISITORS

SEEDS = Path(__file__).parents[4] / "shared/seeds"
SOURCE = SEEDS / "003_01c275c00b033f38.txt"
REPLACED = (
    "If a Settler has not done so since the most recent Production of Resources, they may perform"
    " the following atomic action, known as Harvesting the Crop:"
)
WITH = (
    "There are two publicly tracked variables named “Injured” and “Victims”, each of which is a"
    " list containing 0 or more names of Settlers, defaulting to empty.\nIf a Settler has not done"
    " so since the most recent Production of Resources, they may perform the following atomic"
    " action, known as Harvesting the Crop, unless their name is in the Injured list:"
)
BULLETS = (
    "* Set the Injured list to contain the same values as the Victims list\n"
    "* Set the Victims list to empty"
)


def test_an_isle_starts_with_five_rules_and_their_sources():
    rules = {rule.title: rule for rule in shipped_rules(RULEBOOK, "settlers")}
    assert tuple(rules) == (GIFT, DECK, VISITORS, MERCHANT, SEALED)
    assert all(rule.source for rule in rules.values())
    assert [rule.title for rule in rules.values() if rule.parent] == [MERCHANT]
    assert rules[MERCHANT].parent == VISITORS


def test_no_isle_starts_with_the_thug():
    (rule,) = shipped_rules(THUG, "settlers")
    assert (rule.title, rule.parent) == ("Thug", "Visitors")
    assert thug_text() not in shipped_texts().values()


def test_the_gift_has_the_passage_that_is_replaced_once_and_can_be_played_by_after_it():
    assert sum(text.count(REPLACED) for text in shipped_texts().values()) == 1
    amended = shipped_texts()[GIFT].replace(REPLACED, WITH)
    before, after = Charts.as_shipped(), Charts.of({**shipped_texts(), GIFT: amended})
    assert (before.injury_bars, after.injury_bars) == (False, True)
    assert (after.yields, after.buildings) == (before.yields, before.buildings)


def test_the_added_steps_are_the_last_of_the_production():
    amended = add_bullets(shipped_texts()[DECK], BULLETS)
    assert amended.rstrip().endswith(f"* Set every Settler to not Ready\n{BULLETS}")
    charts = Charts.of({**shipped_texts(), DECK: amended})
    assert charts.injury_steps == (VICTIMS_ARE_INJURED, NO_VICTIMS)
    assert charts.deck == Charts.as_shipped().deck


@pytest.mark.parametrize("name", ["Visitors table", "Visitors", "the Visitors table"])
def test_the_added_rows_stand_in_the_visitors_table(name):
    text = add_rows(shipped_texts()[VISITORS], name, "| 4 || Thug\n| 10 || Thug", title=VISITORS)
    charts = Charts.of({**shipped_texts(), VISITORS: text})
    assert charts.visitors == {5: "Merchant", 9: "Merchant", 4: "Thug", 10: "Thug"}
    assert charts.arrival_after == Charts.as_shipped().arrival_after


def test_the_gift_names_every_resource():
    assert all(resource in shipped_texts()[GIFT] for resource in RESOURCES)


def test_the_passages_here_are_those_of_the_source():
    if not SOURCE.exists():
        pytest.skip("the source document is not beside this repository")
    source = SOURCE.read_text()
    assert f"replace this text:\n{REPLACED}\nwith the following text:\n{WITH}\n" in source
    assert BULLETS in source


def test_the_rule_texts_hold_no_sentence_of_the_sources():
    if not SEEDS.exists():
        pytest.skip("the source documents are not beside this repository")
    theirs = [" ".join(source.read_text().split()) for source in SEEDS.glob("0*.txt")]
    for text in (*shipped_texts().values(), thug_text()):
        for sentence in re.split(r"(?<=[.:;])\s+", text.replace(REPLACED, "").replace("\n", " ")):
            if len(sentence.split()) > 6 and "|" not in sentence:
                assert not any(sentence in source for source in theirs), sentence
