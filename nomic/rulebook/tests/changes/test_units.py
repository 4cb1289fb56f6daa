"""Sentences, paragraphs, items and words that an edit counts or names: those, or none."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.changes.confirming import units_of
from nomic.rulebook.changes.on_paper import PaperRules, changes
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.edits.confirmed import confirm, places_of
from nomic.rulebook.edits.parts import EditFailed, TextPart
from nomic.rulebook.edits.texts import replace_passage
from nomic.rulebook.rendering.markdown import render
from nomic.rulebook.tests.changes.units import CASES, CONFIRMED, MEANWHILE, MISQUOTED, QUOTED

HOSTILE = json.loads(Path(__file__).with_name("units.json").read_text())
"""Cases of one who had read no list of what is sure."""


def _answer(edit: str, text: str, **given: Any) -> dict[str, Any]:
    rule = {"number": 1, "title": "Cats", "text": text}
    confirm = given.pop("confirm", False)
    case = {"id": 1, "body": f"Amend rule 1 by {edit}.", "rules": [rule], **given}
    answer: dict[str, Any] = json.loads(changes(json.dumps(case), confirm=confirm))
    return answer


def _amended(edit: str, text: str, **given: Any) -> str | None:
    """The text as the edit leaves it; None where anything of it is left to an officer."""
    answer = _answer(edit, text, **(given or {"confirm": True}))
    if not all(change["done"] for change in answer["changes"]):
        return None
    return str(answer["rules"][0]["text"])


def _quoted(edit: str, passage: str) -> list[dict[str, str]]:
    return [{"sentence": f"Amend rule 1 by {edit}.", "passage": passage}]


@pytest.mark.parametrize(("edit", "text", "outcome"), [*CASES, *HOSTILE])
def test_a_unit_is_the_one_that_is_meant_or_is_left(
    edit: str, text: str, outcome: str | None
) -> None:
    amended = _amended(edit, text)
    if outcome is None:
        assert amended is None
    else:
        assert amended is not None
        assert amended.rstrip() == outcome.rstrip()


@pytest.mark.parametrize(("edit", "text", "outcome"), CASES)
def test_what_counts_is_left_until_its_units_are_confirmed(
    edit: str, text: str, outcome: str | None
) -> None:
    answer = _answer(edit, text)
    units = answer["units"]
    if units:
        assert answer["rules"][0]["text"] == text
        assert not all(change["done"] for change in answer["changes"])
    amended = _amended(edit, text, units=units)
    assert amended == _amended(edit, text)
    if outcome is not None:
        assert all(unit["passage"] for unit in units)
        assert amended is not None


@pytest.mark.parametrize(("edit", "text", "passage", "outcome"), QUOTED)
def test_what_is_not_sure_is_what_its_author_quotes(
    edit: str, text: str, passage: str, outcome: str
) -> None:
    (unit,) = _answer(edit, text)["units"]
    assert unit["passage"] == ""
    assert _amended(edit, text, units=_quoted(edit, passage)) == outcome


@pytest.mark.parametrize(("edit", "text", "passage", "why"), MISQUOTED)
def test_what_is_confirmed_is_a_whole_unit_of_the_text_or_is_left(
    edit: str, text: str, passage: str, why: str
) -> None:
    answer = _answer(edit, text, units=_quoted(edit, passage))
    assert answer["rules"][0]["text"] == text
    assert why in answer["changes"][0]["why"]


@pytest.mark.parametrize(("edit", "text", "passage", "outcome"), CONFIRMED)
def test_what_an_author_confirms_is_one_whole_unit_or_is_left(
    edit: str, text: str, passage: str, outcome: str | None
) -> None:
    amended = _amended(edit, text, units=_quoted(edit, passage))
    assert (amended and amended.rstrip()) == (outcome and outcome.rstrip())


@pytest.mark.parametrize(
    ("unit", "which", "words", "text", "passage", "meanwhile", "outcome"), MEANWHILE
)
def test_of_a_text_that_changed_meanwhile_the_same_whole_unit_is_meant_or_none(
    unit: str, which: int, words: str, text: str, passage: str, meanwhile: str, outcome: str | None
) -> None:
    part = confirm(text, words, TextPart(unit, which), passage)
    assert places_of(text, words, part, "here")
    if outcome is None:
        with pytest.raises(EditFailed):
            replace_passage(meanwhile, words, words and "dog", "here", part)
    else:
        assert replace_passage(meanwhile, words, words and "dog", "here", part) == outcome


@pytest.mark.parametrize(
    ("units", "why"),
    [
        (
            [{"sentence": "Amend it.", "passage": "A."}],
            "“Amend it.” is no sentence of the text that",
        ),
        (2 * _quoted("deleting the first sentence", "A."), "has more passages than it counts"),
        ([{"sentence": "Amend it."}], "a list of objects with sentence and passage"),
        ({"sentence": "", "passage": ""}, "a list of objects with sentence and passage"),
        ([{"sentence": "", "passage": 5}], "a list of objects with sentence and passage"),
    ],
)
def test_units_that_are_none_of_the_body_are_refused(units: Any, why: str) -> None:
    answer = _answer("deleting the first sentence", "A cat naps. It purrs.", units=units)
    assert answer["error"].startswith("line 1: units: ")
    assert why in answer["error"]


def test_each_sentence_counts_what_those_before_it_leave() -> None:
    sentence = "In rule 1, delete the last sentence."
    rule = {"number": 1, "title": "Cats", "text": "Cats nap. They purr. They eat."}
    case = {"id": 1, "body": f"{sentence}\n\n{sentence}", "rules": [rule]}
    units = json.loads(changes(json.dumps(case)))["units"]
    assert units == [
        {"sentence": sentence, "passage": "They eat."},
        {"sentence": sentence, "passage": "They purr."},
    ]
    answer = json.loads(changes(json.dumps({**case, "units": units})))
    assert answer["rules"][0]["text"] == "Cats nap."


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


def test_a_swap_in_one_sentence_leaves_its_rule_and_nothing_else() -> None:
    rules = [
        {"number": number, "title": title, "text": "Go left, cat."}
        for number, title in ((1, "Cats"), (2, "Dogs"))
    ]
    body = (
        "In rule 1, replace “cat” with “dog”.\n\n"
        "In rule 1, replace “left” with “right” and “right” with “left”.\n\n"
        "In rule 2, replace “cat” with “dog”."
    )
    answer = json.loads(changes(json.dumps({"id": 1, "body": body, "rules": rules})))
    assert [change["done"] for change in answer["changes"]] == [False, False, False, True]
    assert answer["unread"] == []
    assert [rule["text"] for rule in answer["rules"]] == ["Go left, cat.", "Go left, dog."]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "piece",
    ["Dr. Cat ", "(a. B ", "“A. ", "a. B ", "* a\n", "> ", "a\u0301 ", "`", "a\n\n", ". ", "# \n"],
)
@pytest.mark.parametrize("unit", ["sentence", "paragraph", "list item"])
def test_a_long_text_of_anything_is_counted_or_left_at_once(piece: str, unit: str) -> None:
    text = piece * (30_000 // len(piece))
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


@pytest.mark.parametrize(
    ("edit", "text", "candidates"),
    [
        (
            "deleting the first sentence",
            "Yahoo! Is a firm. It purrs.",
            ("Yahoo! Is a firm.", "Yahoo!", "Is a firm.", "It purrs."),
        ),
        (
            "deleting the paragraph beginning “The cat”",
            "The cat naps.\n\nThe cat eats.",
            ("The cat naps.", "The cat eats."),
        ),
        (
            "deleting the only paragraph",
            "The cat naps.\n\nIt eats.",
            ("The cat naps.", "It eats."),
        ),
        (
            "deleting the last list item",
            "- a\n  - b\n\nSo.\n\n* c",
            ("- a\n  - b", "- b", "* c"),
        ),
        (
            "replacing each instance of “cat” with “dog”",
            "A cat and a category.",
            ("A cat and a",),
        ),
        (
            "replacing the only instance of “cat” with “dog”",
            "A cat naps. A cat eats.",
            ("A cat naps. A", "naps. A cat eats."),
        ),
    ],
)
def test_what_is_not_sure_is_one_of_those_that_can_be_confirmed(
    edit: str, text: str, candidates: tuple[str, ...]
) -> None:
    reading = read_changes(f"Amend rule 1 by {edit}.")
    rules = PaperRules([{"number": 1, "title": "Cats", "text": text}], "")
    (unit,) = units_of(rules, reading)
    assert (bool(unit.why), unit.passage) == (True, "")
    assert unit.candidates == candidates
    for passage in candidates:
        amended = _amended(edit, text, units=_quoted(edit, passage))
        assert amended is not None
        assert amended != text


THROUGHOUT = "Throughout the rules, replace “cats” with “dogs”."


def test_words_throughout_the_rules_are_replaced_in_those_that_their_author_confirmed() -> None:
    rules = [{"title": title, "text": "cats"} for title in ("One", "Two")]

    def answer(**more: Any) -> Any:
        case = {"id": 1, "body": THROUGHOUT, "rules": rules, **more}
        return json.loads(changes(json.dumps(case)))

    meant = {"sentence": THROUGHOUT, "passage": "2 rules: “One” and “Two”"}
    asked = answer()
    assert (asked["units"], asked["changes"][0]["done"]) == ([meant], False)
    assert "confirm in which" in asked["changes"][0]["why"]
    done = answer(units=[meant])
    assert (done["changes"][0]["done"], [r["text"] for r in done["rules"]]) == (
        True,
        ["dogs"] * 2,
    )
    for passage in ("1 rule: “One”", "2 rules: “One” and “Three”", ""):
        (left,) = answer(units=[{**meant, "passage": passage}])["changes"]
        assert not left["done"]
    rules.append({"title": "Three", "text": "cats"})
    (left,) = answer(units=[meant])["changes"]
    assert left["done"] is False
    assert "It stands in 3 rules: “One”, “Two” and “Three”" in left["why"]
    rules[:] = [{"title": "One", "text": "dogs"}]
    assert "stands in no rule" in answer(units=[meant])["changes"][0]["why"]
