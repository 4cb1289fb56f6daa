"""Paragraphs, sentences and list items of a rule's text: each exactly, or not at all."""

import pytest

from nomic.rulebook.edits.parts import EditFailed, TextPart
from nomic.rulebook.edits.texts import append, insert, replace_passage

RULE = "Horses run, e.g. on Mondays. They rest.\n\nPonies\nrest. They eat.\n"
LISTED = "These count:\n\n* hay\n* oats\n  and water\n* straw\n\nNothing else.\n"


@pytest.mark.parametrize(
    ("old", "part", "left"),
    [
        (
            "Ponies rest",
            TextPart("paragraph", "beginning"),
            "Horses run, e.g. on Mondays. They rest.\n",
        ),
        ("", TextPart("paragraph", -1), "Horses run, e.g. on Mondays. They rest.\n"),
        ("", TextPart("paragraph", 1), "Ponies\nrest. They eat.\n"),
        ("Horses", TextPart("sentence", "beginning"), "They rest.\n\nPonies\nrest. They eat.\n"),
        (
            "eat",
            TextPart("sentence", "ending"),
            "Horses run, e.g. on Mondays. They rest.\n\nPonies\nrest.\n",
        ),
    ],
)
def test_a_part_is_taken_out(old: str, part: TextPart, left: str) -> None:
    assert replace_passage(RULE, old, "", part=part) == left


def test_each_instance_is_replaced() -> None:
    changed = replace_passage(RULE, "rest", "sleep", part=TextPart("", "each"))
    assert changed == RULE.replace("rest", "sleep")


@pytest.mark.parametrize(
    ("old", "part"),
    [
        ("They", TextPart("sentence", "beginning")),
        ("rest", TextPart()),
        ("", TextPart("paragraph", 0)),
    ],
)
def test_what_stands_twice_is_left(old: str, part: TextPart) -> None:
    with pytest.raises(EditFailed, match=r"stands (twice|[0-9]+ times)"):
        replace_passage(RULE, old, "x", part=part)


def test_a_list_item_ends_with_its_last_line_and_keeps_its_sign() -> None:
    part = TextPart("item", "beginning")
    assert replace_passage(LISTED, "oats", "", part=part) == LISTED.replace(
        "* oats\n  and water\n", ""
    )
    assert "* barley\n* straw" in replace_passage(LISTED, "oats", "barley", part=part)
    assert "* barley\n\nNothing" in replace_passage(LISTED, "", "barley", part=TextPart("item", -1))


def test_counting_is_left_where_a_list_makes_it_unsure() -> None:
    for part in (TextPart("paragraph", 2), TextPart("sentence", -1)):
        with pytest.raises(EditFailed, match="A list stands"):
            replace_passage(LISTED, "", "x", part=part)
    with pytest.raises(EditFailed, match="stands nowhere"):
        replace_passage(RULE, "", "x", part=TextPart("paragraph", 5))


@pytest.mark.parametrize(
    ("side", "anchor", "added", "unit", "expected"),
    [
        ("after", "Horses", "often", "", "Horses often run,"),
        ("after", "run", ", or walk,", "", "Horses run, or walk,, e.g."),
        ("before", "run", "never", "", "Horses never run,"),
        ("after", "They rest.", "They play.", "paragraph", "They rest.\n\nThey play.\n\nPonies"),
        ("after", "Horses", "'s", "", "Horses's run"),
        ("after", "Horses", "-free", "", "Horses-free run"),
        ("after", "Horses", "(s)", "", "Horses(s) run"),
        ("after", "Horses", "(all)", "", "Horses (all) run"),
        ("before", "run", "(", "", "Horses (run,"),
        ("before", "run", "re-", "", "Horses re-run,"),
    ],
)
def test_a_text_is_inserted_apart_as_its_kind_is(
    side: str, anchor: str, added: str, unit: str, expected: str
) -> None:
    assert expected in insert(RULE, side, anchor, added, unit=unit)


@pytest.mark.parametrize(
    ("anchor", "unit"), [("Hor", ""), ("Horses", "paragraph"), ("nowhere", ""), ("They", "")]
)
def test_an_insertion_is_exact_or_none(anchor: str, unit: str) -> None:
    with pytest.raises(EditFailed):
        insert(RULE, "after", anchor, "x", unit=unit)


def test_a_sentence_is_added_to_a_paragraph() -> None:
    changed = append(RULE, "So be it.", anchor="Horses", part=TextPart("paragraph", "beginning"))
    assert "They rest. So be it.\n\nPonies" in changed
    with pytest.raises(EditFailed, match="not clear where a text"):
        append(RULE, "a\n\nb", anchor="Horses", part=TextPart("paragraph", "beginning"))


def test_a_line_is_one_of_the_text_and_not_its_paragraph() -> None:
    changed = replace_passage(RULE, "rest. They", "", part=TextPart("line", "beginning"))
    assert changed == "Horses run, e.g. on Mondays. They rest.\n\nPonies\n"


@pytest.mark.parametrize(("side", "anchor"), [("after", "("), ("before", ")")])
def test_a_word_is_not_glued_to_another(side: str, anchor: str) -> None:
    with pytest.raises(EditFailed, match="another word begins or ends"):
        insert("Horses run (fast).", side, anchor, "very")


def test_bullets_beside_an_item_stand_on_lines_of_their_own() -> None:
    changed = insert(LISTED, "after", "* hay", "* grass\n* clover")
    assert "* hay\n* grass\n* clover\n* oats" in changed
    assert "Horses - all - run" in insert(RULE, "after", "Horses", "- all -")


def test_an_inserted_item_gets_the_bullet_and_the_indent_of_the_one_beside_it() -> None:
    oats, listed = TextPart("item", "beginning"), LISTED.replace("* ", "  * ")
    assert "and water\n* barley\n* straw" in insert(LISTED, "after", "oats", "barley", part=oats)
    assert "* hay\n* barley\n* oats" in insert(LISTED, "before", "oats", "* barley", part=oats)
    assert "  * hay\n  * barley\n  * oats" in insert(listed, "before", "oats", "barley", part=oats)
    assert "  * hay\n  * barley\n  * oats" in insert(listed, "after", "hay", "barley", unit="item")


def test_an_item_that_is_inserted_among_numbered_ones_has_its_own_number() -> None:
    numbered, second = "1. hay\n2. oats\n", TextPart("item", 2)
    with pytest.raises(EditFailed, match="its own number"):
        insert(numbered, "after", "", "straw", part=second)
    with pytest.raises(EditFailed, match="its own number"):
        insert(LISTED, "after", "These count:", "straw", unit="item")
    assert insert(numbered, "after", "", "3. straw", part=second) == "1. hay\n2. oats\n3. straw\n"


@pytest.mark.parametrize(
    ("old", "unit"),
    [
        ("They", "sentence"),
        ("Horses run, e.g. on Mondays.", "paragraph"),
        ("They", "word"),
        ("Hors", "word"),
        ("ay", "word"),
        ("Ponies rest.", "line"),
    ],
)
def test_a_part_that_is_quoted_is_its_whole_or_left(old: str, unit: str) -> None:
    with pytest.raises(EditFailed):
        replace_passage(RULE, old, "x", part=TextPart(unit, "whole"))


def test_a_part_that_is_quoted_as_a_whole_is_changed() -> None:
    changed = replace_passage(RULE, "They eat.", "They sleep.", part=TextPart("sentence", "whole"))
    assert changed == RULE.replace("eat", "sleep")
    changed = replace_passage(
        RULE, "Ponies rest. They eat.", "", part=TextPart("paragraph", "whole")
    )
    assert changed == "Horses run, e.g. on Mondays. They rest.\n"
    assert "Mules\nrest" in replace_passage(RULE, "Ponies", "Mules", part=TextPart("word", "whole"))
    for item in ("oats and water", "* oats and water"):
        changed = replace_passage(LISTED, item, "", part=TextPart("item", "whole"))
        assert changed == LISTED.replace("* oats\n  and water\n", "")
    with pytest.raises(EditFailed, match="The whole item “oats” stands nowhere"):
        replace_passage(LISTED, "oats", "", part=TextPart("item", "whole"))
