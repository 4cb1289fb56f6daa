"""The sources' own rule texts: of each sentence the site says who carries it out, and what a vote
changes in them is done or is told not to be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aceofspades.rulebook.machinery import regulations
from nomic.engine.subgames import find_subgame
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery, Mark, MarkedPassage, marks_of
from nomic.rulebook.in_force import name_key

SEEDS = Path(__file__).parents[2] / "shared/seeds"
ENACTED = re.compile(
    r'Enact a new rule with title "([^"]+)" and the following text:\s*\{\n(.*?)\n\}', re.DOTALL
)
ACTIONS = "Weekly Race Actions"

pytestmark = pytest.mark.skipif(
    not SEEDS.exists(), reason="the source documents are not beside this repository"
)


def source(number: str) -> str:
    return next(SEEDS.glob(f"{number}_*")).read_text(encoding="utf-8")


def proposal_8822() -> dict[str, str]:
    return {title: text.strip() + "\n" for title, text in ENACTED.findall(source("000"))}


def rule_5e33() -> str:
    text = source("002")
    return text[text.index("Proposals are a type of") : text.index("Personal tools")]


def machinery(subgame: str, title: str, part: str = "") -> Machinery:
    found = find_subgame(subgame)
    known = machinery_in(found.rulebook / part, found.open_tables, found.clauses)
    return known[name_key(title)]


def unfitted(text: str, known: Machinery) -> list[MarkedPassage]:
    return marks_of(text, known).unfitted


def test_every_sentence_of_proposal_8822_is_carried_out() -> None:
    rules = proposal_8822()
    assert len(rules) == 7
    for title, text in rules.items():
        marks = marks_of(text, machinery("horses", title))
        assert (marks.unfitted, marks.carried_out) == ([], marks.said)


def test_of_every_sentence_of_rule_5e33_it_is_known_who_carries_it_out() -> None:
    assert unfitted(rule_5e33(), machinery("proposals", "Proposals", "rule-5e33")) == []


def test_a_number_of_proposal_8822_is_read_by_a_clause() -> None:
    text = proposal_8822()[ACTIONS].replace("gain 4", "gain 6")
    marks = marks_of(text, machinery("horses", ACTIONS))
    assert marks.unfitted == []
    (gain,) = [each for each in marks.passages if each.passage and "gain 6" in each.passage.text]
    assert gain.mark is Mark.CLAUSE


def test_a_condition_in_proposal_8822_is_not_carried_out() -> None:
    text = proposal_8822()[ACTIONS]
    poor = text.replace("by announcement.", "by announcement, if e has fewer than 5.")
    (waits,) = unfitted(poor, machinery("horses", ACTIONS))
    assert waits.parts == ("horses.gain_dollaries",)


@pytest.mark.parametrize("words", ["YES or NO", "FOR, AGAINST, ABSTAIN or PERHAPS"])
def test_other_words_of_a_vote_are_carried_out(words: str) -> None:
    ours = {rule.title: rule.text for rule in find_subgame("proposals").shipped("refresh-2006")}
    text = ours["Proposals"].replace("FOR, AGAINST or ABSTAIN", words)
    assert text != ours["Proposals"]
    assert unfitted(text, machinery("proposals", "Proposals", "refresh-2006")) == []


def test_a_number_of_the_contest_is_read_by_a_clause_and_a_new_word_is_not() -> None:
    known = regulations(find_subgame("aceofspades").clauses)[name_key("Regulation 215")]
    (said,) = re.findall(r"<dt>215\. <dd>  (.+?)\n\n", source("004"), re.DOTALL)
    for text in (said, said.replace("7 cards", "9 cards")):
        assert [each.mark for each in marks_of(text, known).passages] == [Mark.CLAUSE]
    (waits,) = unfitted(said.replace("7 cards", "7 red cards"), known)
    assert "aceofspades.join" in waits.parts
