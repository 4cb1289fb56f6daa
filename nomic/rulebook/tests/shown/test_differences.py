"""What changed between two versions of a rule."""

import random
import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.rendering.diff import Differences, DiffLine

OLD = "Horses run at the start of each week.\nA horse at 16 crosses the line.\nThe end.\n"
NEW = "Horses run at the start of each month.\nA horse at 16 crosses the line.\nThe end.\nIndeed.\n"


def differences(old: str, new: str) -> list[DiffLine]:
    return [each for each in Differences().pieces(old, new) if isinstance(each, DiffLine)]


def kinds(old: str, new: str) -> list[str]:
    return [line.kind for line in differences(old, new)]


def changed_words(old: str, new: str) -> list[tuple[str, str]]:
    return [
        (line.kind, span.text)
        for line in differences(old, new)
        for span in line.spans
        if span.changed
    ]


def test_lines_are_the_same_removed_or_added():
    assert kinds(OLD, NEW) == ["removed", "added", "same", "same", "added"]


def test_within_a_line_only_the_new_words_are_marked():
    assert changed_words(OLD, NEW)[:2] == [("removed", "week"), ("added", "month")]


def test_neighbouring_new_words_are_one_span():
    assert changed_words(
        "Each player gains one hoof a week.", "Each player gains two fine hooves a week."
    ) == [
        ("removed", "one hoof"),
        ("added", "two fine hooves"),
    ]


def test_a_paragraph_that_was_only_broken_anew_has_no_changed_word():
    assert changed_words("one two three\nfour five six", "one two\nthree four\nfive six") == []


def test_a_wholly_new_line_is_not_peppered_with_chance_matches():
    lines = differences(
        "the horse is a beast of the field", "no player may bet on the day of doom at sea"
    )
    assert [len(line.spans) for line in lines] == [1, 1]


def test_a_number_in_a_chart():
    old = "Alexia          10\nBaxter          10\nCannon          8"
    assert changed_words(old, old.replace("Baxter          10", "Baxter          12")) == [
        ("removed", "10"),
        ("added", "12"),
    ]


def test_rows_of_a_table_are_shown_in_cells_with_the_changed_words_marked():
    old = "| ROLL | POINTS |\n| --- | --- |\n| 6 & <b> | 3 |\n"
    shown = str(Differences().show(old, old.replace("| 3 |", "| 4 | 5 |")))
    assert shown.count('<span class="cells">') == 3  # without the line below the head
    assert "<span>ROLL</span><span>POINTS</span>" in shown
    assert "<span>6 &amp; &lt;b&gt;</span><span><mark>3</mark></span></span></del>" in shown
    assert "<span><mark>4 </mark></span><span><mark> 5</mark></span></span></ins>" in shown


def test_equal_texts_differ_in_nothing():
    assert kinds(OLD, OLD) == ["same"] * 3
    assert kinds(OLD, OLD.replace("\n", "\r\n")) == ["same"] * 3


def test_from_nothing_and_to_nothing():
    assert kinds("", OLD) == ["added"] * 3
    assert kinds(OLD, "") == ["removed"] * 3
    assert differences("", "") == []


TEXTS = st.lists(
    st.sampled_from(["", "a", "b", "a b", "b  a", "a b c", " a", "c, d", "e\tf", "{", "<b>"]),
    max_size=14,
).map("\n".join)


@given(TEXTS, TEXTS)
def test_both_versions_can_be_read_back(old, new):
    lines = differences(old, new)
    without_end = [text.removesuffix("\n") for text in (old, new)]
    assert [
        "\n".join(line.text for line in lines if line.kind != other)
        for other in ("added", "removed")
    ] == without_end


@given(TEXTS, TEXTS)
def test_a_same_line_is_never_marked_and_a_marked_word_never_empty(old, new):
    for line in differences(old, new):
        assert line.kind != "same" or not any(span.changed for span in line.spans)
        assert all(span.text for span in line.spans) or not line.text


def test_the_html_says_in_words_and_signs_what_colour_says():
    html = Differences().show(OLD, NEW)
    assert html.count("<ins>") == 2
    assert html.count("<del>") == 1
    assert '<span class="visually-hidden">removed: </span><del>' in html
    assert '<span class="sign" aria-hidden="true">+</span>' in html
    assert "<del>Horses run at the start of each <mark>week</mark>.</del>" in html


def test_the_html_is_escaped():
    html = Differences().show("<script>a</script> & b", "<img onerror=x> & b <i>")
    assert "<script" not in html
    assert "<img" not in html
    assert "<i>" not in html
    assert "&amp;" in html


def test_two_empty_versions_say_so():
    assert "Both versions are empty." in Differences().show("", "")


def shuffled(lines: list[str], seed: int) -> list[str]:
    return random.Random(seed).sample(lines, len(lines))


PROSE = [
    f"Sentence {number} is about horse {number % 8} and its position." for number in range(2000)
]
LONG = {
    "one line in the middle": (PROSE, [*PROSE[:900], "New.", *PROSE[901:]]),
    "every second line": (PROSE, [line.upper() if n % 2 else line for n, line in enumerate(PROSE)]),
    "all shuffled": (PROSE, shuffled(PROSE, 1)),
    "all the same line": (["a"] * 50_000, ["b"] * 50_000),
    "few different lines": (["a", "b"] * 25_000, ["b", "b", "a"] * 16_000),
    "random among few": (
        random.Random(1).choices("abcd", k=50_000),
        random.Random(2).choices("abcd", k=50_000),
    ),
    "one endless line": ([" ".join(PROSE)], [" ".join(shuffled(PROSE, 2))]),
    "one endless line of few words": (["a b " * 25_000], ["b b a " * 16_000]),
    "one unbroken word": (["x" * 100_000], ["y" * 100_000]),
    "signs": (["!?" * 50_000], ["?!!" * 33_000]),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LONG)
def test_a_hundred_kilobytes_are_compared_in_seconds_at_worst(name):
    old, new = ("\n".join(lines) for lines in LONG[name])
    start = time.process_time()
    Differences().show(old, new)
    assert time.process_time() - start < 3


# Bounds


def numbered(count: int, prefix: str = "") -> str:
    return "\n".join(f"{prefix}{number}" for number in range(count))


def test_as_many_lines_as_a_page_compares_are_compared_and_one_more_is_not(settings: Any) -> None:
    settings.BOUNDS = {"compared_lines": 12}
    old, new = "a\nb\nc\nd\ne\nf", "A\nb\nc\nd\ne\nF"
    assert "same" in kinds(old, new)
    assert kinds(old, f"{new}\ng") == ["removed"] * 6 + ["added"] * 7
    assert "Too much differs" not in Differences().show(old, new)
    assert "Too much differs" in Differences().show(old, f"{new}\ng")


def test_words_are_compared_while_there_is_room_for_all_on_the_page(settings: Any) -> None:
    old, new = "a horse runs far", "a horse runs away"
    settings.BOUNDS = {"compared_characters": len(old + new)}
    page = Differences()
    assert "<mark>away</mark>" in page.show(old, new)
    assert "<mark>" not in page.show(old, new)
    settings.BOUNDS = {"compared_characters": len(old + new) - 1}
    assert "<mark>" not in Differences().show(old, new)


def test_what_has_room_is_shown_and_of_the_rest_how_many_lines_there_are(settings: Any) -> None:
    settings.BOUNDS = {"difference_kilobytes": 10}
    shown = Differences().show("", numbered(1000))
    told = shown.count("<li")
    assert len(shown) < 10_300
    assert f"And {1000 - told:,} more lines" in shown
    settings.BOUNDS = {"difference_kilobytes": 1000}
    assert Differences().show("", numbered(1000)).count("<li") == 1000


def test_two_long_texts_take_little_room_whatever_they_are() -> None:
    for old, new in [
        (numbered(99_000), numbered(99_000, "x")),
        (numbered(99_000), numbered(99_001)),
        ("x" * 5_000_000, "y" * 5_000_000),
        ("&" * 100_000, "\n".join('"' * 5_000)),
    ]:
        assert len(Differences().show(old, new).encode()) < 200_000


def test_lines_that_are_compared_no_more_are_all_counted() -> None:
    shown = Differences().show(numbered(99_000), numbered(99_000, "x"))
    told = shown.count("<li")
    assert f"And {198_000 - told:,} more lines" in shown


def test_of_a_long_text_only_what_is_near_a_change_is_shown() -> None:
    shown = Differences().show(numbered(3000), numbered(3000).replace("\n1500\n", "\nnew\n"))
    assert shown.count("<li") == 8
    assert "1,497 unchanged lines" in shown
    assert "1,496 unchanged lines" in shown


@given(st.text("ab\n", max_size=60), st.text("ab\n", max_size=60))
def test_lines_left_out_and_lines_shown_are_all_that_there_are(old: str, new: str) -> None:
    pieces = Differences().pieces(old, new, 1)
    left_out = sum(each for each in pieces if isinstance(each, int))
    shown = [each for each in pieces if isinstance(each, DiffLine)]
    assert [each for each in kinds(old, new) if each != "same"] == [
        each.kind for each in shown if each.kind != "same"
    ]
    assert left_out + len(shown) == len(differences(old, new))


def test_a_program_has_its_colours_beside_what_changed() -> None:
    old = "Pay.\n\n```python\nif x:\n    pay(1)  # all\n```\nThe end if.\n"
    new = old.replace("1", "20").replace("end", "rest")
    shown = Differences().show(old, new)
    changed = '<mark><span class="code-number">{}</span></mark>)  '
    remark = '<span class="code-remark"># all</span>'
    assert '<span class="code-keyword">if</span> x:' in shown
    assert '<li class="removed code">' in shown
    assert changed.format(1) + remark in shown
    assert '<li class="added code">' in shown
    assert changed.format(20) + remark in shown
    assert shown.count("code-keyword") == 1, "the last line is no program"


def test_a_program_far_into_a_long_text_has_its_own_colours() -> None:
    old = "a\n" * 300 + "```python\nreturn 1\n```\n" + "b\n" * 300
    shown = Differences().show(old, "new\n" + old.replace("return 1", "return 2"))
    assert shown.count('<span class="code-keyword">return</span>') == 2
    assert shown.count(' code">') == 2


@given(st.text("a1#\n`python", max_size=40), st.text("a1#\n`python", max_size=40))
def test_colours_take_no_word_of_a_difference(old: str, new: str) -> None:
    fenced = [f"```python\n{text}\n```\nif\n" for text in (old, new)]
    plain = [text.replace("```python\n", "```xxxxxx\n", 1) for text in fenced]
    tags = re.compile(r"<[^>]*>")
    coloured = tags.sub("", Differences().show(*fenced))
    assert coloured.replace("```python", "", 1) == tags.sub("", Differences().show(*plain)).replace(
        "```xxxxxx", "", 1
    )
