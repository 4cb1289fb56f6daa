"""Shapes of the language: one sentence, several edits under one head, several rules."""

import pytest

from nomic.rulebook.changes.kinds import (
    Append,
    ByHand,
    Change,
    Give,
    Insert,
    Ratify,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetPower,
)
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.edits.parts import TextPart
from nomic.rulebook.tests.changes.test_reading import FOUR, X, read


@pytest.mark.parametrize(
    ("sentence", "change"),
    [
        (
            "Amend rule 4 by replacing each instance of “a” with “b”.",
            ReplacePassage(FOUR, "a", "b", TextPart("", "each")),
        ),
        (
            "Amend rule 4 by replacing the paragraph beginning “a” with the following: {b}",
            ReplacePassage(FOUR, "a", "b", TextPart("paragraph", "beginning")),
        ),
        (
            "Amend rule 4 by deleting the list item containing “a”.",
            ReplacePassage(FOUR, "a", "", TextPart("item", "containing")),
        ),
        (
            "Amend rule 4 by replacing the final paragraph with “b”.",
            ReplacePassage(FOUR, "", "b", TextPart("paragraph", -1)),
        ),
        (
            "Amend rule 4 by appending “b” to the paragraph beginning “a”.",
            Append(FOUR, "b", "", "a", TextPart("paragraph", "beginning")),
        ),
        (
            "Amend rule 4 by inserting the sentence “b” after the sentence that begins “a”.",
            Insert(FOUR, "after", "a", "b", "sentence", TextPart("sentence", "beginning")),
        ),
        (
            "Amend rule 4 by replacing the final “a” character with “b”.",
            ReplacePassage(FOUR, "a", "b", TextPart("", -1)),
        ),
        ("Amend rule 4 by by deleting “a”.", ReplacePassage(FOUR, "a", "")),
        (
            'Amend rule 4, "X, by deleting “a”.',
            ReplacePassage(RuleRef("X", "4"), "a", ""),
        ),
        ("In rule 4, after “a”, insert “b”.", Insert(FOUR, "after", "a", "b")),
        (
            "Insert “b” before the word “a” in rule 4.",
            Insert(FOUR, "before", "a", "b", "", TextPart("word", "whole")),
        ),
        ("Append “b” to the rule “X”.", Append(X, "b")),
        ("Append the following to rule 4: {b}", Append(FOUR, "b")),
        ("Change the power of rule 4 from 1 to 3.1.", SetPower(FOUR, "3.1")),
        ("Amend rule 4 by changing its power to 2.", SetPower(FOUR, "2")),
        (
            "Replace the following paragraph in rule 4: {a} with: {b}",
            ReplacePassage(FOUR, "a", "b", TextPart("paragraph", "whole")),
        ),
        (
            "Delete the following sentence from rule 4: {a}",
            ReplacePassage(FOUR, "a", "", TextPart("sentence", "whole")),
        ),
        (
            "Amend rule 4 by replacing the list item “a” with “b”.",
            ReplacePassage(FOUR, "a", "b", TextPart("item", "whole")),
        ),
        ("Delete the sentences “a” from rule 4.", ReplacePassage(FOUR, "a", "")),
        ("In rule 4, amend “a” to read “b”.", ReplacePassage(FOUR, "a", "b")),
        (
            "Amend the final item in rule 4 to read as follows: {b}",
            ReplacePassage(FOUR, "", "b", TextPart("item", -1)),
        ),
        (
            "Amend rule 4 by prepending the following paragraph: {b}",
            Insert(FOUR, "before", "", "b", "paragraph", TextPart("text", 1)),
        ),
        ("Amend rule 4 by amending its text to: {b}", ReplaceText(FOUR, "b")),
        ("Repeal R4.", Repeal(FOUR)),
        ("Rule 4 is hereby repealed.", Repeal(FOUR)),
        ("Give Agora 5 points.", Give("Agora", 5, "points")),
    ],
)
def test_a_shape_of_the_language_is_read(sentence: str, change: Change) -> None:
    assert read(sentence) == [change]


def test_several_rules_are_repealed_in_order() -> None:
    body = "The following rules are repealed in order: R4, R5 “X”."
    assert read(body) == [Repeal(FOUR), Repeal(RuleRef("X", "5"))]


def test_a_rule_is_retitled_with_its_text() -> None:
    body = "Amend rule 4 to be titled “Y” and to read in full: {b}"
    assert read(body) == [ReplaceText(FOUR, "b"), Retitle(FOUR, "Y")]


def test_several_edits_under_one_head() -> None:
    bodies = (
        "Amend rule 4 by replacing “a” with “b”, “c” with “d”, and deleting “e”.",
        "Amend rule 4 by:\n 1. replacing “a” with “b”;\n 2. replacing “c” with “d”; and\n"
        " 3. deleting “e”.",
    )
    for body in bodies:
        assert [
            (each.old, each.new) for each in read(body) if isinstance(each, ReplacePassage)
        ] == [
            ("a", "b"),
            ("c", "d"),
            ("e", ""),
        ]


def test_a_sentence_about_another_rule_ends_what_is_under_a_head() -> None:
    body = "In rule 4:\n\nDelete “a”.\n\nRepeal rule 5.\n\nDelete “b”."
    reading = read_changes(body)
    assert [each.sentence for each in reading.unread] == ["Delete “b”."]


@pytest.mark.parametrize(
    "sentence",
    [
        'Amend "X, by deleting “a”.',
        'Amend rule 4, "x, by deleting “a”.',
        'Amend rule 4, "X. Y, by deleting “a”.',
        'Amend rule 4, "X, deleting “a”.',
    ],
)
def test_only_the_title_behind_a_number_may_lack_its_closing_quote(sentence: str) -> None:
    (left,) = read_changes(sentence).changes
    assert isinstance(left, ByHand)


@pytest.mark.parametrize(
    "sentence",
    [
        f"Ratify recalculation {'0A' * 32}.",
        f"Ratify the recalculation {'0a' * 32}",
        f"ratify the report of the recalculation\n{'0a' * 32}.",
    ],
)
def test_a_recalculation_is_ratified_by_the_hash_of_its_report(sentence: str) -> None:
    assert read(sentence) == [Ratify("0a" * 32)]


@pytest.mark.parametrize(
    "sentence",
    [
        f"Ratify recalculation {'0a' * 31}.",
        f"Ratify recalculation {'0g' * 32}.",
        f"Ratify recalculation {'0a' * 32} in part.",
        "Ratify the following document: {x}",
    ],
)
def test_what_names_no_report_is_left_to_the_officer(sentence: str) -> None:
    (left,) = read_changes(sentence).changes
    assert isinstance(left, ByHand)
