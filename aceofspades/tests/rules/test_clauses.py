"""The source's own regulations say the numbers of the contest, and another number counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aceofspades.rulebook import shipped_texts
from aceofspades.rulebook.machinery import regulations
from aceofspades.rules.charts import Charts, charts_from
from aceofspades.rules.clauses import CLAUSES
from nomic.rulebook.clauses import cells_of
from nomic.rulebook.coverage.marks import Mark, marks_of
from nomic.rulebook.in_force import name_key

SOURCE = Path(__file__).parents[4] / "shared/seeds/004_2352abe44ffa9df9.txt"
_REGULATION = re.compile(r"<dt>\s*([0-9]{3})\.\s*<dd>(.*?)(?=<dt>|</dl>)", re.DOTALL)


@cache
def source() -> dict[int, str]:
    if not SOURCE.exists():
        pytest.skip("the source document is not beside this repository")
    said = re.sub(r"</?(?:em|strong|ul|li|a[^>]*)>", "", SOURCE.read_text(errors="replace"))
    return {int(number): text for number, text in _REGULATION.findall(said)}


def charts(number: int = 0, old: str = "", new: str = "") -> Charts:
    """The source's regulations as they are played, perhaps with other words in one of them."""
    texts = dict(source())
    if number:
        text = " ".join(texts[number].split())
        assert old in text
        texts[number] = text.replace(old, new)
    return charts_from(texts.items())


READ: list[tuple[int, str, str, Callable[[Charts], Any], Any, Any]] = [
    (101, "101-125", "101-130", lambda c: c.immutable, range(101, 126), range(101, 131)),
    (107, "200 or", "250 or", lambda c: c.proposable, range(200, 1000), range(250, 1000)),
    (110, "72 hours", "48 hours", lambda c: c.decided_after, timedelta(3), timedelta(2)),
    (119, "300", "310", lambda c: c.marking_from, 300, 310),
    (121, "72 hours", "24 hours", lambda c: c.next_finalist_after, timedelta(3), timedelta(1)),
    (210, "20 Cards", "thirty Cards", lambda c: c.filling_of(210), 20, None),
    (210, "20 Cards", "30 Cards", lambda c: c.filling_of(210), 20, 30),
    (215, "dealt 7", "dealt five", lambda c: c.dealt_to_new, 7, 5),
    (245, "one of each", "two of each", lambda c: c.fee, 1, 2),
]


@pytest.mark.parametrize(("number", "old", "new", "read", "value", "other"), READ)
def test_a_regulation_of_the_source_says_its_number(number, old, new, read, value, other) -> None:
    assert read(charts()) == value
    if other is not None:
        assert read(charts(number, old, new)) == other


def test_ours_say_them_in_their_tables_and_no_other_sentence_is_taken_for_one() -> None:
    for number, text in shipped_texts():
        assert cells_of(text, CLAUSES) == {}, number


# The list of 110 has lost its marks in `source`.
@pytest.mark.parametrize(
    ("number", "old", "new"),
    [each[:3] for each in READ if each[5] is not None and each[0] != 110],
)
def test_its_page_says_that_the_number_is_read_and_another_one_as_well(number, old, new) -> None:
    machinery = regulations(CLAUSES)[name_key(f"Regulation {number}")]
    text = " ".join(source()[number].split())
    assert old in text
    for said in (text, text.replace(old, new)):
        marks = marks_of(said, machinery)
        assert Mark.CLAUSE in {each.mark for each in marks.passages}
        assert not marks.unfitted


def test_of_ours_no_number_waits_for_an_officer() -> None:
    for number, text in shipped_texts():
        machinery = regulations(CLAUSES)[name_key(f"Regulation {number}")]
        assert not marks_of(text, machinery).unfitted
        assert not marks_of(re.sub(r"\| 7 \|", "| 6 |", text), machinery).unfitted
