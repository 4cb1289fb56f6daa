"""Bars, the nweek and the graph of links: what is drawn is what is so, and stays in its frame."""

import re
from math import isclose
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from proposals.web.drawing import (
    BAR,
    CONFLICT,
    DEPENDENCY,
    NARROW,
    WIDE,
    ListedLink,
    VoteBar,
    graph,
    strip,
)

COUNTS = st.integers(0, 10_000)
TIES = st.lists(
    st.builds(
        ListedLink,
        st.sampled_from((CONFLICT, DEPENDENCY)),
        st.integers(1, 12).map(str),
        st.integers(1, 12).map(str),
    ).filter(lambda tie: tie.source != tie.target),
    max_size=40,
)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_a_bar_never_draws_for_over_against(
    votes_for: int, against: int, present: int, voters: int
) -> None:
    drawn = VoteBar(votes_for, against, present, voters=voters)
    assert 0 <= drawn.for_width <= BAR
    assert drawn.present_width >= 0
    assert drawn.for_width + drawn.present_width <= drawn.against_x + 1
    assert drawn.against_x + drawn.against_width == BAR


@given(COUNTS, COUNTS, st.integers(1, 10_000))
def test_a_bar_with_room_for_everybody_shows_each_vote_as_long_as_any_other(
    votes_for: int, against: int, silent: int
) -> None:
    voters = votes_for + against + silent
    drawn = VoteBar(votes_for, against, voters=voters)
    assert drawn.silent == silent
    assert isclose(drawn.for_width, BAR * votes_for / voters, abs_tol=1)
    assert isclose(drawn.against_width, BAR * against / voters, abs_tol=1)


def test_a_bar_without_a_vote_is_empty_and_says_so() -> None:
    drawn = VoteBar(0, 0)
    assert (drawn.for_width, drawn.against_width) == (0, 0)
    assert drawn.says == "0 FOR, 0 AGAINST."


def test_the_quorum_stands_where_for_reaches_it() -> None:
    drawn = VoteBar(3, 1, voters=7, quorum=4)
    assert drawn.quorum_x == round(BAR * 4 / 7)
    assert drawn.says == "3 FOR, 1 AGAINST, 3 not voted; the quorum is 4."
    assert VoteBar(4, 0, voters=7, quorum=4).for_width == drawn.quorum_x


def test_the_nweek_marks_today_what_is_over_and_the_voting() -> None:
    drawn = strip(9, 12, 9)
    assert drawn is not None
    assert [nday.number for nday in drawn.ndays if nday.today] == [9]
    assert [nday.number for nday in drawn.ndays if nday.over] == list(range(1, 9))
    assert [nday.number for nday in drawn.ndays if nday.voting] == [9, 10, 11, 12]
    assert drawn.ndays[-1].x + drawn.side <= drawn.width


def test_an_nweek_of_a_hundred_ndays_is_told_and_not_drawn() -> None:
    assert strip(1, 100, 9) is None


def columns(drawn: SimpleNamespace) -> dict[str, float]:
    return {node.handle: node.x for node in drawn.nodes}


def test_what_it_depends_on_stands_to_the_right_and_what_depends_on_it_to_the_left() -> None:
    ties = [
        ListedLink(DEPENDENCY, "2", "1"),
        ListedLink(DEPENDENCY, "3", "2"),
        ListedLink(CONFLICT, "2", "4"),
    ]
    drawn = graph("2", ties, {"1": "Spoons"})
    x = columns(drawn)
    assert x["3"] < x["2"] < x["1"]
    assert x["4"] == x["2"]
    assert [node.handle for node in drawn.nodes if node.is_here] == ["2"]
    assert {line.says for line in drawn.lines} == {
        "2 depends on 1",
        "3 depends on 2",
        "2 conflicts with 4",
    }
    assert {line.tie.kind for line in drawn.lines if line.barb} == {DEPENDENCY}


@given(TIES, st.sampled_from((WIDE, NARROW)))
@example(
    [*(ListedLink(CONFLICT, "2", other) for other in "3456"), ListedLink(DEPENDENCY, "1", "2")],
    NARROW,
)
def test_every_graph_stays_in_its_frame_and_draws_no_box_over_another(
    ties: list[ListedLink], width: int
) -> None:
    drawn = graph("1", ties, {}, width=width)
    boxes = [(node.left, node.top, node.right, node.top + node.height) for node in drawn.nodes]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= drawn.height
    for place, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart
    for line in drawn.lines:
        across = [float(x) for x in re.findall(r"[MC ]?(-?[\d.]+) -?[\d.]+", line.path)]
        assert max(across) <= width


def test_more_than_can_be_drawn_is_counted_and_the_nearest_are_drawn() -> None:
    ties = [ListedLink(DEPENDENCY, "1", str(number)) for number in range(2, 60)]
    drawn = graph("1", ties, {})
    assert len(drawn.nodes) + drawn.left_out == 59
    assert drawn.nodes[0].handle == "1"
    assert len(drawn.lines) == len(drawn.nodes) - 1


def test_long_titles_are_cut_to_their_boxes() -> None:
    drawn = graph(
        "1", [ListedLink(DEPENDENCY, "1", "2")], {"2": "A title of more words than there is room"}
    )
    label = next(node.label for node in drawn.nodes if node.handle == "2")
    assert label.startswith("2 A title")
    assert label.endswith("…")


@pytest.mark.parametrize("wide", [WIDE, NARROW])
def test_a_conflict_and_a_dependency_between_the_same_two_end_apart(wide: int) -> None:
    ties = [ListedLink(CONFLICT, "1", "2"), ListedLink(DEPENDENCY, "1", "2")]
    ends = [line.path.split()[-1] for line in graph("1", ties, {}, width=wide).lines]
    assert len(set(ends)) == 2
