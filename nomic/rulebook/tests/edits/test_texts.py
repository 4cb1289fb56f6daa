"""Passages, bullet lists and tables of rule texts are changed without naming the rest."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from nomic.rulebook.edits.parts import EditFailed
from nomic.rulebook.edits.rows import add_rows
from nomic.rulebook.edits.texts import add_bullets, replace_passage
from nomic.rulebook.tables import find_table

SEEDS = Path(__file__).parents[5] / "shared/seeds"
IN_X = "in the rule “X”"

# Passages


def test_a_passage_is_replaced_where_it_stands():
    assert replace_passage("One hat. Two hats.\n", "Two hats", "Three") == "One hat. Three.\n"


def test_line_breaks_and_the_shape_of_quotes_do_not_matter():
    text = "If the Visitor\n  value is “Thug”, the\tSettler’s\r\nCrop waits.\n"
    old = '\nthe Visitor value is "Thug", the Settler\'s Crop\n'
    assert replace_passage(text, old, "it rains, the crop") == "If it rains, the crop waits.\n"


def test_a_passage_that_stands_nowhere_is_quoted_by_its_beginning():
    with pytest.raises(EditFailed, match="stands nowhere") as failed:
        replace_passage("A text.", "such a\nlong passage " * 9, "", IN_X)
    assert str(failed.value) == (
        "The passage “such a long passage such a long passage such a long passage…” stands nowhere"
        " in the rule “X”."
    )


@pytest.mark.parametrize(
    ("text", "old", "often"),
    [("a hat and a hat", "a hat", "twice"), ("x x x x", "x", "4 times"), ("aaa", "aa", "twice")],
)
def test_a_passage_that_stands_more_than_once_says_how_often(text: str, old: str, often: str):
    with pytest.raises(EditFailed, match=r"stands (twice|[0-9]+ times)") as failed:
        replace_passage(text, old, "", IN_X)
    assert f"“{old}” stands {often} in the rule “X”" in str(failed.value)


@pytest.mark.parametrize("old", ["", " \n"])
def test_nothing_is_no_passage(old: str):
    with pytest.raises(EditFailed, match="stands nowhere"):
        replace_passage("A text.", old, "new")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("One two three.", "One three."),
        ("One\n\ntwo\n\nthree.\n", "One\n\nthree.\n"),
        ("One two\n\nthree.\n", "One\n\nthree.\n"),
        ("two three.\n", "three.\n"),
        ("One two\n", "One\n"),
        ("One (two)", "One ()"),
    ],
)
def test_a_passage_replaced_by_nothing_leaves_no_gap(text: str, after: str):
    assert replace_passage(text, "two", "") == after


WORDS = st.lists(st.sampled_from(["hat", "“so”", "it’s", "a", "b."]), min_size=1, max_size=6)
STRAIGHT = str.maketrans("“”’", '""\'')
GAPS = st.sampled_from([" ", "\n", "  \n\t", "\n\n"])


@given(st.data(), WORDS, WORDS, WORDS)
def test_a_passage_is_found_however_it_is_broken_and_the_rest_stays(data, before, passage, after):
    written = "".join(word + data.draw(GAPS) for word in passage).rstrip()
    gaps = "".join(word + data.draw(GAPS) for word in passage)
    asked = gaps.strip().translate(str.maketrans("“”’", '""\''))
    text = f"{' '.join(before)} {written} {' '.join(after)}"
    words = [word.translate(STRAIGHT) for word in (*before, *passage, *after)]
    flat, wanted = " ".join(words), " ".join(asked.split())
    assume(flat.find(wanted, flat.find(wanted) + 1) < 0)
    replaced = replace_passage(text, asked, "[here]")
    assert replaced == f"{' '.join(before)} [here] {' '.join(after)}"
    assert replace_passage(replaced, "[here]", written) == text


def test_a_passage_made_to_be_slow_is_looked_for_in_no_time():
    started = time.process_time()
    with pytest.raises(EditFailed, match="stands nowhere"):
        replace_passage("a" * 200_000, "a" * 100_000 + "b", "")
    with pytest.raises(EditFailed, match=r"stands (twice|[0-9]+ times)"):
        replace_passage("a " * 100_000, "a a a", "")
    assert time.process_time() - started < 2


# Bullet lists


def test_bullets_go_to_the_end_of_the_list():
    text = "First:\n* one\n* two\n\nAfterwards.\n"
    assert add_bullets(text, "* three\n* four") == (
        "First:\n* one\n* two\n* three\n* four\n\nAfterwards.\n"
    )


@pytest.mark.parametrize("sign", ["*", "-", "+", "•"])
def test_bullets_get_the_list_s_own_sign(sign: str):
    assert add_bullets(f"  {sign} one\n", "- two\n* three") == (
        f"  {sign} one\n  {sign} two\n  {sign} three\n"
    )


def test_of_several_lists_the_last_is_meant():
    text = "* one\n\nThen:\n\n- two\n"
    assert add_bullets(text, "* three") == "* one\n\nThen:\n\n- two\n- three\n"


def test_a_list_in_a_block_of_code_is_none():
    text = "* one\n\n```\n* run\n```\n"
    assert add_bullets(text, "* two") == "* one\n* two\n\n```\n* run\n```\n"
    with pytest.raises(EditFailed, match="no bullet list"):
        add_bullets("```\n* run\n```\n", "* two")


def test_a_list_of_parted_items_stays_parted():
    assert add_bullets("* one\n\n* two\n", "* three") == "* one\n\n* two\n\n* three\n"


def test_a_lower_level_stays_lower():
    text = "- one\n  - within\n- two\n"
    assert add_bullets(text, "* three\n** below\n  * and below") == (
        text + "- three\n  - below\n  - and below\n"
    )


def test_an_item_that_was_broken_by_hand_stays_whole():
    text = (
        "When Voting ends, the following events happen, in order:\n"
        "* Each Open Proposal with positive Strength becomes Won; all other\n"
        "Open Proposals become Lost.\nSettled.\n"
    )
    before, after = text.split("Settled.")
    assert add_bullets(text, "* More.") == f"{before}* More.\nSettled.{after}"


def test_a_paragraph_right_below_a_list_is_no_part_of_it():
    text = "Steps:\n* Calculate the value\nThen all is done, and nobody need do any more of it.\n"
    assert add_bullets(text, "* Pay it").splitlines()[2] == "* Pay it"


@pytest.mark.parametrize("text", ["No list.\n", "---\n", "**Bold** words\n", ""])
def test_where_there_is_no_list_nothing_can_be_added(text: str):
    with pytest.raises(EditFailed, match="bullet") as failed:
        add_bullets(text, "* one", IN_X)
    assert str(failed.value) == "There is no bullet list in the rule “X”."


def test_a_list_gets_some_bullet_or_says_so():
    with pytest.raises(EditFailed, match="bullet"):
        add_bullets("* one\n", " \n")
    assert add_bullets("* one\n", "two\nthree") == "* one\n* two\n* three\n"


ITEMS = st.lists(st.sampled_from(["Set it", "pay two", "a – b"]), min_size=1, max_size=5)


@given(ITEMS, ITEMS, st.sampled_from("*-+•"), st.sampled_from("*-+•"), st.booleans())
def test_all_items_stand_in_order_under_one_sign(old, new, sign, other, goes_on):
    rest = "\nAnd a paragraph.\n" if goes_on else ""
    text = "Do:\n" + "".join(f"{sign} {item}\n" for item in old) + rest
    result = add_bullets(text, "\n".join(f"{other} {item}" for item in new))
    assert re.findall(rf"^{re.escape(sign)} (.*)$", result, re.MULTILINE) == old + new
    assert result.endswith(rest)


# Tables

MARKDOWN = "Who comes.\n\n| Roll | Visitor |\n| --- | --- |\n| 1 | Trader |\n\nAnd so on.\n"
WIKI = "Who comes.\n! Roll !! Visitor\n| 1 || Trader\n\nAnd so on.\n"
UPRIGHT = (
    '{| class="wikitable"\n|+ Visitors\n! Roll\n! Visitor\n|-\n| 1\n| Trader\n|}\nAnd so on.\n'
)
BARE = "Who comes.\n| 1 || Trader\nAnd so on.\n"
ALIGNED = "Roll    Visitor (name)\n-----------\n1       Trader\n\nAnd so on.\n"
FORMS = {
    "markdown": MARKDOWN,
    "wiki": WIKI,
    "upright": UPRIGHT,
    "bare": BARE,
    "aligned": ALIGNED,
}
GIVEN = {
    "wiki": "| 4 || Thug\n| 10 || Thug",
    "markdown": "| 4 | Thug |\n| 10 | Thug |",
    "with its heading": "| Roll | Visitor |\n|---|---|\n| 4 | Thug |\n| 10 | Thug |",
    "upright": "|-\n| 4\n| Thug\n|-\n| 10\n| Thug",
    "aligned": "4     Thug\n10    Thug",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("way", GIVEN)
def test_rows_of_any_form_go_to_the_end_of_a_table_of_any_form(form: str, way: str):
    result = add_rows(FORMS[form], "Visitors", GIVEN[way], title="Visitors")
    chart = find_table(result, "Roll", "Visitor")
    assert chart is not None
    assert [tuple(row.values()) for row in chart.rows] == [
        ("1", "Trader"),
        ("4", "Thug"),
        ("10", "Thug"),
    ]
    assert result.endswith("And so on.\n")


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("markdown", "| 4 | Thug |"),
        ("wiki", "| 4 || Thug"),
        ("bare", "| 4 || Thug"),
        ("upright", "|-\n| 4\n| Thug\n|}"),
        ("aligned", "4       Thug"),
    ],
)
def test_a_row_is_written_as_the_table_is(form: str, line: str):
    assert f"\n{line}\n" in add_rows(FORMS[form], "", "| 4 || Thug")


@pytest.mark.parametrize(
    "rows",
    [
        "| Visitor | Roll |\n| --- | --- |\n| Thug | 4 |",
        "| Visitor | Roll |\n| Thug | 4 |",
        "! Visitor !! Roll\n| Thug || 4",
    ],
)
@pytest.mark.parametrize("form", sorted(set(FORMS) - {"bare"}))
def test_rows_come_in_by_the_names_of_their_columns(form: str, rows: str):
    result = add_rows(FORMS[form], "", rows)
    chart = find_table(result, "Roll", "Visitor")
    assert chart is not None
    assert [row["Roll"] + row["Visitor"] for row in chart.rows] == ["1Trader", "4Thug"]


def test_rows_under_a_heading_with_other_columns_are_left():
    with pytest.raises(
        EditFailed, match="other columns than the table in the text, which has Roll"
    ):
        add_rows(MARKDOWN, "", "| Visitor | Cost |\n| --- | --- |\n| Thug | 4 |")


def test_a_chart_of_single_spaces_takes_a_row_for_every_word_of_its_heading():
    text = "HORSE           1 2 3\n------\nAlexia          0 1 2\n"
    result = add_rows(text, "horse", "| Zoe || 4 || 5 || 6")
    assert result.splitlines()[-1] == "Zoe             4 5 6"
    assert add_rows(text, "horse", "Zoe             4 5 6") == result


@pytest.mark.parametrize("name", ["Visitors", "the Visitors table", "Roll", "visitor", "Guests"])
def test_a_table_goes_by_its_caption_a_column_or_the_rule(name: str):
    text = f"== Guests ==\n{MARKDOWN}\n\n**Costs:**\n\n| Thing | Cost |\n|--|--|\n| hat | 3 |\n"
    assert "| 4 | Thug |" in add_rows(text, name, "| 4 || Thug")
    assert "| cap | 2 |" in add_rows(text, "the costs table", "| cap | 2 |")


def test_a_table_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(EditFailed, match="table") as failed:
        add_rows(MARKDOWN, "Prices", "| 4 || Thug", IN_X, "X")
    assert str(failed.value) == (
        "There is no table “Prices” in the rule “X”. The columns of its tables are: Roll, Visitor."
    )
    for text in ("Some heading\n---\nand prose.\n", "A wiki's end, and more:\n|} || and more\n"):
        with pytest.raises(EditFailed, match="table"):
            add_rows(text, "", "| 4 || Thug")


def test_of_two_tables_the_rule_s_title_names_neither():
    with pytest.raises(EditFailed, match="not clear which table in the rule “X”"):
        add_rows(MARKDOWN + WIKI, "X", "| 4 || Thug", IN_X, "X")


@pytest.mark.parametrize(
    ("text", "rows", "sentence"),
    [
        (
            MARKDOWN,
            "| 4 || Thug || 7",
            "The row “4 | Thug | 7” has 3 cells, where the table in the rule “X” has 2 columns.",
        ),
        (WIKI, "| 4", "The row “4” has 1 cell, where the table in the rule “X” has 2 columns."),
        (WIKI, "\n", "There are no rows to be added to the table in the rule “X”."),
        (
            MARKDOWN.replace("| 1 | Trader |", "| 1 |"),
            "| 4 || Thug",
            "Row 1 has 1 cell, where the table in the rule “X” has 2 columns.",
        ),
        (
            ALIGNED,
            "| 4 || ",
            "The rows cannot be written in the table in the rule “X” as it stands there.",
        ),
    ],
)
def test_rows_that_do_not_fit_say_why(text: str, rows: str, sentence: str):
    with pytest.raises(EditFailed) as failed:
        add_rows(text, "Roll", rows, IN_X)
    assert str(failed.value) == sentence


CELL = st.text(st.sampled_from("ab1|-! \\'"), min_size=1, max_size=6).map(str.strip)
TABLE_ROWS = st.lists(st.tuples(CELL, CELL), min_size=1, max_size=4)


@given(st.sampled_from(sorted(FORMS)), TABLE_ROWS)
def test_a_table_reads_as_before_with_the_new_rows_or_nothing_changed(form, rows):
    given_rows = "\n".join("| " + " || ".join(cells) for cells in rows)
    with suppress(EditFailed):
        result = add_rows(FORMS[form], "", given_rows)
        chart = find_table(result, "Roll", "Visitor")
        assert chart is not None
        cells = [tuple(row.values()) for row in chart.rows]
        assert cells[0] == ("1", "Trader")
        assert len(cells) > 1


@example("!", "-\n-")  # rulers alone
@given(st.text("ab*-|!=#\n +'“”", max_size=200), st.text("ab*-|!\n ", max_size=60))
def test_no_text_breaks_an_edit(text: str, other: str):
    for edit in (
        lambda: replace_passage(text, other, "new"),
        lambda: add_bullets(text, other),
        lambda: add_rows(text, other, other),
        lambda: add_rows(text, "", other),
    ):
        with suppress(EditFailed):
            assert edit() != text or other in ("new", "")


def test_the_rows_of_protection_money_fit_whichever_way_the_rule_has_its_table():
    found = next(iter(SEEDS.glob("003_*.txt")), None)
    if found is None:
        pytest.skip("the text of Protection Money is not in this checkout")
    rows = re.search(r"rows to the Visitors table:\n((?:\|.*\n)+)", found.read_text())
    assert rows is not None
    for text in FORMS.values():
        chart = find_table(add_rows(text, "Visitors", rows[1], title="Visitors"), "Roll", "Visitor")
        assert chart is not None
        assert [row["Visitor"] for row in chart.rows] == ["Trader", "Thug", "Thug"]
