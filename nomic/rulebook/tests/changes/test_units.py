"""Sentences, paragraphs, items and words that an edit counts or names: those, or none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.changes.on_paper import changes
from nomic.rulebook.rendering.markdown import render
from nomic.rulebook.tests.changes.units import CASES


def _amended(edit: str, text: str) -> str | None:
    """The text as the edit leaves it; None where anything of it is left to an officer."""
    rule = {"number": 1, "title": "Cats", "text": text}
    case = {"id": 1, "body": f"Amend rule 1 by {edit}.", "rules": [rule]}
    answer = json.loads(changes(json.dumps(case)))
    if not all(change["done"] for change in answer["changes"]):
        return None
    return str(answer["rules"][0]["text"])


@pytest.mark.parametrize(("edit", "text", "outcome"), CASES)
def test_a_unit_is_the_one_that_is_meant_or_is_left(
    edit: str, text: str, outcome: str | None
) -> None:
    amended = _amended(edit, text)
    if outcome is None:
        assert amended is None
    else:
        assert amended is not None
        assert amended.rstrip() == outcome.rstrip()


def test_a_head_s_edits_that_feed_each_other_are_left_and_those_of_two_sentences_follow() -> None:
    listed = (
        "Amend rule 1 as follows:\n* Replace “left” with “right”.\n* Replace “right” with “left”."
    )
    rule = {"number": 1, "title": "Cats", "text": "Go left."}
    for body, text in (
        (listed, "Go left."),
        ("In rule 1, replace “left” with “right”. In rule 1, replace “right” with “up”.", "Go up."),
    ):
        answer = json.loads(changes(json.dumps({"id": 1, "body": body, "rules": [rule]})))
        assert answer["rules"][0]["text"] == text
        assert {change["done"] for change in answer["changes"]} == {text != "Go left."}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece",
    ["Dr. Cat ", "(a. B ", "“A. ", "a. B ", "* a\n", "> ", "a\u0301 ", "`", "a\n\n", ". ", "# \n"],
)
@pytest.mark.parametrize("unit", ["sentence", "paragraph", "list item"])
def test_a_long_text_of_anything_is_counted_or_left_at_once(piece: str, unit: str) -> None:
    text = piece * (100_000 // len(piece))
    assert _amended(f"deleting the last {unit}", text) != text
    assert _amended(f"replacing each instance of the word “{piece.strip()}” with “b”", text) != text


LINES = st.sampled_from(
    [
        *(
            "",
            "",
            "",
            "One naps.",
            "Two. Three",
            "  four",
            "    five",
            "# Head",
            "---",
            "===",
            "- - -",
        ),
        *(
            "* item",
            "  * nested",
            "1. one",
            "12. The",
            "(a) let",
            "> quote",
            "```",
            "~~~",
            "``` x ```",
        ),
        *("| a | b |", "|---|---|", "! a !! b", "| c || d", "**Bold**", "== W ==", "\ttab", "x\\"),
        *("[x]: http://y.example", "Name      1 2", "---------", "-", "* ```", "- > q", "<b>", "#"),
    ]
)


@given(st.lists(LINES, min_size=1, max_size=8).map("\n".join), st.sampled_from([1, 2, 3, -1]))
def test_where_a_paragraph_is_counted_the_page_changes_in_that_one_alone(
    text: str, which: int
) -> None:
    ordinal = {1: "first", 2: "second", 3: "third", -1: "last"}[which]
    amended = _amended(f"replacing the {ordinal} paragraph with “Zebra”", text)
    if amended is None:
        return
    before, after = str(render(text)), str(render(amended))
    above, _, below = after.partition("<p>Zebra</p>")
    assert before.startswith(f"{above}<p>")
    assert before.endswith(f"</p>{below}")
    assert "<p>" not in before[len(above) + 3 : len(before) - len(below)]
    if which > 0 and "<blockquote>" not in above:
        assert above.count("<p>") == which - 1
    if which == -1 and not any(block in below for block in ("<blockquote>", "<li>")):
        assert "<p>" not in below
