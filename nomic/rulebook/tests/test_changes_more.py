"""The ways in which players write what moves, what is inserted, and what “is done”."""

import pytest

from nomic.rulebook.changes import (
    Append,
    Change,
    ChangeBy,
    Destroy,
    Enact,
    Give,
    HandOver,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetSwitch,
    Take,
)
from nomic.rulebook.tests.test_changes import FOUR, X, read


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("Transfer Alexia from Agora to Murphy.", HandOver("Alexia", "Agora", "Murphy")),
        ("Transfer Alexia to Murphy from Agora.", HandOver("Alexia", "Agora", "Murphy")),
        ("Transfer the horse Alexia to Murphy", HandOver("horse Alexia", "", "Murphy")),
        ("Give Alexia to Murphy.", HandOver("Alexia", "", "Murphy")),
        ("Give “the moon” to Murphy.", HandOver("the moon", "", "Murphy")),
        ("Give Murphy the horse Alexia.", HandOver("horse Alexia", "", "Murphy")),
        ("Give Murphy Alexia.", HandOver("Murphy Alexia", "", "")),
    ],
)
def test_a_thing_of_which_there_is_one_is_handed_over(body: str, change: Change) -> None:
    assert read(body) == [change]


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("Destroy all dollaries.", Destroy("", None, "dollaries")),
        ("Destroy all of the dollaries", Destroy("", None, "dollaries")),
        ("Destroy all players' dollaries.", Destroy("each player", None, "dollaries")),
        ("Take all points from Peter.", Take("Peter", None, "points")),
        ("Take all of Peter's points.", Take("Peter", None, "points")),
        ("Remove all the points from each player.", Take("each player", None, "points")),
        ("Take 3 points from each player.", Take("each player", 3, "points")),
        ("Increase Peter's points by 3.", ChangeBy("points", "Peter", 3)),
        ("Reduce the points of Peter by three.", ChangeBy("points", "Peter", -3)),
        ("Decrease each player's points by 1,000", ChangeBy("points", "each player", -1000)),
        ("Alexia's Race Position is increased by 1.", ChangeBy("Race Position", "Alexia", 1)),
        ("Set Peter's points to 10.", SetSwitch("points", "Peter", "10")),
        ("Peter's points are set to 10.", SetSwitch("points", "Peter", "10")),
    ],
)
def test_all_of_something_and_differences_are_read(body: str, change: Change) -> None:
    assert read(body) == [change]


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        ("Rule 4 is repealed.", [Repeal(FOUR)]),
        ("The rule “X” is hereby repealed.", [Repeal(X)]),
        ("Rules 4 and 5 are repealed.", [Repeal(FOUR), Repeal(RuleRef(number="5"))]),
        ("The Visitors rule is repealed", [Repeal(RuleRef("Visitors"))]),
        (
            "The rule “X” is amended by replacing “a” with “b” and deleting “c”.",
            [ReplacePassage(X, "a", "b"), ReplacePassage(X, "c", "")],
        ),
        ("Rule 4 is amended as follows:\n* Delete “c”.", [ReplacePassage(FOUR, "c", "")]),
        ("Rule 4 is amended to read: {b}", [ReplaceText(FOUR, "b")]),
        ("The text of rule 4 is replaced with the following:\nb", [ReplaceText(FOUR, "b")]),
        ("Rule 4 is replaced by the following text: {b}", [ReplaceText(FOUR, "b")]),
        ("The title of rule 4 is changed to “Y”.", [Retitle(FOUR, "Y")]),
        ("Rule 4 is retitled “Y”.", [Retitle(FOUR, "Y")]),
        ("The number of the rule “X” is changed to 5.", [Renumber(X, "5")]),
        ("The rule “X” is renumbered to 5.", [Renumber(X, "5")]),
        ("A new rule titled “X” is enacted with the text: {b}", [Enact("X", "", "b")]),
        ("Peter is given 5 points.", [Give("Peter", 5, "points")]),
        (
            "The Big Cheese and A are each awarded 5 points.",
            [Give("The Big Cheese", 5, "points"), Give("A", 5, "points")],
        ),
    ],
)
def test_what_is_done_is_a_change_as_well(body: str, changes: list[Change]) -> None:
    assert read(body) == changes


@pytest.mark.parametrize(
    ("body", "new"),
    [
        ("In the rule “X”, after “a”, insert “b”.", "a b"),
        ("In the rule “X”, after “a” add “b”.", "a b"),
        ("In the rule “X”, insert “b” after “a”.", "a b"),
        ("Insert “b” before the word “a” in the rule “X”.", "b a"),
        ("Amend the rule “X” by inserting “, or b,” after “a”.", "a, or b,"),
        ("In the rule “X”, before “a”, insert the following paragraph: {b}", "b\n\na"),
        ("In the rule “X”, insert the following after “a”:\n{\nb\nc\n}", "a\n\nb\nc"),
        ("After “a” in the rule “X”, insert “b”.", "a b"),
        ("In the rule “X”, add the following line after “a”: “b”", "a\nb"),
    ],
)
def test_an_insertion_replaces_the_passage_at_its_place(body: str, new: str) -> None:
    assert read(body) == [ReplacePassage(X, "a", new)]


@pytest.mark.parametrize(
    "body",
    [
        "Add “b” to the end of the rule “X”.",
        "Add { b } to the end of the rule “X”.",
        "Append the following paragraph to the rule “X”: { b }",
        "Add the following text to the end of the rule “X”: { b }",
        "Add to the rule “X” the following text: { b }",
        "In the rule “X”, add “b” at the end.",
        "In the rule “X”, append the following paragraph: { b }",
        "To the rule “X”, add the following:\nb",
        "In the rule “X”, add a new paragraph at the end: { b }",
        "In the rule “X”, add to the end: { b }",
        "Add the following to the end of the rule “X”:\nb",
    ],
)
def test_a_text_is_added_to_the_end_of_a_rule(body: str) -> None:
    assert read(body) == [Append(X, "b")]


@pytest.mark.parametrize("rule", ["rule 4", "rule #4"])
def test_a_text_is_added_to_a_rule_by_its_number(rule: str) -> None:
    assert read(f"Append the following to {rule}: {{ b }}") == [Append(FOUR, "b")]


def test_a_new_rule_that_is_to_read_something_is_no_text_for_another() -> None:
    assert read("Add a rule “X” to read: {b}") == [Enact("X", "", "b")]
