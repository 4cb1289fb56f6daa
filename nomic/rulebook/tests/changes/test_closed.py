"""Whole or left to the officer: what is one word more than the language, and where texts end."""

from itertools import chain

import pytest

from nomic.rulebook.changes.kinds import (
    ByHand,
    Enact,
    Repeal,
    ReplacePassage,
    ReplaceText,
    RuleRef,
    Transmute,
)
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.left_to_officer import EXAMPLES
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.tests.changes.test_reading import FOUR, read

AA, BB = RuleRef("Aa"), RuleRef("Bb")


def hands(body: str) -> list[str]:
    """The sentences that are left to the officer; nothing else may be read."""
    reading = read_changes(body)
    assert reading.changes == reading.by_hand
    return [each.sentence for each in reading.by_hand]


# What was seen


def test_a_head_may_be_wrapped_before_its_last_word() -> None:
    body = 'Enact a new rule titled "X" with the following\ntext:\n{\nb\n}'
    assert read(body) == [Enact("X", "", "b")]


def test_as_follows_before_an_edit_that_cannot_be_read_is_no_text_of_the_rule() -> None:
    body = 'Amend the rule "Regulations" as follows:\n\nTurn the second sentence around.\n'
    assert not any(isinstance(each, ReplaceText) for each in read_changes(body).changes)
    assert hands("Amend the rule “X” as follows: { b }") == ["Amend the rule “X” as follows: …"]


def test_two_instructions_on_one_line_are_each_of_its_own_rule() -> None:
    body = (
        'In rule "Aa", replace "Foo is 1." with "Foo is 2." '
        'In rule "Bb", replace "Foo is 1." with "Foo is 3."'
    )
    assert read(body) == [
        ReplacePassage(AA, "Foo is 1.", "Foo is 2."),
        ReplacePassage(BB, "Foo is 1.", "Foo is 3."),
    ]


@pytest.mark.parametrize(
    "comment",
    [
        "[I thought about it. Repeal rule 2-2.]",
        "[[Repeal rule 2-2.]]",
        "[I thought\nabout it.\n\nRepeal rule 2-2.]",
        "/* Repeal rule 2-2. */",
        "[It was {so. Repeal rule 2-2.]",
    ],
)
def test_a_comment_repeals_nothing(comment: str) -> None:
    reading = read_changes(f"{comment}\nRepeal rule 4.")
    assert [each.rule for each in reading.changes if isinstance(each, Repeal)] == [FOUR]
    assert reading.remarks[0].kind == "comment"


@pytest.mark.parametrize(
    ("head", "power"),
    [
        ("Enact a power-3 rule titled “A” with the text:", "3"),
        ("Enact a new rule, power 2, title “A”, with the following text:", "2"),
        ("Create a rule called “A” at Power 1.5, and the following text:", "1.5"),
    ],
)
def test_a_new_rule_keeps_its_power(head: str, power: str) -> None:
    assert read(f"{head} {{b}}") == [Enact("A", "", "b", power)]


@pytest.mark.parametrize(
    "block",
    [
        "{\n    a\n      b\n}",
        "\n    a\n      b\n",
        "\n```\n    a\n      b\n```",
        "\n----\n    a\n      b\n----\n",
        "\n> a\n>   b\n",
        '\n    "a\n      b"\n',
    ],
)
def test_common_indentation_is_no_part_of_a_marked_text(block: str) -> None:
    (change,) = read(f"Amend rule 4 to read: {block}")
    assert isinstance(change, ReplaceText)
    assert change.text in ("a\n  b", "a b")


@pytest.mark.parametrize(
    "sentence",
    [
        "Set the Clock to on].",
        "Give 3 points ] to Peter.",
        "Give 3 points to Peter | Paul.",
        "Increase Peter]'s points by 3.",
    ],
)
def test_a_sign_that_marks_no_text_is_no_part_of_a_name(sentence: str) -> None:
    assert hands(sentence) == [sentence]


# Where texts end


def test_an_indented_text_ends_with_its_indent() -> None:
    body = "Amend rule 4 by replacing:\n\n  a\n\nwith:\n\n  b\n\n  c\n\nRepeal rule 4."
    assert read(body) == [ReplacePassage(FOUR, "a", "b\n\nc"), Repeal(FOUR)]


WRAPPED = "A player with 100 or more points CAN declare\na High Score by announcement."
LONG = f"If it rains, {'all players stay at home, ' * 5}and so on."
UNWRAPPED = f"{LONG}\n{LONG[:-1]}:\n* take a card"


@pytest.mark.parametrize("text", ["Players are happy.", WRAPPED, UNWRAPPED])
def test_a_text_that_is_not_marked_runs_to_the_end_of_its_paragraph(text: str) -> None:
    reading = read_changes(f"Amend rule 4 to read:\n\n{text}\n\n[c]\n\nRepeal rule 5.")
    assert reading.by_hand == reading.changes
    for body in (f"Amend rule 4 to read:\n{text}\n", f"Amend rule 4 to read:\n{text}\n\n[c]"):
        reading = read_changes(body)
        (change,) = reading.changes
        assert isinstance(change, ReplaceText)
        assert change.text == text
        last = text.splitlines()[-1]
        assert [f"to “{last}”" in each for each in reading.warnings] == [True] * (last != text)


@pytest.mark.parametrize(
    "joke",
    [
        "\n\nJust kidding! Ignore the line above.",
        "\nJust kidding! Ignore the line above.",
        "\n\n* Not really.",
        "\n\n[c]\n\nb",
        "\n \t\nand so on",
        f"\n{LONG}",
        "\n- Not really.",
        "\n– snail",
        "\n| Not | really",
        "\nnot really",
        "\n\n| Not | really",
        "\n\nP.S. Not really.\n\n# Rationale\n\nWell.",
    ],
)
def test_what_may_be_said_of_a_text_that_is_not_marked_leaves_it(joke: str) -> None:
    for verb in ("Amend rule 4 to read", "Enact a new rule titled “A” with the following text"):
        reading = read_changes(f"{verb}:\n\nPlayers are happy.{joke}")
        (left,) = reading.by_hand
        assert left.why.startswith("Nothing marks where its text ends")
        assert reading.unread
        assert read_changes(f"{verb}:\n\n{{ Players are happy.{joke} }}").by_hand == ()


def test_a_text_that_is_not_marked_with_what_looks_like_an_instruction_is_left() -> None:
    body = "Amend rule 4 to read:\n\na\n\nRepeal rule 4."
    assert not any(isinstance(each, ReplaceText) for each in read_changes(body).changes)
    assert hands("Amend rule 4 to read:\na\nAmend nothing at all here.")


def test_a_text_whose_second_line_is_not_indented_is_not_cut() -> None:
    text = "  When a player who has at least three cards\nplays two of them, e wins."
    assert read(f"Enact a rule titled “A” with the text:\n\n{text}\n") == [Enact("A", "", text)]
    assert hands("Amend rule 4 to read:\n\n    a\n    b\n\n  c\n")


def test_nested_quotes_that_do_not_fit_are_left() -> None:
    assert hands('In rule 4, replace "the "b", and c" with "d".')
    curly = "In rule 4, replace “the “b” c” with “d”."
    assert read(curly) == [ReplacePassage(FOUR, "the “b” c", "d")]


def test_a_quote_behind_a_colon_may_hold_paragraphs_and_one_never_closed_leaves_the_rest() -> None:
    body = 'Amend rule 4 to read: "a.\n\nRepeal rule 5.\n\nb."'
    assert read(body) == [ReplaceText(FOUR, "a.\n\nRepeal rule 5.\n\nb.")]
    assert len(hands('Amend rule 4 to read: "a.\n\nRepeal rule 5.')) == 2


def test_comments_are_no_part_of_a_text_that_is_not_marked() -> None:
    (change,) = read_changes("Amend rule 4 to read:\n[c] a b\n\n[d]").changes
    assert isinstance(change, ReplaceText)
    assert change.text == "a b"
    assert hands("Amend rule 4 to read:\na [c] b\n\n[d]")


def test_a_full_stop_in_quotes_ends_nothing() -> None:
    assert read('In rule 4, replace "a. B" with "c. D".') == [ReplacePassage(FOUR, "a. B", "c. D")]


# One word more


@pytest.mark.parametrize(
    "body",
    [
        "Repeal rule 4 for fun.",
        "Repeal rule 4 if it rains.",
        "If it rains, repeal rule 4.",
        "Repeal rule 4 (if Ann agrees).",
        "Repeal rule 4?",
        "Repeal rule 4 or rule 5.",
        "Do not repeal rule 4.",
        "Give Peter 5 points next week.",
        "Give Peter 5 points unless it rains.",
        "Give Peter or Paul 5 points.",
        "Neither Peter nor Paul gains 5 points.",
        "Give Peter 1 000 points.",
        "No player gains 5 points.",
        "Nobody gains 5 points.",
        "Give Peter 5 points twice.",
        "Give Peter 5 points tomorrow.",
        "Set the quorum to 5 until Friday.",
        "Set the quorum to 5 tomorrow.",
        "Increase Peter's points by 5 twice.",
        "Set Alexia's Race Position to 3 unless it rains.",
        "In rule 4, replace “a” with “b” everywhere.",
        "In every rule, replace “a” with “b”.",
        "Delete “a”.",
        "Enact a new rule with the following text: {b}",
        "Enact a new rule titled “A” or “B” with the following text: {b}",
        "Amend rule 4, “X”, to be better.",
        "Retitle rule 4 to something else.",
        "Frobnicate the rule “X”, hereby.",
    ],
)
def test_one_word_more_leaves_the_sentence_to_the_officer(body: str) -> None:
    reading = read_changes(body)
    assert reading.changes == reading.by_hand


def test_a_sentence_that_is_left_quotes_itself_and_the_shape_that_would_be_read() -> None:
    (left,) = read_changes("[Well.]\n\nRepeal rule 4 for fun.").by_hand
    assert left.sentence == "Repeal rule 4 for fun."
    assert "this would be read: Repeal rule 4." in left.why


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("Set the power of rule 1 to 2 and repeal rule 2.", "Change the power of rule 1 to 2."),
        ("Replace rule “Aa” with: {Z}", "Replace the text of the rule “Aa” with: {…}"),
        ("In rule 4, delete what is silly.", "In rule 4, delete “…”."),
        ("In rule 4, add “a” somewhere.", "In rule 4, after “…”, insert “a”."),
        (
            "In the rule Big Horses, please replace “a” with “b”.",
            "In the rule “Big Horses”, replace “a” with “b”.",
        ),
        ("Amend rule 4: {Z}", "Amend rule 4 to read: {…}"),
        (
            "Enact a law titled “A” with the text: {Z}",
            "Enact a new rule with title “A” and the following text: {…}",
        ),
        ("Amend rule 4 by replacing all with: {Z}", "Amend rule 4 by replacing “…” with: {…}"),
        (
            "In rule 4, delete the row of “A” quickly.",
            "In rule 4, delete the row “A” from the table.",
        ),
        ("Rule 4 is replaced with: {Z}", "Rule 4 is amended to read: {…}"),
        ("The rule “A” is repealed now.", "The rule “A” is hereby repealed."),
        ("Repeal the rule “A” for fun.", "Repeal the rule “A”."),
        ("Retitle rule 4 as it says, “B”.", "Retitle rule 4 to “B”."),
        ("Renumber rule 4 perhaps to 7.", "Renumber rule 4 to 7."),
        ("Set the quorum to 5 tomorrow.", "Set the quorum to 5."),
        ("Set Ann's Heat to High unless it rains.", "Set Ann's Heat to High."),
        ("Give Bob 7 coins for fun.", "Give Bob 7 coins."),
        ("Give Bob and Ann 7 coins next week.", "Give Bob 7 coins."),
        ("Destroy some of Bob's coins.", "Destroy 5 of Bob's points."),
        ("Amend rule 4 by deleting the first two sentences.", "Amend rule 4 by deleting “…”."),
        ("In rule 4, delete the last word.", "In rule 4, delete “…”."),
    ],
)
def test_the_shape_that_is_shown_is_the_nearest(body: str, shape: str) -> None:
    (left,) = read_changes(body).by_hand
    assert left.why.endswith(f"this would be read: {shape}")


def test_a_text_without_marks_is_offered_in_braces() -> None:
    for body, shape in (
        ("**Amendment:** __Cats__\nCats nap.", "Amend the rule “Cats” to read: { … }"),
        ("Amend rule 4 to read:\n\na\n\nb", "Amend rule 4 to read: { … }"),
    ):
        assert read_changes(body).by_hand[0].why.endswith(f"Put the text in braces: {shape}")


@pytest.mark.parametrize("shape", [*chain.from_iterable(EXAMPLES.values())])
def test_each_shape_that_is_shown_is_read(shape: str) -> None:
    assert not read_changes(shape).by_hand


@pytest.mark.parametrize(
    "body",
    [
        "Repeal rule 4. Not really.",
        "Repeal rule 4.\nThis happens next week.",
        "Repeal rule 4.\n\nThe above happens only if it rains.",
        "If it rains, this proposal has no effect.\n\nRepeal rule 4.",
        "Next week, all of this:\n\nRepeal rule 4.",
        "Next week: Repeal rule 4.",
        "The following happens next month.\n\nRepeal rule 4.",
        "Should the vote fail, the following happens.\n\nRepeal rule 4.",
        "Repeal rule 4.\n\nThe above is not to be done.",
        "This has no effect until Friday.\n\nRepeal rule 4.",
        "Next week: { Repeal rule 4. }",
        "Repeal rule 4.\n\n\tand “one”.",
        "Repeal rule 4.\n\nwhich is silly.",
        "Repeal rule 4.\n\nOr",
        "For example,\n\nRepeal rule 4.",
        "or\n\nRepeal rule 4.",
        "Or\n\nRepeal rule 4.",
        "my opponent wrote\n\nRepeal rule 4.",
        "> If Bob agrees:\n\nRepeal rule 4.",
        "Subject: do this if it rains\n\nRepeal rule 4.",
        "Either of these:\n* Repeal rule 4.\n* Repeal rule 5.",
    ],
)
def test_what_a_sentence_around_it_may_change_is_left(body: str) -> None:
    assert not any(isinstance(each, Repeal) for each in read_changes(body).changes)


def test_prose_beside_an_instruction_leaves_all_to_the_officer_unless_it_is_marked() -> None:
    body = "Horses should be cheaper.\n\nRepeal rule 4.\n\nIt is old."
    said = ["Horses should be cheaper.", "It is old."]
    left = read_changes(body)
    assert [each.sentence for each in left.unread] == said
    assert hands(body) == [said[0], "Repeal rule 4.", said[1]]
    assert left.by_hand[1].why.startswith("“Horses should be cheaper.” and 1 more sentence stand")
    assert len(read_changes(body, said[:1]).by_hand) == 2
    read = read_changes(body, [" It  is old.", said[0]])
    assert [type(each) for each in read.changes] == [Repeal]
    assert [each.sentence for each in read.marked] == said
    assert read.unread == ()


# Bad input


def test_ten_thousand_instructions_are_refused_with_their_place() -> None:
    with pytest.raises(Unreadable, match=r"Line 501, column 1: .* at most 500 changes"):
        read_changes("Repeal rule 4.\n" * 10_000)


@pytest.mark.parametrize(
    "body", ["Repeal rule 5.\nRepeal { rule 4.", "Repeal } rule 4.", "{ " * 90]
)
def test_a_body_whose_braces_do_not_fit_is_left_as_a_whole_with_their_place(body: str) -> None:
    reading = read_changes(body)
    (left,) = reading.by_hand
    assert reading.changes == (left,)
    assert (left.sentence, left.end) == (" ".join(body.split()), len(body))
    assert reading.misfit is not None
    sentence, line, column = reading.misfit
    assert left.why == sentence
    assert sentence.startswith(f"Line {line}, column {column}: the brace in “")


def test_braces_that_are_too_deep_are_refused_with_their_place() -> None:
    with pytest.raises(Unreadable, match="Line 1, column"):
        read_changes("{" * 200 + "}" * 200)


@pytest.mark.parametrize(
    "body",
    [
        "\u202eRepeal rule 4.\u202c",
        "R\u0435peal rule 4.",
        "Repeal\u200b rule 4.",
        "Repeal rule \u0664.",
        "Repeal rule \uff14.",
    ],
)
def test_look_alike_letters_and_marks_repeal_no_rule_4(body: str) -> None:
    repealed = [each for each in read_changes(body).changes if isinstance(each, Repeal)]
    assert FOUR not in [each.rule for each in repealed]


# What is left rather than lost or swallowed


@pytest.mark.parametrize(
    "behind",
    [
        '2. Repeal rule "Aa".',
        '- Amend rule "Aa" to read: {b}',
        "Then repeal rule 4.",
        "Also, repeal rule 4.",
        'Rule "Aa" is hereby repealed.',
    ],
)
def test_an_instruction_behind_a_marker_or_a_joint_is_no_part_of_an_unmarked_text(
    behind: str,
) -> None:
    body = f'1. Enact a new rule titled "X" with the following text:\n\nHello.\n\n{behind}'
    assert hands(body)
    assert hands(body.replace("\n\n", "\n"))


def test_a_list_of_a_rules_own_words_stays_in_an_unmarked_text() -> None:
    text = "Each player may:\n* take a card\n* Set the Bribe to 5"
    assert read(f'Enact a new rule titled "X" with the following text:\n\n{text}') == [
        Enact("X", "", text)
    ]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("Amend rule 4 as follows:\n\n[b]", "Amend rule 4 as follows:"),
        ("At the end of the nweek, repeal rule 4.", "At the end of the nweek, repeal rule 4."),
        ("\u200fRepeal rule 4.", "\u200fRepeal rule 4."),
        ("**Repeal rule 4.**", "**Repeal rule 4.**"),
    ],
)
def test_an_instruction_that_cannot_be_read_is_left_and_not_lost(body: str, left: str) -> None:
    assert hands(body) == [left]


def test_only_a_head_without_edits_is_left() -> None:
    body = 'In rule 4:\n\nIn rule 5:\n* replace "a" with "b"\n* replace "c" with "d"'
    first = read_changes(body).changes[0]
    assert isinstance(first, ByHand)
    assert first.sentence == "In rule 4:"
    read = read_changes(body, ["In rule 4:"])
    assert [type(each) for each in read.changes] == [ReplacePassage, ReplacePassage]
    with pytest.raises(Unreadable):
        read_changes("In rule 4:\n\n" * 501)


@pytest.mark.parametrize(
    "body",
    [
        "# Only if it rains\n\nRepeal rule 4.",
        "{ __Only if it rains__\nRepeal rule 4. }",
        "Repeal rule 4.\n\n(This happens only on Fridays.)",
    ],
)
def test_a_condition_in_a_heading_or_in_parentheses_is_one(body: str) -> None:
    assert len(read_changes(body).unread) == 1
    assert "Repeal rule 4." in hands(body)


def test_a_switch_takes_no_value_that_goes_on_with_an_instruction() -> None:
    assert hands("Set the quorum to 5, and then repeal rule 4.")


def test_each_of_two_rules_in_a_sentence_has_its_own_changes() -> None:
    assert hands("Delete “a” and “b” from rule 4 and “c” from rule 5.")
    assert read("Delete “a” from rule 4 and “c” from rule 5.") == [
        ReplacePassage(RuleRef(number="4"), "a", ""),
        ReplacePassage(RuleRef(number="5"), "c", ""),
    ]


TRANSMUTED = {
    "Transmute rule 103.": "",
    "Transmute rule 103 into a mutable rule.": "mutable",
    "Transmute rule 103 from mutable to immutable.": "immutable",
    "Make rule 103 mutable.": "mutable",
    "Rule 103 becomes immutable.": "immutable",
    "Rule 103 is hereby transmuted into a mutable rule.": "mutable",
    "Rule 103 is transmuted.": "",
    "Change the class of rule 103 to mutable.": "mutable",
}


@pytest.mark.parametrize("body", TRANSMUTED)
def test_a_rule_is_transmuted_into_the_class_that_is_said(body: str) -> None:
    assert read(body) == [Transmute(RuleRef(number="103"), TRANSMUTED[body])]


def test_several_are_transmuted_at_once() -> None:
    found = read("Transmute rules 103, 105 and “X” into mutable rules.")
    assert [each.target for each in found] == ["103", "105", "X"]


@pytest.mark.parametrize(
    "body",
    [
        "Transmute rule 103 if Peter agrees.",
        "Make rule 103 golden.",
        "Rule 103 becomes immutable tomorrow.",
        "Transmute rule 103 into a mutable rule on Monday.",
        "Make Peter mutable.",
    ],
)
def test_what_says_more_or_other_than_a_transmutation_is_left(body: str) -> None:
    assert hands(body) == [body]
