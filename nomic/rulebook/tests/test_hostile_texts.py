"""Texts on which a careless expression takes the square of their length, which is minutes."""

import pytest

from aceofspades.rules.marks import problem_in
from nomic.rulebook.changes.reading import readable_changes
from nomic.rulebook.edits import rows
from nomic.rulebook.passages import passages_of
from nomic.rulebook.rendering.markdown import render
from nomic.rulebook.units import blocks_of

_LONG = 100_000

HOSTILE = [
    *("." * _LONG, "..!?" * (_LONG // 4) + "a", " " * _LONG + "a", "a" + " " * _LONG + "b"),
    *("=" * _LONG + "x", "```" + " " * _LONG + "`", '."' * (_LONG // 2), "__a " * (_LONG // 4)),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_every_reader_gets_to_the_end_of_a_hostile_text(text: str) -> None:
    [passage] = passages_of(text)
    assert passage.text == text.strip()
    assert len(readable_changes(text)) <= 1
    assert "no block" in str(problem_in(text))
    [block] = blocks_of(text)
    assert text[block.start : block.end] == text.strip()
    assert rows._HEADING.match(text) is None
    assert rows._TABLE_WORDS.sub("", text) == text
    assert "<script" not in render(text[:20_000])


def test_a_row_of_dots_ends_a_sentence_as_ever() -> None:
    said = [each.text for each in passages_of("Wait... Then go?! (Or not.) *Yes.* 1. e.g. this")]
    assert said == ["Wait...", "Then go?!", "(Or not.)", "*Yes.*", "1. e.g. this"]


def test_lines_of_spaces_stand_between_paragraphs_as_ever() -> None:
    text = "  one\n two \n \t \n\nthree\n"
    blocks = [text[block.start : block.end] for block in blocks_of(text)]
    assert blocks == ["one\n two", "three"]


def test_headings_of_signs_are_known_as_ever() -> None:
    for line in ("= a =", "== a ==  ", "====", "  ## a", "**a**:", "__a__"):
        assert rows._HEADING.match(line), line
    for line in ("=", "= =", "a = b =", "**a", "==="):
        assert bool(rows._HEADING.match(line)) is (line == "==="), line
