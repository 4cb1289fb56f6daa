"""A body is read whole: one sentence that cannot be read leaves all of it to the officer."""

import json
import re
from itertools import chain
from pathlib import Path

import pytest

from nomic.rulebook.changes.kinds import (
    Enact,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
)
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.left_to_officer import EXAMPLES
from nomic.rulebook.changes.reading import read_changes, readable_changes

FOUR = RuleRef(number="4")
HEADER = "ID: 12\nAuthor: R. Lee\nCo-authors: ais523, G."
OF_THE_ISSUE = [
    'Amend rule 2 by replacing "Sunny" with "Rainy".\n\n'
    "This proposal does nothing when the Absurdor is vacant.",
    "(Previous version, withdrawn:)\n\nRepeal rule 2659.\n\n(New version:)\n\nRepeal rule 4.",
    "Repeal rule 2700.\n\nThe preceding takes place at the start of Agora's birthday.",
    "Repeal rule 2659.\n\nJust kidding! Please ignore the line above.",
    "What this proposal must not do\n\nRepeal rule 1.\n\nWhat it does\n\nRepeal rule 4.",
    "Repeal rule 4.\n\nThis takes effect at midnight.",
    "Repeal rule 4.\n\nThis takes effect on Monday.",
    "Repeal rule 4.\n\nI retract the above.",
    "Repeal rule 4.\n\nDisregard that.",
    "# Rejected ideas\n\nRepeal rule 4.",
    "Here is what Murphy wanted:\n\nRepeal rule 4.",
    "This happens only if the Speaker agrees.\n\nRepeal rule 4.",
    "If you like horses, vote FOR this.\n\nRepeal rule 4.",
]
OUR_OWN = [
    "No. Repeal rule 4.",
    "Not) Repeal rule 4.",
    "Repeal rule 4. Or else.",
    "Repeal rule 4. Psych!",
    "Repeal rule 4\n\n¬",
    "Repeal rule 4.\n\n…not.",
    "Repeal rule 4.\n\nScratch that",
    "Revert the above.\n\nRepeal rule 4.",
    "Undo everything that stands here.\n\nRepeal rule 4.",
    "Cancel the next line.\nRepeal rule 4.",
    "Set the effect of this proposal to nothing.\n\nRepeal rule 4.",
    "Change the date of this proposal to Friday.\n\nRepeal rule 4.",
    "Give the following no effect: { Repeal rule 4. }",
    "Destroy all of the above instructions.\n\nRepeal rule 4.",
    "Amend this proposal by deleting “Repeal rule 4.”\n\nRepeal rule 4.",
    "Delete the next line.\nRepeal rule 4.",
    "Repeal rule 4.\n\nRationale:\n\nIt was bad in 2019. It should wait.\n\nRepeal rule 5.",
    "Repeal rule 4 (only on Tuesdays).",
    "Repeal the rule “Horses” (unless Ann objects).",
    "Amend rule 4 by (with Ann's consent) replacing “a” with “b”.",
    "Set the quorum to 5 if nobody minds.\n\nRepeal rule 4.",
    "Rule 4 reads “Repeal rule 5.”\n\nRepeal rule 5.",
    "“Repeal rule 4.” is what Bob wrote.\n\nRepeal rule 5.",
    'He said: "Repeal rule 4.\n\nRepeal rule 5.',
    "<!--\nRepeal rule 4.\n-->",
    "<s>\nRepeal rule 4.\n</s>",
    "~~Repeal rule 4.~~ Repeal rule 5.",
    "~~\nRepeal rule 4.\n~~",
    "~~~\nRepeal rule 4.\n~~~",
    "- [ ] Repeal rule 4.\n- [x] Repeal rule 5.",
    "> Repeal rule 4.\n\nRepeal rule 5.",
    "> My opponent asks:\nRepeal rule 4.",
    "-----\nObsolete\n-----\nRepeal rule 4.",
    "== Draft ==\n\nRepeal rule 4.",
    "__Old__\nRepeal rule 4.",
    "{ __Not this__ Repeal rule 4. }",
    "{ __Only If It Rains__\nRepeal rule 4. }",
    "{ __Rejected Ideas__\nRepeal rule 4. }",
    "{ __Fixing the World__ Repeal rule 4. }",
    "{ __Fixing the world__\nRepeal rule 4. }",
    "{ __Old__\nRepeal rule 4. }",
    "Not this: {{ Repeal rule 4. }}",
    "# Comment on what is gone\n\nRepeal rule 4.",
    "Rationale: Bob insists.\n\nRepeal rule 4.",
    "Note that this is void.\n\nRepeal rule 4.",
    "Title: Spring\nOnly on Fridays: yes\n\nRepeal rule 4.",
    "Title: Do nothing of this\n\nRepeal rule 4.",
    "Subject: none of this\n\nRepeal rule 4.",
    "Date: next Monday\n\nRepeal rule 4.",
    "From: Bob, as a joke\n\nRepeal rule 4.",
    "Repeal rule 4.\n-- \nNot really, snail",
    "Repeal rule 4.\n--\nsnail\n\nP.S. I take it back.",
    "One of:\n1. Repeal rule 4.\n2. Repeal rule 5.",
    "1. Repeal rule 4.\nOR\n2. Repeal rule 5.",
    "a) Repeal rule 4, or\nb) Repeal rule 5.",
    "Repeal rule 4.\n[sic] (a quotation)",
    "To the Assessor: count this as withdrawn.\n\nRepeal rule 4.",
    "In 2031:\n\nRepeal rule 4.",
    "In the event of a tie, the following applies.\n\nRepeal rule 4.",
    "Under the rules as they were last year:\n* Repeal rule 4.",
    "Bob retracts this.\n\nRepeal rule 4.",
    "Repeal rule 4.\n\nI vote AGAINST this, and so should you.",
    "Repeal rule 4\N{IDEOGRAPHIC FULL STOP} not.",
    "Répétez.\n\nRepeal rule 4.",
    "Nichts davon gilt.\n\nRepeal rule 4.",
    "Repeal rule 4.\n\n🚫",
]

LONG = f"If it rains, {'all players stay at home, ' * 5}and so on."
MORE_THAN_ONE_WAY = [
    "Amend rule 4 to read:\nWhen it is noon:\nRepeal rule 5.",
    f"Amend rule 4 to read:\n{LONG}\n{LONG.replace('rains', 'snows')}",
    f"Amend rule 4 to read:\n{LONG}\nJust kidding!\nRepeal rule 5.",
    "Amend rule 4 to read:\n```\nthe sky is blue",
    f"Amend rule 4 to read:\n----\n{LONG}",
    "[s]Repeal rule 4.[/s]",
    "[quote=Bob]\nRepeal rule 4.\n[/quote]\n\nRepeal rule 5.",
    "- [-] Repeal rule 4.\n- [✓] Repeal rule 5.",
    "Repeal rule 4 [1].",
    "; Repeal rule 4.\nRepeal rule 5.",
    ". Repeal rule 4.",
    ": Repeal rule 4.",
    "... Repeal rule 4.",
    "Repeal rule 4...",
    "Repeal rule 4!!",
    "Repeal rules 2-4.",
    "Repeal rule\n4.\n5.\n6.",
    "Repeal rule 4.\n\n6.\n\nRepeal rule 5.",
    "Give Murphy and snail 5 points.",
    "Take 5 points from Murphy and snail.",
    "Enact a rule with the text “Everybody wins.” and title “Wins”.",
    "Enact a rule with the text “Everybody wins.” and a title reading “Wins”.",
    "Enact a rule, Only If Bob Agrees, with the text: { x }",
    "Amend the text of rule 4 by { replacing “a” with “b” }",
    "Change the text of rule 4 by:\n\n  replacing “a” with “b”",
    "Amend rule 4 by inserting “not”.",
    "Amend rule 4 by replacing “a” with “b” and inserting “not”.",
    "Insert “not” in rule 4.",
]


@pytest.mark.parametrize("body", [*OF_THE_ISSUE, *OUR_OWN, *MORE_THAN_ONE_WAY])
def test_nothing_is_done_by_itself_beside_what_cannot_be_read(body: str) -> None:
    reading = read_changes(body)
    assert reading.unread
    assert reading.changes == reading.by_hand
    said = [each.sentence for each in reading.unread]
    for change in reading.by_hand:
        assert (
            change.sentence in said
            or any(each[:200] in change.why for each in said)
            or any(each in change.sentence for each in said)
        )


@pytest.mark.parametrize("body", OF_THE_ISSUE)
def test_what_the_author_marks_as_remarks_decides_nothing(body: str) -> None:
    said = [each.sentence for each in read_changes(body).unread]
    reading = read_changes(body, said)
    assert (reading.unread, reading.by_hand) == ((), ())
    assert [each.sentence for each in reading.marked] == said
    assert reading.changes


def test_one_remark_that_is_not_marked_still_leaves_all() -> None:
    body = "Well.\n\nRepeal rule 4.\n\nThis happens on Monday."
    (first, repeal, last) = read_changes(body).by_hand
    assert [each.sentence for each in (first, last)] == ["Well.", "This happens on Monday."]
    repeal, last = read_changes(body, ["Well."]).by_hand
    assert "“This happens on Monday.” stands in the same text" in repeal.why


@pytest.mark.parametrize(
    "comment",
    [
        "[If it rains.]",
        "[[Not\n\nthis.]]",
        "/* Only on Fridays. */",
        "# Rationale\n\nIf it rains, all is well.",
        "Comments:\nNot next week.",
        "== Notes ==\nDisregard that.\n",
        "__Justification__\n\nOnly if you like it.",
        "Note\n----\nJust kidding!",
        "**COMMENT**\n\nWhen it rains.",
    ],
)
def test_comments_in_the_written_forms_decide_nothing(comment: str) -> None:
    for body in (f"Repeal rule 4.\n\n{comment}", f"{comment}\n\n----\nRepeal rule 4."):
        reading = read_changes(body)
        assert [type(each) for each in reading.changes] == [Repeal]
        assert any(each.kind == "comment" for each in reading.remarks)


def test_a_section_of_comments_ends_with_the_next_heading_and_holds_no_instruction() -> None:
    body = "# Rationale\n\nRepeal rule 5 {\n# a\n}.\n\n# Changes\n\nRepeal rule 4."
    assert [each.sentence for each in read_changes(body).unread] == ["# Changes"]
    (change,) = read_changes(body, ["# Changes"]).changes
    assert isinstance(change, Repeal)
    assert change.rule == FOUR


def test_a_heading_is_none_of_the_sections_with_one_word_more() -> None:
    assert read_changes("# Notes of mine\n\nRepeal rule 4.").by_hand
    assert read_changes("# Rationales\n\nRepeal rule 4.").by_hand


@pytest.mark.parametrize(
    "body",
    [
        "Create a new dynastic rule called “Weather” and give it the following text:\n\n"
        "If it rains, each player gains 1 point, unless it snows.",
        "Enact a rule titled “Weather” with the text: { If it rains, only Bob plays. }",
        "In the rule “Weather”, replace “Sun” with “If it rains”.",
        "Amend rule 4 to read: “When it rains, nothing happens.”",
    ],
)
def test_a_condition_in_a_rules_own_text_is_the_rules(body: str) -> None:
    (change,) = read_changes(body).changes
    assert isinstance(change, Enact | ReplacePassage | ReplaceText)


def test_the_lines_above_a_proposal_are_its_header() -> None:
    body = (
        "Proposal 12: The Horses of Spring\nID: 12\nAdoption index: 1.0\nAuthor: R. Lee\n"
        "Co-authors: ais523, G.\nClass: ORDINARY\nFOR (2): a, b\n\nRepeal rule 4."
    )
    reading = read_changes(body)
    assert [type(each) for each in reading.changes] == [Repeal]
    assert {each.kind for each in reading.remarks} == {"header"}
    assert read_changes("Repeal rule 4.\n\nAuthor: R. Lee").by_hand


@pytest.mark.parametrize(
    "line",
    [
        "Title: This proposal does nothing when the Absurdor is vacant.",
        "Title: Void",
        "Title: Nothing Of This Happens",
        "Title: Spring, but only on Mondays",
        "Author: void on Mondays",
        "Author: Void On Mondays",
        "Co-authors: ais523, unless e objects",
        "Proposal 12 (void unless the Speaker agrees)",
        "Class: void",
        "Adoption index: 3 if it rains",
        "Outcome: ADOPTED in 2031",
        "Outcome: REJECTED",
        "FOR (2): a, none",
        "Resolved at: https://example.org/?only-on-mondays",
    ],
)
def test_a_line_of_a_header_without_the_form_of_its_kind_is_a_sentence(line: str) -> None:
    for body in (f"{line}\n{HEADER}", f"{HEADER}\n{line}\nAI: 1", f"{HEADER}\n{line}"):
        reading = read_changes(f"{body}\n\nRepeal rule 4.")
        assert [each.sentence for each in reading.unread] == [line]
        (change,) = read_changes(f"{body}\n\nRepeal rule 4.", [line]).changes
        assert isinstance(change, Repeal)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Repeal rule 4.\n\n    Repeal rule 5.", "officer"),
        ("Repeal rule 4.\n\n\tRepeal rule 5. Repeal rule 6.", "officer"),
        ("Repeal rule 4.\n\n    Amend rule 5 as follows:\n    delete “a”.", "officer"),
        ("Repeal rule 4.\n\n    {\n    Repeal rule 5.\n    }", "officer"),
        ("Repeal rule 4.\n\n    { {\n    Repeal rule 5.\n    } }", "officer"),
        ("* Repeal rule 4.\n    * Repeal rule 5.", "officer"),
        ("    Repeal rule 4.\n\n    Repeal rule 5.", "carried"),
        ("{\n    Repeal rule 4.\n}", "carried"),
        ("Amend rule 4 as follows:\n\n    replace “a” with “b”.\n\n    delete “c”.", "carried"),
        ("Amend rule 4 to read:\n\n    Repeal rule 5.\n\nRepeal rule 6.", "carried"),
    ],
)
def test_a_block_of_code_is_an_example_unless_something_announces_it(
    body: str, expected: str
) -> None:
    assert outcome(body) == expected


def test_of_equal_sentences_the_first_are_marked_that_many() -> None:
    body = "Well.\n\nRepeal rule 4.\n\nWell.\n\nWell."
    reading = read_changes(body, ["Well.", "Well."])
    assert [each.start for each in reading.marked] == [0, 23]
    assert [each.start for each in reading.unread] == [30]
    assert not read_changes(body, ["Well."] * 3).by_hand
    assert reading.stray(["Well."] * 2) == ""
    reading = read_changes(body, ["Well."] * 4)
    assert "stands in the text 3 times" in reading.stray(["Well."] * 4)


def test_a_rule_is_retitled_and_amended_in_one_sentence() -> None:
    assert [
        (type(each), each.facts["rule"])
        for each in readable_changes("Retitle rule 4 to “Ponies” and amend it to read: { b }")
    ] == [(ReplaceText, FOUR), (Retitle, FOUR)]
    body = "Retitle “Horses” to “Ponies”, and amend it by replacing “a” with “b” and deleting “c”."
    kinds = [type(each) for each in readable_changes(body)]
    assert kinds == [ReplacePassage, ReplacePassage, Retitle]


@pytest.mark.parametrize("mark", ["3. ", "3.\n", "(3)\n", "(3) ", "3) ", "a. ", "i) ", "* ", "– "])
def test_a_lists_mark_is_no_word(mark: str) -> None:
    (change,) = read_changes(f"{mark}Repeal rule 4.").changes
    assert isinstance(change, Repeal)


@pytest.mark.parametrize(
    ("body", "changes"),
    [
        ("1.\nRepeal rule 4.\n\n2.\nRepeal rule 5.", 2),
        ("Repeal rules 2-4 and 2-6.", 2),
        ("Murphy and snail each gain 5 points.", 2),
        ("Enact a rule titled “A” with the text “B”.", 1),
        ("Replace the text of rule 4 by { b }", 1),
        ("Amend rule 4 by inserting “b” at the end.", 1),
        ("Amend rule 4 by adding “b”.", 1),
        ("Enact a rule titled “A”: { b }. Repeal rule 4.", 2),
    ],
)
def test_what_can_be_meant_in_one_way_alone_is_read(body: str, changes: int) -> None:
    assert (outcome(body), len(read_changes(body).changes)) == ("carried", changes)


@pytest.mark.thorough
def test_thousands_of_sentences_of_prose_are_one_thing_for_the_officer() -> None:
    reading = read_changes("All is well. " * 5_000)
    assert len(reading.unread) == 5_000
    assert [each.sentence[:12] for each in reading.changes] == ["All is well."]
    for piece in ("All is well. ", "[a]", "* a\n"):
        with pytest.raises(Unreadable, match="at most 5,000 sentences and comments"):
            read_changes(piece * 5_001)


def outcome(body: str) -> str:
    """What comes of a body; "nothing" where it asks for no change."""
    reading = read_changes(body)
    if reading.by_hand or reading.unread:
        return "officer"
    return "carried" if reading.changes else "nothing"


def bodies(name: str) -> list[dict[str, str]]:
    told: list[dict[str, str]] = json.loads(Path(__file__).with_name(name).read_text())
    return told


@pytest.mark.parametrize("told", bodies("bodies.json"))
def test_bodies_of_one_who_never_saw_the_grammar(told: dict[str, str]) -> None:
    assert outcome(told["body"]) == told["expect"], told["why"]


@pytest.mark.parametrize("told", bodies("mixed.json"))
def test_bodies_of_one_who_had_read_the_grammar(told: dict[str, str]) -> None:
    assert outcome(told["body"]) == told["expect"]


@pytest.mark.parametrize("shape", [*chain.from_iterable(EXAMPLES.values())])
@pytest.mark.parametrize("word", ["not", "zebra", "(perhaps)", "– or"])
def test_no_word_of_a_sentence_is_dropped(shape: str, word: str) -> None:
    facts = [each.facts for each in readable_changes(shape)]
    bare = re.sub(r"“[^”]*”|{[^}]*}", lambda text: "x" * len(text[0]), shape)
    for gap in [each.start() for each in re.finditer(" ", bare)]:
        body = f"{shape[:gap]} {word}{shape[gap:]}"
        assert [each.facts for each in readable_changes(body)] != facts, body
