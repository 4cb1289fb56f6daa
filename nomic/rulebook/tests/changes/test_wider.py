"""Shapes of sentences that real proposals have, each with what looks like it and is left."""

import json

import pytest

from nomic.rulebook.called import CURRENCY, OFFICE, SWITCH, called
from nomic.rulebook.changes.kinds import (
    Append,
    Change,
    Repeal,
    ReplacePassage,
    ReplaceText,
    RuleRef,
    SetSwitch,
)
from nomic.rulebook.changes.on_paper import changes
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.tests.changes.test_reading import FOUR, read

FIVE, SIX = RuleRef(number="5"), RuleRef(number="6")
BIRDS = RuleRef("Birds", "5")
EACH_OF = "The Heat of each of the following persons is hereby set to 3:"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Amend rule 4 to read in full.\n\n  a\n\n  b", [ReplaceText(FOUR, "a\n\nb")]),
        ("Amend rule 4 to read in full.\n{ a }", [ReplaceText(FOUR, "a")]),
        ("Append to rule 4.\n> a\n> b\n\nRepeal rule 5.", [Append(FOUR, "a\nb"), Repeal(FIVE)]),
        ("Amend rule 4 to read.\n```\na\n```", [ReplaceText(FOUR, "a")]),
        (
            'Amend rule 4 by adding the following text on the end.\n"\n- a\n\n- b\n"\n',
            [Append(FOUR, "- a\n\n- b", "")],
        ),
        ('Amend rule 4 to read:\n"\na "b" c\n"', [ReplaceText(FOUR, 'a "b" c')]),
        (
            "Amend rule 4 by replacing\n\n   - a\n     b\n\nwith\n\n   - c\n\nRepeal rule 5.",
            [ReplacePassage(FOUR, "- a\n  b", "- c"), Repeal(FIVE)],
        ),
        (
            "Amend rule 4 by replacing “a” with “b”,\n\nreplacing “c” with “d”,\n\n"
            "and deleting “e”.",
            [
                ReplacePassage(FOUR, "a", "b"),
                ReplacePassage(FOUR, "c", "d"),
                ReplacePassage(FOUR, "e", ""),
            ],
        ),
        (
            "Amend rule 4 by deleting “a”, and inserting the following in its place: {b}",
            [ReplacePassage(FOUR, "a", "b")],
        ),
        ("In rule 4, delete “a” and insert “b” in its place.", [ReplacePassage(FOUR, "a", "b")]),
        (
            "Amend rule 4 by deleting “a” and replacing it with {b}",
            [ReplacePassage(FOUR, "a", "b")],
        ),
        ("Repeal the following rules:\n* Rule 5 (Birds)\n* Rule 6", [Repeal(BIRDS), Repeal(SIX)]),
        (
            "Repeal each of the following rules, in ascending numerical order by ID:\n\n"
            "- Rule 5, “Birds”\n\n- Rule 6\n\nRepeal rule 4.",
            [Repeal(BIRDS), Repeal(SIX), Repeal(FOUR)],
        ),
        (
            "If rule 4 contains the text “a\nb”, amend rule 4 by replacing “a b” with “c”.",
            [ReplacePassage(FOUR, "a b", "c")],
        ),
        ("If rule 4 contains “a”, amend rule 4 by deleting “a”.", [ReplacePassage(FOUR, "a", "")]),
        ("Every player's Heat is flipped to high.", [SetSwitch("Heat", "each player", "high")]),
        (
            f"{EACH_OF}\n  * Bob\n  * R. Lee\n",
            [SetSwitch("The Heat", n, "3") for n in ("Bob", "R. Lee")],
        ),
        (f"{EACH_OF}\n* ais523", [SetSwitch("The Heat", "ais523", "3")]),
    ],
)
def test_what_can_be_meant_in_one_way_is_read(body: str, expected: list[Change]) -> None:
    assert read(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        # A full stop before a text that nothing marks, or beside one
        "Amend rule 4 to read in full.\n\na\n\nRepeal rule 5.",
        "Amend rule 4 to read in full. { a }",
        "Amend rule 4 to read in full!\n\n  a",
        "Amend rule 4 to read in full...\n\n  a",
        "Amend rule 4 to read as the Speaker likes.\n\n  a",
        "Amend rule 4 to read in full [or not].\na",
        'Amend rule 4 to read:\n"\na',
        'Amend rule 4 to read:\n"\na\n" or so',
        # Items that are no text of the sentence
        "Amend rule 4 by replacing\n\n- a\n\nwith\n\n- c",
        "Amend rule 4 by\n   - a\n   - b",
        # Edits that are none
        "Amend rule 4 by replacing “a” with “b”,\n\nreplacing what is silly.",
        "Amend rule 4 by replacing “a” with “b”,\n\nor deleting “c”.",
        "Amend rule 4 by replacing “a” with “b”,\n\nnot deleting “c”.",
        # In the place of nothing, or of several
        "Amend rule 4 by replacing “a” with “b” and inserting “c” in its place.",
        "Amend rule 4 by inserting “c” in its place.",
        "Amend rule 4 by appending “b” and replacing it with “c”.",
        "Amend rule 4 by deleting “a” and inserting “b” in the place of honour.",
        # No list of rules
        "Repeal the following rules:\n* Rule 5\n* Rule 6 (perhaps)",
        "Repeal the following rules:\n* Rule 5\n* Repeal rule 6",
        "Repeal the following rules:\n* Rule 5, 6",
        "Repeal the following rules:\n* Rules 5-6",
        "Repeal the following rules:\n* Rule 5\nnot really",
        "Repeal the following rules:\n* Rule 5, but not now\n* Rule 6",
        "Repeal the following rules:\n* Rule 5\n\n* none of these",
        "Repeal one of the following rules:\n* Rule 5\n* Rule 6",
        "Repeal each of the following rules, if it rains:\n* Rule 5",
        "Do not repeal the following rules:\n* Rule 5",
        # Conditions that say more than that the passage is there
        "If rule 4 contains “a”, amend rule 4 by replacing “b” with “c”.",
        "If rule 4 contains “a”, amend rule 5 by deleting “a”.",
        "If rule 4 contains “a”, repeal rule 4.",
        "If rule 4 contains “a”, amend rule 4 by deleting the sentence “a”.",
        "If rule 4 does not contain “a”, amend rule 4 by deleting “a”.",
        "If rule 4 contains “a” twice, amend rule 4 by deleting “a”.",
        "If rule 4 contains “a”, amend rule 4 by deleting “a”, otherwise by deleting “b”.",
        "If rule 4 contains “a” and it rains, amend rule 4 by deleting “a”.",
        # Names that may be sentences
        f"{EACH_OF}\n* Bob\n* if it rains",
        f"{EACH_OF}\n* Bob\n* Nothing Above Happens",
        f"{EACH_OF}\n* Bob, twice",
        f"{EACH_OF}\n* Bob\n\n* Alice",
        f"{EACH_OF}\nBob",
    ],
)
def test_what_looks_like_it_is_left_with_all_beside_it(body: str) -> None:
    reading = read_changes(f"Repeal rule 9.\n\n{body}")
    assert reading.unread
    assert reading.changes == reading.by_hand


def test_the_words_by_which_a_unit_is_named_may_have_other_capitals_where_they_mean_one() -> None:
    body = "Amend rule 4 by deleting the paragraph beginning “The cat Naps”."

    def left_of(text: str) -> str:
        case = {"id": 1, "body": body, "rules": [{"number": 4, "title": "A", "text": text}]}
        rules = json.loads(changes(json.dumps(case), confirm=True))["rules"]
        return str(rules[0]["text"]).strip()

    assert left_of("The Cat naps here.\n\nDogs bark.") == "Dogs bark."
    twice = "The Cat naps here.\n\nThe CAT naps there."
    assert left_of(twice) == twice
    assert left_of("The Cat naps here.\n\nThe cat Naps there.") == "The Cat naps here."


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Activity is a player switch tracked by the Registrar.", "activity", SWITCH),
        ("Well. Laudability is a secured person\nswitch.", "The Laudability", SWITCH),
        ("Heat and Cold are integer switches.", "Heat", SWITCH),
        ("Heat and Cold are integer switches.", "Cold switch", SWITCH),
        ("The Mad Engineer is an office; e builds.", "Mad Engineer", OFFICE),
        ("The Herald is an imposed office.", "the Herald", OFFICE),
        ("Blots are an indestructible fixed currency.", "blot", CURRENCY),
        ("Coins are the official currency.", "coins", CURRENCY),
    ],
)
def test_a_sentence_of_a_rule_calls_a_thing_what_it_is(text: str, name: str, kind: str) -> None:
    rule = RuleText(1, "A", text, 1, 1)
    assert called([rule], name, kind) is rule
    assert called([RuleText(1, "A", text, 1, 1, visibility="hidden")], name, kind) is None
    assert called([rule], f"{name}x", kind) is None
    assert called([rule], "", kind) is None


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Activity is not a player switch.", "activity", SWITCH),
        ("Class is a proposal switch.", "class", SWITCH),
        ("The effect is a rule switch.", "effect", SWITCH),
        ("If the effect is a switch, it rains.", "effect", SWITCH),
        ("The Herald is no office.", "Herald", OFFICE),
        ("The instructions are a fine text. Coins are a currency.", "instructions", CURRENCY),
        ("Nobody knows. What a light switch is, is unclear.", "light", SWITCH),
    ],
)
def test_what_no_sentence_calls_so_is_not_called_so(text: str, name: str, kind: str) -> None:
    assert called([RuleText(1, "A", text, 1, 1)], name, kind) is None
