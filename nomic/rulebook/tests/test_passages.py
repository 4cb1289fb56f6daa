"""The passages of a text: nothing that it says is left out, and nothing is in two of them."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.passages import (
    PassageKind,
    fingerprint,
    normalised,
    passages_of,
    pieces_in,
    words_of,
)

SOURCES = Path(__file__).parents[4] / "shared/seeds"

RULE = """## Gains

Each player gains a hoof. “Run!” they say. It is e.g. monthly, as rule 2.5 has it.
A player CAN do one of these:

* bet 1, 2, or
3 dollaries;
* gain 4 dollaries. Only once.

| PRIZE | DOLLARIES |
| --- | --- |
| First | 50 |
| Second | 30 |

HORSE           1 2 3
--------------------
Alexia          5 4 3

! Roll !! Visitor
| 4 || Thug
After this chart, nothing.

```python
def mark(hands):

    return hands
```
1. It ends.
2. It ends again.
"""


def _told(text: str) -> list[tuple[PassageKind, str]]:
    return [(passage.kind, passage.text) for passage in passages_of(text)]


def test_a_rule_is_divided_into_headings_sentences_items_rows_and_programs() -> None:
    assert _told(RULE) == [
        (PassageKind.HEADING, "## Gains"),
        (PassageKind.SENTENCE, "Each player gains a hoof."),
        (PassageKind.SENTENCE, "“Run!” they say."),
        (PassageKind.SENTENCE, "It is e.g. monthly, as rule 2.5 has it."),
        (PassageKind.SENTENCE, "A player CAN do one of these:"),
        (PassageKind.ITEM, "* bet 1, 2, or\n3 dollaries;"),
        (PassageKind.ITEM, "* gain 4 dollaries. Only once."),
        (PassageKind.ROW, "| PRIZE | DOLLARIES |\n| --- | --- |"),
        (PassageKind.ROW, "| First | 50 |"),
        (PassageKind.ROW, "| Second | 30 |"),
        (PassageKind.ROW, "HORSE           1 2 3\n--------------------"),
        (PassageKind.ROW, "Alexia          5 4 3"),
        (PassageKind.ROW, "! Roll !! Visitor"),
        (PassageKind.ROW, "| 4 || Thug"),
        (PassageKind.SENTENCE, "After this chart, nothing."),
        (PassageKind.PROGRAM, "```python\ndef mark(hands):\n\n    return hands\n```"),
        (PassageKind.ITEM, "1. It ends."),
        (PassageKind.ITEM, "2. It ends again."),
    ]


def test_a_sentence_does_not_end_with_an_abbreviation_or_a_name() -> None:
    text = "Dr. Cat naps. Mr. Dog, cf. Fig. 3, asks “Why?” Loses. Yahoo! Inc. Pays approx. Five.\n"
    assert [passage.text for passage in passages_of(text)] == [
        "Dr. Cat naps.",
        "Mr. Dog, cf. Fig. 3, asks “Why?” Loses.",
        "Yahoo! Inc. Pays approx. Five.",
    ]


def test_a_line_across_is_no_item_and_code_ends_with_marks_of_its_own() -> None:
    text = "* One\n\n- - -\n\n````\n```\n````\nTwo.\n"
    assert _told(text) == [
        (PassageKind.ITEM, "* One"),
        (PassageKind.HEADING, "- - -"),
        (PassageKind.PROGRAM, "````\n```\n````"),
        (PassageKind.SENTENCE, "Two."),
    ]


def _covers(text: str) -> None:
    place = 0
    for passage in passages_of(text):
        assert not text[place : passage.start].strip()
        assert passage.text == text[passage.start : passage.end]
        assert passage.text.strip() == passage.text
        assert passage.text
        place = passage.end
    assert not text[place:].strip()


@given(st.text(alphabet="aB1. \n*|-!`#=~_\t“”•)(:?", max_size=120))
def test_every_character_that_says_something_is_in_exactly_one_passage(text: str) -> None:
    _covers(text)
    assert len(passages_of(text)) <= pieces_in(text)


@pytest.mark.parametrize("source", sorted(SOURCES.glob("00*.txt")), ids=lambda each: each.name[:3])
def test_so_is_every_character_of_the_sources(source: Path) -> None:
    _covers(source.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("written", "also"),
    [
        ("Gain 4\n  dollaries.", "Gain 4 dollaries."),
        ("* gain **4** dollaries;", "- gain 4 dollaries;"),
        ("“Yes” – e’s _sure_.", '"Yes" - e\'s sure.'),
    ],
)
def test_what_says_nothing_makes_no_difference(written: str, also: str) -> None:
    assert normalised(written) == normalised(also)
    assert fingerprint(written) == fingerprint(also)


@pytest.mark.parametrize(
    "other", ["gain 6 dollaries.", "Gain 4 dollaries", "Gain 4 dollaries!", "GAIN 4 dollaries."]
)
def test_every_word_number_and_sign_makes_one(other: str) -> None:
    assert fingerprint("Gain 4 dollaries.") != fingerprint(other)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece", ["a. B ", "* ", "|", "-\n", "1. x\n", "a.", "! ", "a  b\n", "_a "]
)
def test_a_long_text_of_anything_is_divided_at_once(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    _covers(text)
    assert time.process_time() - begun < 3


def test_a_page_quotes_the_words_of_a_passage_without_the_marks_of_emphasis() -> None:
    assert words_of("- **Sugar** (*weekly*\n  power): `3 * 4`.") == "Sugar (weekly power): 3 * 4."
    assert words_of("2 * 3 is 6, and a_b_c is one.") == "2 * 3 is 6, and a_b_c is one."
