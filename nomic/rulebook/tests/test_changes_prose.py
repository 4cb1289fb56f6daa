"""What surrounds changes in a body, what is left to the officer, and what is refused."""

import pytest

from nomic.rulebook.changes import (
    AddSubrule,
    ByHand,
    Enact,
    Give,
    ReplacePassage,
    ReplaceText,
    Unreadable,
    read_changes,
)

MAIL = """\
| A Player on Sun, 3 Dec 2006 20:11:19 -0700 |
Here is another try. The old rule would let votes become lost, because
I had the order wrong.
Draft:
{{
__Better Votes__
Replace the text of rule 3-1 with:
{{
== Votes ==
/* braces { here } are { text } */
Give each voter 1 point.
}}
Give Ann 5 points.
}}
--
Ann
{ Give Ann 500 points.
"""

BLOG = """\
Proposal: Toll
Reached quorum 5 votes to 1. Enacted by Ben.
In the rule “The Bridge”, replace this text:
Anybody may cross:
with the following text:
Anybody may cross who is not in the “Ducks” list:
Add a subrule titled “Troll” to the rule “The Bridge” and give it the following text: {
If the Guest is “Troll”, nobody crosses. The Troll gains 2 coins.
}
Rather than closing the bridge, the Troll introduces a toll.
Sorry for the many steps. If that becomes a sticking point, let’s simplify it rather than drop it.
A “toll” implies that we are lone travellers. I was assuming that everybody has a cart.
"""


def test_a_letter_with_a_draft_in_it() -> None:
    reading = read_changes(MAIL)
    replaced, given = reading.changes
    assert isinstance(replaced, ReplaceText)
    assert replaced.text == MAIL.split("with:\n{{\n")[1].split("\n}}\nGive")[0]
    assert isinstance(given, Give)
    assert {change.group for change in reading.changes} == {"Better Votes"}
    assert [group.title for group in reading.groups] == ["Better Votes"]
    kinds = [remark.kind for remark in reading.remarks]
    assert kinds == ["header", "prose", "prose", "prose", "heading", "signature"]


def test_a_post_of_a_blog_with_its_comments() -> None:
    reading = read_changes(BLOG)
    passage, subrule = reading.changes
    assert isinstance(passage, ReplacePassage)
    assert passage.old == "Anybody may cross:"
    assert passage.new == "Anybody may cross who is not in the “Ducks” list:"
    assert isinstance(subrule, AddSubrule)
    assert subrule.text.endswith("2 coins.")
    assert [remark.kind for remark in reading.remarks] == ["header"] * 2 + ["prose"] * 5


@pytest.mark.parametrize(
    "body",
    [
        "The solution is to look twice, once before and once after.",
        "This proposal replaces rule 4.",
        "I also changed the order to prevent that.",
        "Should we repeal rule 4?",
        "Let me know what you think.",
        "Do not repeal rule 4.",
        "A Thug is a Visitor.",
        "Thanks to Ann for the idea.",
        "> Repeal rule 4.",
        "Title: Repeal rule 4.",
        "/* Repeal rule 4. */",
        "-- \nRepeal rule 4.",
    ],
)
def test_descriptions_are_remarks(body: str) -> None:
    reading = read_changes(body)
    assert reading.changes == ()
    assert " ".join(remark.sentence for remark in reading.remarks) == " ".join(body.split())


@pytest.mark.parametrize(
    "body",
    [
        "Repeal everything that is silly.",
        "Repeal rule 4 if Ann agrees.",
        "Repeal rule 4\nif Ann agrees.",
        "Repeal rule 4 (if Ann agrees).",
        "If Ann agrees, repeal rule 4.",
        "If Ann agrees: Repeal rule 4.",
        "If Ann agrees:\n* Repeal rule 4.\n* Give Ann 5 points.",
        "If Ann agrees, then: { Repeal rule 4. }",
        "For each player, repeal a rule.",
        "Give Ann 5 points for each vote.",
        "Give Ann 5 points per vote.",
        "Give the winner 5 points.",
        "Give them 5 points.",
        "Ann's score is increased by a third.",
        "Each Admin SHALL tell everybody.",
        "Rule 4 is hereby repealed if Ann agrees.",
        "If it rains, Peter is given 5 points.",
        "When Rule 4 is repealed, Rule 5 is repealed.",
        "Increase Ann's score.",
        "After “a”, add “b”.",
        "Transfer all points from Peter to Paul.",
        "Give points to Peter.",
        "Give Peter the points.",
        "Destroy all of them.",
        "Set their points to 10.",
        "Replace the first paragraph of rule 4 with: { Repeal rule 5. }",
        "Delete the last sentence of rule 4.",
        "Replace all instances of “a” with “b” in rule 4.",
        "Replace “a” with “b”.",
        "Add the following text to the end of the first part of rule 4: { Repeal rule 5. }",
        "Append this: { Repeal rule 5. }",
        "Frobnicate the rule “X” as follows: { Repeal rule 5. }",
        "The text of it shall read: { Repeal rule 5. }",
        "Enact two new rules with the text: { Repeal rule 5. }",
        "Enact a new rule with the text: { Repeal rule 5. }",
        "Set the Injured list to contain the same values as the Victims list.",
        "Change my vote to FOR.",
        "Repeal the following rules:\n* Rule 4\n* Rule 5",
        "Enact a law with the following text:\nThe winner gains 5 points.\n\nAnd so on.",
        "Repeal rule silly old horses.",
    ],
)
def test_what_cannot_be_read_is_left_to_the_officer(body: str) -> None:
    reading = read_changes(body)
    (change,) = reading.changes
    assert isinstance(change, ByHand)
    assert reading.by_hand == (change,)
    assert reading.remarks == ()
    assert (change.start, change.end) == (0, len(body))
    assert change.why.endswith((".", "…", "{…}"))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("Repeal rule 4 for fun.", "It begins like a change, but it could not be read from “for"),
        ("Give Ann 5.", "this would be read: Give Peter 5 points."),
        ("If it rains, give Ann 5 points.", "It hangs on a condition"),
        ("Replace “a” with “b”.", "It does not say in which rule"),
        ("Enact a new rule: {a}", "It gives the new rule no title"),
        ("Give the winner 5 points.", "“the winner” is no name"),
    ],
)
def test_the_officer_and_the_author_are_told_why(body: str, why: str) -> None:
    (change,) = read_changes(body).by_hand
    assert why in change.why


def test_a_sentence_that_goes_on_from_a_condition_is_left_to_the_officer_too() -> None:
    body = "If Ann agrees, let nobody vote. Then repeal rule 4.\n\nThen repeal rule 5."
    reading = read_changes(body)
    assert [change.verb for change in reading.changes] == ["by hand", "by hand", "repeal"]


def test_prose_and_changes_stand_side_by_side() -> None:
    body = "Rule 4 is old. Repeal rule 4. /* at last { */ It was\nnever used. Give Ann 5 points."
    reading = read_changes(body)
    assert [change.sentence for change in reading.changes] == [
        "Repeal rule 4.",
        "Give Ann 5 points.",
    ]
    assert [(remark.kind, remark.sentence) for remark in reading.remarks] == [
        ("prose", "Rule 4 is old."),
        ("comment", "/* at last { */"),
        ("prose", "It was never used."),
    ]


def test_groups_within_groups() -> None:
    body = "First things\n{ Repeal rule 1. {{ __Second__ Repeal rule 2. { Repeal rule 3. } }} }"
    reading = read_changes(body)
    assert [(change.target, change.group) for change in reading.changes] == [
        ("1", "First things"),
        ("2", "Second"),
        ("3", "Second"),
    ]


def test_braces_behind_a_line_of_text_are_a_group() -> None:
    reading = read_changes("The following happens:\n{\nRepeal rule 1.\n}\nRepeal rule 2.")
    assert [change.group for change in reading.changes] == ["The following happens", ""]


def test_a_text_without_braces_ends_with_its_group() -> None:
    enacted, *others = read_changes("{ Enact a rule titled “A”:\ntext { of } it\n} Silly.").changes
    assert isinstance(enacted, Enact)
    assert enacted.text == "text { of } it"
    assert others == []


@pytest.mark.parametrize(
    ("body", "line", "column", "beginning"),
    [
        ("Repeal rule 4.\n  Oh { no", 2, 6, "Oh { no"),
        (
            "a\nEnact a rule titled “A” with: {{ a } b\n",
            2,
            31,
            "Enact a rule titled “A” with: {{ a } b",
        ),
        ("fine {}\r\n\r\n}", 3, 1, "}"),
    ],
)
def test_braces_that_do_not_fit_are_refused(
    body: str, line: int, column: int, beginning: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        read_changes(body)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert f"Line {line}, column {column}: the brace in “{beginning}”" in refused.value.sentence


def test_braces_too_deep_are_refused() -> None:
    assert read_changes("{" * 100 + "}" * 100).groups
    with pytest.raises(Unreadable, match="more than 100 braces deep"):
        read_changes("{ " * 101 + "} " * 101)


def test_braces_in_quotes_and_comments_need_no_partner() -> None:
    reading = read_changes('In rule 4, replace “{” with "}}". /* { */ Repeal rule 5.')
    assert [change.verb for change in reading.changes] == ["replace passage", "repeal"]


@pytest.mark.parametrize("line", ["Give Peter 5 points.\n", "* Set\n", "In the rule\n"])
def test_five_hundred_changes_are_read_and_no_more(line: str) -> None:
    assert len(read_changes(line * 500).changes) == 500
    with pytest.raises(Unreadable) as refused:
        read_changes("Well.\n" + line * 501)
    assert refused.value.sentence.startswith("Line 502, column")
    assert "at most 500 changes" in refused.value.sentence
    assert "several proposals" in refused.value.sentence


def test_what_is_no_change_counts_for_nothing() -> None:
    assert len(read_changes("Let me\n" * 5_000).remarks) == 5_000


@pytest.mark.parametrize(
    "body",
    [
        "{" * 100_000,
        "{}" * 50_000,
        "In the rule\n" * 50_000,
        "In the rule “\n" * 20_000,
        "Repeal rule " + "x" * 200_000,
        "Enact a new rule titled “X”:\n" + "Repeal all of it\n" * 5_000,
        ". " * 50_000,
        "=" * 100_000 + "x",
        "/* " * 50_000,
        "Repeal" + "\n" * 100_000 + "rule 4",
        "Title\n" + "Repeal rule 4.\n{}" * 5_000,
    ],
    ids=lambda body: body[:20],
)
def test_hostile_bodies_are_read_or_refused(body: str) -> None:
    if "{{" in body or (body.count("\n") > 2_000 and not body.startswith(("Enact", "Repeal\n"))):
        with pytest.raises(Unreadable):
            read_changes(body)
    else:
        reading = read_changes(body)
        assert reading.changes or reading.remarks or reading.groups
