"""What changed between two versions of a rule."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.differences import differences, render_differences

OLD = "Horses run at the start of each week.\nA horse at 16 crosses the line.\nThe end.\n"
NEW = "Horses run at the start of each month.\nA horse at 16 crosses the line.\nThe end.\nIndeed.\n"


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
    html = render_differences(differences(OLD, NEW))
    assert html.count("<ins>") == 2
    assert html.count("<del>") == 1
    assert '<span class="visually-hidden">removed: </span><del>' in html
    assert '<span class="sign" aria-hidden="true">+</span>' in html
    assert "<del>Horses run at the start of each <mark>week</mark>.</del>" in html


def test_the_html_is_escaped():
    html = render_differences(differences("<script>a</script> & b", "<img onerror=x> & b <i>"))
    assert "<script" not in html
    assert "<img" not in html
    assert "<i>" not in html
    assert "&amp;" in html


def test_two_empty_versions_say_so():
    assert "Both versions are empty." in render_differences([])


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
    render_differences(differences(old, new))
    assert time.process_time() - start < 3
