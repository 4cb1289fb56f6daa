"""The regulations that a contest starts with: all of them, and in our own words."""

import re
from pathlib import Path

import pytest

from aceofspades.rulebook import SECRET_NUMBERS, library, shipped_regulations, shipped_texts

SEEDS = Path(__file__).parents[4] / "shared/seeds"
SOURCE = SEEDS / "004_2352abe44ffa9df9.txt"
MARKING = {310, 320, 330, 410}


def test_a_contest_starts_with_every_regulation_of_the_source_that_is_not_secret():
    numbers = [int(rule.number) for rule in shipped_regulations()]
    immutable = [n for n in range(101, 126) if n != 111]
    assert numbers == [*immutable, *range(200, 255, 5)[:3], *numbers[27:]]
    assert numbers[27:] == [215, 220, 225, 230, 235, 240, 245, 250, 310, 320, 330, 410, 999]


def test_every_regulation_goes_by_its_number_and_names_its_source():
    for rule in shipped_regulations():
        assert rule.title == f"Regulation {rule.number}"
        ours = "; the hours without cards are this site's own" if rule.number == "215" else ""
        assert rule.source == f"Agora, The Ace of Spades Contest, March 2002, by Goethe{ours}"
        assert rule.origin == "aceofspades"
        assert rule.text.strip()


def test_the_shipped_numbers_and_those_of_the_source_are_the_same():
    if not SOURCE.exists():
        pytest.skip("the source document is not beside this repository")
    theirs = {int(number) for number in re.findall(r"<dt>\s*([0-9]{3})\.", SOURCE.read_text())}
    assert theirs == {number for number, _ in shipped_texts()} | set(SECRET_NUMBERS)


def test_marking_regulations_carry_a_block_and_others_none():
    with_block = {number for number, text in shipped_texts() if "```python\n" in text}
    assert with_block == MARKING
    for number in MARKING:
        text = dict(shipped_texts())[number]
        assert text.count("```") == 2
        by_hand = "def mark_hand(name, hands, worth, alliances):" in text
        assert by_hand or "def mark(hands, worth, alliances):" in text
        assert by_hand == (number != 410)


def test_the_shipped_texts_hold_no_sentence_of_the_source():
    if not SOURCE.exists():
        pytest.skip("the source document is not beside this repository")
    theirs = words(re.sub(r"<[^>]*>", " ", SOURCE.read_text()))
    for rule in (*shipped_regulations(), *library()):
        prose = rule.text.partition("```")[0]
        lines = [line for line in prose.splitlines() if "|" not in line]
        for part in re.split(r"(?<=[.:;,])\s+", " ".join(lines)):
            own = words(part)
            for start in range(len(own) - 6):
                run = own[start : start + 7]
                assert not contains(theirs, run), f"{rule.title}: {' '.join(run)}"


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9’']+", text.lower())


def contains(longer: list[str], run: list[str]) -> bool:
    return f" {' '.join(run)} " in f" {' '.join(longer)} "
