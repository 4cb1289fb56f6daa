"""The shipped rule texts: in our own words, and fit for what the real proposals do to them."""

import re
from pathlib import Path

import pytest

from nomic.rulebook.shipped import shipped_rules
from nomic.rulebook.tables import find_table
from proposals.rules import EDITIONS
from proposals.shipped import RULEBOOK, shipped_texts

SEEDS = Path(__file__).parents[3] / "shared/seeds"
FOLDERS = (*EDITIONS, "isle")
REPLACED = (
    "If a Settler has not done so since the most recent Production of Resources, they may perform"
    " the following atomic action, known as Harvesting the Crop:"
)


def rules(folder: str) -> dict[str, object]:
    return {rule.title: rule for rule in shipped_rules(RULEBOOK / folder, "proposals")}


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_an_edition_ships_the_rules_that_it_is_played_by_with_their_source(edition):
    shipped = rules(edition.name)
    assert tuple(shipped) == edition.rules
    assert all(rule.source for rule in shipped.values())


def test_the_main_rules_of_b_nomic_have_their_numbers():
    assert rules("refresh-2006")["Proposals"].number == "2-2"
    assert rules("rule-5e33")["Proposals"].number == "5E33"


def test_the_isle_has_what_protection_money_changes():
    texts = shipped_texts("isle")
    assert tuple(texts) == ("The Gift of the Isle", "The Dice Deck", "Visitors", "Merchant")
    assert sum(text.count(REPLACED) for text in texts.values()) == 1
    assert texts["The Gift of the Isle"].count(REPLACED) == 1
    assert texts["The Dice Deck"].rstrip().splitlines()[-1].startswith("* ")
    visitors = find_table(texts["Visitors"], "Roll", "Visitor")
    assert visitors is not None
    assert [tuple(row.values()) for row in visitors.rows] == [("5", "Merchant"), ("9", "Merchant")]
    assert texts["Visitors"].rstrip().splitlines()[-1] == "| 9 || Merchant"
    assert rules("isle")["Merchant"].parent == "Visitors"


def test_the_passage_that_is_quoted_is_the_one_that_protection_money_replaces():
    source = SEEDS / "003_01c275c00b033f38.txt"
    if not source.exists():
        pytest.skip("the source document is not beside this repository")
    _, _, after = source.read_text().partition("replace this text:\n")
    assert after.splitlines()[0] == REPLACED


def test_the_isles_tables_give_yields_and_costs():
    text = shipped_texts("isle")["The Gift of the Isle"]
    yields = find_table(text, "NUMBER", "YIELD")
    assert yields is not None
    assert {int(row["NUMBER"]): int(row["YIELD"]) for row in yields.rows} == {
        2: 5,
        12: 5,
        3: 4,
        11: 4,
        4: 3,
        10: 3,
        5: 2,
        9: 2,
        6: 1,
        8: 1,
    }
    buildings = find_table(text, "BUILDING", "COST", "HARVEST BONUS")
    assert buildings is not None
    assert [row["BUILDING"] for row in buildings.rows] == ["Farm", "Quarry", "Church", "Cone"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_rule_texts_hold_no_sentence_of_the_sources(folder):
    if not SEEDS.exists():
        pytest.skip("the source documents are not beside this repository")
    theirs = [" ".join(source.read_text().split()) for source in SEEDS.glob("0*.txt")]
    for text in shipped_texts(folder).values():
        for sentence in re.split(r"(?<=[.:;])\s+", text.replace(REPLACED, "").replace("\n", " ")):
            if len(sentence.split()) > 6 and "|" not in sentence:
                assert not any(sentence in source for source in theirs), sentence
