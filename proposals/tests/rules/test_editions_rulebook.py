"""The shipped rule texts: in our own words, and fit for what the real proposals do to them."""

import re
from pathlib import Path

import pytest

from nomic.rulebook.shipped import shipped_rules
from proposals.rulebook import RULEBOOK, shipped_texts
from proposals.rules import EDITIONS

SEEDS = Path(__file__).parents[4] / "shared/seeds"


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


@pytest.mark.parametrize("folder", EDITIONS)
def test_the_rule_texts_hold_no_sentence_of_the_sources(folder):
    if not SEEDS.exists():
        pytest.skip("the source documents are not beside this repository")
    theirs = [" ".join(source.read_text().split()) for source in SEEDS.glob("0*.txt")]
    for text in shipped_texts(folder).values():
        for sentence in re.split(r"(?<=[.:;])\s+", text.replace("\n", " ")):
            if len(sentence.split()) > 6 and "|" not in sentence:
                assert not any(sentence in source for source in theirs), sentence
