"""A game's bounds as they are declared let a game as Agora has been live, several times over."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nomic.games import bounds
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes

CORPORA = Path(__file__).parents[4] / "shared/corpora"


def lines_of(path: str) -> list[Any]:
    """The lines of a corpus, a value each."""
    file = CORPORA / path
    if not file.exists():
        pytest.skip("the corpora are not beside this repository")
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def bodies() -> Iterator[str]:
    for distribution in lines_of("agora-years/2021/distributions.jsonl"):
        yield from (each["text"] for each in distribution["proposals"])
    yield from (each["body"] for each in lines_of("agora-history/2020-2023.jsonl"))


@pytest.mark.thorough
def test_no_body_of_agoras_comes_near_a_bound() -> None:
    longest = most = 0
    for body in bodies():
        longest = max(longest, len(body))
        try:
            most = max(most, len(read_changes(body).changes))
        except Unreadable:
            continue
    assert 0 < longest * 5 < bounds.BODY.most
    assert 0 < most * 5 < bounds.CHANGES.most


def test_a_distribution_of_agoras_waits_within_the_bounds() -> None:
    for distribution in lines_of("agora-years/2021/distributions.jsonl"):
        proposals = distribution["proposals"]
        authors = Counter(each["author"] for each in proposals)
        texts: Counter[str] = Counter()
        for each in proposals:
            texts[each["author"]] += len(each["text"])
        assert max(authors.values()) * 3 < bounds.PROPOSALS_OF_PLAYER.most
        assert len(proposals) * 100 < bounds.PROPOSALS.most
        assert max(texts.values()) * 5 < bounds.WAITING_OF_PLAYER.most
        assert texts.total() * 20 < bounds.WAITING.most


def test_agoras_rulebook_fits_several_times() -> None:
    file = CORPORA / "agora-years/2021/rules-after.json"
    if not file.exists():
        pytest.skip("the corpora are not beside this repository")
    rules = [each["text"] for each in json.loads(file.read_text())]
    assert len(rules) * 10 < bounds.RULES.most
    assert sum(map(len, rules)) * 4 < bounds.RULEBOOK.most
    assert max(map(len, rules)) * 5 < bounds.RULE.most
    # Each rule amended in one proposal, which no proposal of Agora's ever did.
    assert sum(map(len, rules)) * 4 < bounds.EDITED.most
