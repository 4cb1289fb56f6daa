"""The forms of change and the variants in which players write them."""

from dataclasses import replace

import pytest

from nomic.rulebook.changes.kinds import (
    AddBullets,
    AddRows,
    AddSubrule,
    ByHand,
    Change,
    Destroy,
    Enact,
    Give,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetSwitch,
    Take,
    TransferCurrency,
)
from nomic.rulebook.changes.reading import read_changes

X = RuleRef("X")
FOUR = RuleRef(number="4")
VISITORS = RuleRef("Visitors")


def read(body: str) -> list[Change]:
    """The changes of a body without their places; fails where anything stays unread."""
    reading = read_changes(body)
    assert [r.sentence for r in (*reading.unread, *reading.remarks) if r.kind != "place"] == []
    return [replace(change, sentence="", start=0, end=0, group="") for change in reading.changes]


@pytest.mark.parametrize(
    ("body", "enacted"),
    [
        ('Enact a new rule with title "A" and the following text: {b}', Enact("A", "", "b")),
        ("Create a new rule titled “A” (number 12) with the text {{ b }}", Enact("A", "12", "b")),
        ("Add a new rule called 'A' and give it the following text: {b}", Enact("A", "", "b")),
        ("enact a rule, entitled ‘A’, with:\n{\n\nb\n\n}", Enact("A", "", "b")),
        ("Enact a new dynastic rule, “A”, as follows: { b }", Enact("A", "", "b")),
        ('Enact Rule 5E33 "A" with the following text: {b}', Enact("A", "5E33", "b")),
        ('Enact a new Power-1 rule entitled "A" that reads: {b}', Enact("A", "", "b", "1")),
        ('Enact the following new rule, titled "A" (Power=1): {b}', Enact("A", "", "b", "1")),
        ("Enact a rule, “A”, with Power=1.7 and this text: {b}", Enact("A", "", "b", "1.7")),
        ("Enact a new rule: “A”\n{b}", Enact("A", "", "b")),
        (
            f"Enact a rule, titled “A”, with the following text:\n{20 * 'b '}\nb b",
            Enact("A", "", f"{20 * 'b '}\nb b"),
        ),
        ("Enact a new rule entitled “A”\nto read as follows:\r\nb\r\n", Enact("A", "", "b")),
    ],
)
def test_a_rule_is_enacted(body: str, enacted: Enact | None) -> None:
    others = {"Horse Play": Enact("Horse Play", "7", "b"), "well": Enact("A", "", "All is well.")}
    expected = enacted or next(enact for word, enact in others.items() if word in body)
    assert read(body) == [expected]


def test_only_the_outermost_pair_of_braces_is_taken_off() -> None:
    body = "Enact a new rule titled “A” with the text: {a {b {c}} /* d */ e}"
    assert read(body) == [Enact("A", "", "a {b {c}} /* d */ e")]
    body = "Enact a new rule titled “A” with the text: {{{a} b {c}}}"
    assert read(body) == [Enact("A", "", "{a} b {c}")]


def test_an_indent_of_all_lines_is_not_part_of_a_text() -> None:
    body = "Amend Rule 4 to read:\n\n    a\n      b\n\n    c\n\nRepeal Rule 4."
    assert read(body) == [ReplaceText(FOUR, "a\n  b\n\nc"), Repeal(FOUR)]


def test_a_text_keeps_its_lines_as_they_are() -> None:
    body = "Replace the text of rule 4 with: {\n\n  * a\n    b\n\n| 1 || c\n \n}"
    assert read(body) == [ReplaceText(FOUR, "  * a\n    b\n\n| 1 || c")]


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("Replace the text of rule 2-2 with: {b}", RuleRef(number="2-2")),
        ('Replace the text of the rule "X" with the following text: {{b}}', X),
        ("Amend rule 5E33 to read: {b}", RuleRef(number="5E33")),
        ("Amend Rule 2201 (The Law) to read in full: {b}", RuleRef("The Law", "2201")),
        ("Amend the rule titled “X” to read as follows:\nb", X),
        ('CHANGE THE TEXT OF RULE "X" TO: {b}', X),
        ('Set the text of rule 4 to "b"', FOUR),
        ("Replace the text of rule 4 “The Law” by\n\n{b}", RuleRef("The Law", "4")),
    ],
)
def test_the_text_of_a_rule_is_replaced(body: str, rule: RuleRef) -> None:
    assert read(body) == [ReplaceText(rule, "b")]


@pytest.mark.parametrize(
    "body",
    [
        "In the rule “X”, replace “a b” with “c d”.",
        'In rule "X" change "a b" to "c d"',
        'In the rule "X", replace { a b } with { c d }.',
        'In "X": replace the text {{a b}} with the following text: {{\nc d\n}}',
        'Replace "a b" with "c d" in the rule "X".',
        'Amend the rule "X" by replacing "a b" with "c d".',
        'Amend the rule "X" by substituting "c d" for "a b".',
        'Under the rule "X", replace "a b" with "c d"!',
        "In the rule “X”, replace this text:\na b\nwith the following text:\nc d\n",
        "In the rule “X”, replace the following:\na b\nwith:\nc d",
        "In the text of the rule “X”, /* as agreed */ replace “a b” with “c d”.",
    ],
)
def test_a_passage_is_replaced(body: str) -> None:
    assert read(body) == [ReplacePassage(X, "a b", "c d")]


@pytest.mark.parametrize(
    "body",
    [
        "In the rule “X”, delete “a”.",
        "Remove the text “a” from the rule “X”.",
        'Amend the rule “X” by deleting "a".',
    ],
)
def test_a_passage_is_deleted(body: str) -> None:
    assert read(body) == [ReplacePassage(X, "a", "")]


def test_several_passages_in_one_sentence() -> None:
    body = 'Amend rule 4 by replacing "a" with "b", and replacing\n"c" with "d" and deleting "e".'
    assert read(body) == [
        ReplacePassage(FOUR, "a", "b"),
        ReplacePassage(FOUR, "c", "d"),
        ReplacePassage(FOUR, "e", ""),
    ]


@pytest.mark.parametrize("rule", ["Rule 4, “The Law”,", "Rule 4 (“The Law”)", "Rule 4 (The Law)"])
def test_agoras_ways_of_naming_a_rule(rule: str) -> None:
    (change,) = read(f"Amend {rule} by replacing “a” with “b”.")
    assert isinstance(change, ReplacePassage)
    assert change.rule.number == "4"


def test_several_passages_deleted_at_once() -> None:
    body = "In rule 4, remove “a”, “b” and “c”."
    assert read(body) == [ReplacePassage(FOUR, letter, "") for letter in "abc"]


@pytest.mark.parametrize(
    "body",
    [
        "Amend rule 4 as follows:\n* Replace “a” with “b”.\n* Delete “c”.",
        "In rule 4, make the following changes:\n1. Replace “a” with “b”.\n2. Delete “c”.",
        "Amend rule 4 as follows:\n\nReplace “a” with “b”.\nDelete “c”.",
        "In rule 4, make the following changes:\n{ Replace “a” with “b”. Delete “c”. }",
    ],
)
def test_a_list_of_changes_to_one_rule(body: str) -> None:
    assert read(body) == [ReplacePassage(FOUR, "a", "b"), ReplacePassage(FOUR, "c", "")]


def test_the_rule_of_a_list_is_forgotten_behind_it() -> None:
    body = "Amend rule 4 as follows:\n* Replace “a” with “b”.\n\nDelete “c”."
    assert [each.sentence for each in read_changes(body).unread] == ["Delete “c”."]


@pytest.mark.parametrize(
    "body",
    [
        "In the rule “X”, add the following bullet points to the end of the bullet list:\n* a\n* b",
        "To the bullet list in the rule “X”, add:\n* a\n* b",
        "In the rule “X”, add the following bullets to the list: {\n* a\n* b\n}",
        "Add the following to the end of the bullet list in the “X” rule:\n  * a\n  * b",
    ],
)
def test_bullet_points_are_added(body: str) -> None:
    assert read(body) == [AddBullets(X, "* a\n* b")]


def test_bullets_end_at_the_first_line_that_is_none() -> None:
    body = "To the bullet list in rule 4, add:\n* a\n  goes on\nRepeal rule 4."
    assert read(body) == [AddBullets(FOUR, "* a\ngoes on"), Repeal(FOUR)]


@pytest.mark.parametrize(
    ("body", "table"),
    [
        ("In the rule “Visitors”, add the following rows to the Visitors table:\n| 4 || a\n", "V"),
        ("Add these rows to the table “Visitors” in the rule “Visitors”:\n\n| 4 || a", "V"),
    ],
)
def test_rows_are_added(body: str, table: str) -> None:
    assert read(body) == [AddRows(VISITORS, "Visitors" if table else "", "| 4 || a")]


def test_no_rows_are_left() -> None:
    (change,) = read_changes("To the table in rule 4, add the following rows: { }").changes
    assert isinstance(change, ByHand)
    assert "do not begin with “|”" in change.why


def test_rows_end_at_the_first_line_that_is_none() -> None:
    body = "In rule 4, add these rows to the Thug table:\n| 4 | a |\n| 5 | b |\nRepeal rule 4"
    assert read(body) == [AddRows(FOUR, "Thug", "| 4 | a |\n| 5 | b |"), Repeal(FOUR)]


@pytest.mark.parametrize(
    "body",
    [
        "Add a subrule titled “Thug” to the rule “Visitors” and give it the following text: { b }",
        "Add to the rule “Visitors” a subrule titled “Thug” with the following text: { b }",
        "In the rule “Visitors”, add a new subrule titled “Thug” with the text: { b }",
        "Create a new subrule of the rule “Visitors” called “Thug” with the following text:\nb",
        "Add a subrule called “Thug” to “Visitors”, reading: {b}",
        "Under the rule “Visitors”, add a subrule called “Thug”: {b}",
        "Enact a subrule, “Thug”, of the “Visitors” rule: {b}",
    ],
)
def test_a_subrule_is_added(body: str) -> None:
    assert read(body) == [AddSubrule(VISITORS, "Thug", "", "b")]


@pytest.mark.parametrize(
    ("body", "rules"),
    [
        ("Repeal rule 4", [FOUR]),
        ("repeal Rule 4.", [FOUR]),
        ("Repeal rules 4, 5E33 and 2-2.", [FOUR, RuleRef("", "5E33"), RuleRef("", "2-2")]),
        ("Repeal rule 4, rule 5, and “X”.", [FOUR, RuleRef("", "5"), X]),
        ("Repeal the rules “X” and “Visitors”.", [X, VISITORS]),
        ("Repeal Rule 4 (The Law).", [RuleRef("The Law", "4")]),
        ('Repeal rule 4 "The Law".', [RuleRef("The Law", "4")]),
        ("Repeal the “X” rule", [X]),
        ("Repeal the dynastic rule “X”.", [X]),
        ("Delete rule 4.", [FOUR]),
        ('Remove the rule "X".', [X]),
    ],
)
def test_rules_are_repealed(body: str, rules: list[RuleRef]) -> None:
    assert read(body) == [Repeal(rule) for rule in rules]


@pytest.mark.parametrize(
    "body",
    [
        "Retitle rule 4 to “The Law”.",
        'Change the title of rule 4 to "The Law"',
        'Amend rule 4 by retitling it to "The Law".',
        'Amend rule 4 by changing its title to "The Law".',
    ],
)
def test_a_rule_is_retitled(body: str) -> None:
    assert read(body) == [Retitle(FOUR, "The Law")]


@pytest.mark.parametrize(
    "body",
    [
        "Renumber the rule “X” to 2-3.",
        "Change the number of the rule “X” to 2-3.",
    ],
)
def test_a_rule_is_renumbered(body: str) -> None:
    assert read(body) == [Renumber(X, "2-3")]


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("Give Peter 5 points.", [("Peter", 5, "points")]),
        ("award 5 points to Peter", [("Peter", 5, "points")]),
        ("Give ais523 1,000 dollaries", [("ais523", 1000, "dollaries")]),
        ("Give R. Lee five points", [("R. Lee", 5, "points")]),
        ("Give Jean-Luc a point.", [("Jean-Luc", 1, "point")]),
        ("Award “The Big O” 3 points.", [("The Big O", 3, "points")]),
        ("Give each player 5 points.", [("each player", 5, "points")]),
        ("Give 5 points to all players.", [("each player", 5, "points")]),
        ("Give A, B and C 5 points each.", [(name, 5, "points") for name in "ABC"]),
        ("Peter gains 5 points.", [("Peter", 5, "points")]),
        ("Player Peter receives 5 points!", [("Player Peter", 5, "points")]),
        ("Award 5 points each to A and B.", [("A", 5, "points"), ("B", 5, "points")]),
    ],
)
def test_players_are_given_something(body: str, given: list[tuple[str, int, str]]) -> None:
    assert read(body) == [Give(*each) for each in given]


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("Take 5 points from Peter.", Take("Peter", 5, "points")),
        ("Remove 5 points from Peter.", Take("Peter", 5, "points")),
        ("Deduct 10 points from each player", Take("each player", 10, "points")),
        (
            "Transfer 5 points from Peter to Paul Smith.",
            TransferCurrency("Peter", "Paul Smith", 5, "points"),
        ),
        ("Transfer 5 points to Paul from Peter.", TransferCurrency("Peter", "Paul", 5, "points")),
        ("Destroy 5 points of Peter", Destroy("Peter", 5, "points")),
        ("Destroy 5 of Peter's points.", Destroy("Peter", 5, "points")),
        ("Destroy all of Peter’s points.", Destroy("Peter", None, "points")),
        ("Destroy all points owned by Peter.", Destroy("Peter", None, "points")),
        ("Peter loses 5 points.", Destroy("Peter", 5, "points")),
        ("Set the Injured list to A, B and C.", SetSwitch("Injured list", "", "A, B and C")),
        ("set Alexia's Race Position to 3", SetSwitch("Race Position", "Alexia", "3")),
        ("Flip Alexia’s Race Place to none.", SetSwitch("Race Place", "Alexia", "none")),
        ("Set the Race Position of Alexia to 3.", SetSwitch("Race Position", "Alexia", "3")),
        ("Set each horse's Race Position to 0.", SetSwitch("Race Position", "each horse", "0")),
        ("Set the Most Bets to “12, if any”.", SetSwitch("Most Bets", "", "12, if any")),
        ("Change Rubert's Race Position to 4.", SetSwitch("Race Position", "Rubert", "4")),
    ],
)
def test_holdings_and_switches_change(body: str, change: Change) -> None:
    assert read(body) == [change]


@pytest.mark.parametrize(
    "body",
    [
        "Repeal rule 4. Give Peter 5 points. Repeal the rule “X”.",
        "Repeal rule 4; give Peter 5 points; repeal the rule “X”.",
        "1. Repeal rule 4\n2. Give Peter 5 points\n3) Repeal the rule “X”",
        "* Repeal rule 4\n* Also, give Peter 5 points.\n\n* Finally, repeal the rule “X”",
    ],
)
def test_several_changes_are_read_one_by_one(body: str) -> None:
    assert read(body) == [Repeal(FOUR), Give("Peter", 5, "points"), Repeal(X)]


def test_a_change_tells_its_words_and_its_place() -> None:
    body = "[[W]]\nIn rule 4, replace {\nold\n} with\n  {\nnew\n}.\n"
    (change,) = read_changes(body).changes
    assert change.sentence == "In rule 4, replace … with … ."
    assert body[change.start : change.end] == body.strip()[6:]


@pytest.mark.parametrize(
    ("body", "verb", "target"),
    [
        ("Repeal rule 4.", "repeal", "4"),
        ("Repeal “X”.", "repeal", "X"),
        ("Enact a rule titled “X”: {a}", "enact", "X"),
        ("Give Peter 5 points.", "give", "Peter"),
        ("Set Alexia's Race Position to 3.", "set switch", "Race Position"),
    ],
)
def test_a_change_tells_its_verb_and_its_target(body: str, verb: str, target: str) -> None:
    (change,) = read_changes(body).changes
    assert (change.verb, change.target) == (verb, target)


def test_rows_in_quotes_stay_on_lines_of_their_own_where_prose_is_unwrapped() -> None:
    body = "In rule 5, replace “| 12 | 5 |” with “| 12 | 5 |\n| 13 | 1 |\nAnd all\nis well.”."
    (change,) = read_changes(body).changes
    assert isinstance(change, ReplacePassage)
    assert change.new == "| 12 | 5 |\n| 13 | 1 |\nAnd all is well."
