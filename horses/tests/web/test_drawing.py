"""The drawings: where things are, told from the race alone."""

import itertools
import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horses.web import drawing
from horses.web.drawing import NARROW, WIDE, DrawnHorse

SCALE = {"finish": 16, "helmet_from": 12}
NAMES = ["Alexia", "Baxter", "Cannon", "Destructor", "Fargo", "Nacho", "Rubert", "Sugar"]


def field(**positions: int) -> list[DrawnHorse]:
    return [DrawnHorse(name, positions.get(name, 0)) for name in NAMES]


def steps(track: SimpleNamespace) -> list[float]:
    """Where the line of each step is."""
    return [float(x) for x in re.findall(r"M([\d.]+) ", track.step_lines)]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_lane_a_horse_and_a_column_a_step(width: int) -> None:
    track = drawing.track(field(), width=width, **SCALE)
    assert [lane.runner.name for lane in track.lanes] == NAMES
    assert len(steps(track)) == 17
    assert steps(track)[12] == track.helmet_x
    assert steps(track)[16] == track.finish_x


@given(st.integers(0, 16), st.sampled_from([WIDE, NARROW]))
def test_a_horse_stands_on_the_line_of_its_step(position: int, width: int) -> None:
    track = drawing.track(field(Fargo=position), width=width, **SCALE)
    lane = next(lane for lane in track.lanes if lane.runner.name == "Fargo")
    assert lane.x == steps(track)[position]
    assert track.left <= lane.x - 14 or width == NARROW
    assert lane.x + 14 <= width
    assert track.top <= lane.middle <= track.bottom <= track.height


@given(st.integers(4, 300), st.integers(0, 300), st.sampled_from([WIDE, NARROW]))
def test_no_label_of_an_axis_covers_another(finish: int, helmets: int, width: int) -> None:
    helmet_from = helmets % (finish + 1)
    track = drawing.track(field(), finish=finish, helmet_from=helmet_from, width=width)
    along = [x for _, x in track.scale]
    assert all(b - a >= 23 for a, b in itertools.pairwise(along))
    assert all(abs(x - track.helmet_x) >= (24 if width == NARROW else 54) for x in along)
    chart = drawing.chart(["0", "1"], {"Fargo": [0, finish]}, finish=finish, width=width)
    assert all(a - b >= 15 for (_, a), (_, b) in itertools.pairwise(chart.rows))


def test_only_a_horse_that_moved_has_a_way_behind_it() -> None:
    moved = DrawnHorse("Fargo", 5, before=3)
    stayed = DrawnHorse("Sugar", 5, before=5)
    unknown = DrawnHorse("Nacho", 5)
    lanes = drawing.track([moved, stayed, unknown], **SCALE).lanes
    start, end = re.findall(r"[\d.]+(?= 0)|(?<=H)[\d.]+", lanes[0].went)
    assert float(start) < float(end) == lanes[0].x
    assert lanes[1].went == lanes[2].went == ""


def test_a_runner_says_its_facts_in_words() -> None:
    assert DrawnHorse("Fargo", 16, 1, "juan", 3).says == "Fargo, owned by juan: first home"
    assert DrawnHorse("Sugar", 4).says == "Sugar, not owned by a player: at 4"
    assert DrawnHorse("Sugar", 4).colours == "silk-0 unowned"
    assert DrawnHorse("Fargo", 4, owner="Murphy", silk=11).colours == "silk-3"


@given(st.lists(st.integers(0, 16), min_size=8, max_size=8), st.sampled_from([WIDE, NARROW]))
def test_no_label_of_the_chart_covers_another(ends: list[int], width: int) -> None:
    courses = {name: [0, end] for name, end in zip(NAMES, ends, strict=True)}
    chart = drawing.chart(["0", "1"], courses, width=width, finish=16)
    heights = sorted(course.label_y for course in chart.courses)
    assert all(b - a >= 16.9 for a, b in itertools.pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= chart.height


def test_a_chart_of_one_moment_is_drawn_too() -> None:
    chart = drawing.chart(["0"], {name: [0] for name in NAMES}, finish=16)
    assert len(chart.courses) == 8


def test_a_pull_that_the_table_does_not_have_is_marked() -> None:
    graph = drawing.pulls(
        {"Alexia": ["Baxter", "Alexia"], "Baxter": []}, {"Alexia": ["Baxter"]}, galloper="Alexia"
    )
    added = {(pull.puller, pull.pulled): pull.added for pull in graph.pulls}
    assert added == {("Alexia", "Alexia"): True, ("Alexia", "Baxter"): False}
    assert [node.galloper for node in graph.nodes] == [True, False]


@given(st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))))
def test_every_arrow_stays_in_the_picture(pairs: set[tuple[str, str]]) -> None:
    wanted = {name: [to for start, to in pairs if start == name] for name in NAMES}
    graph = drawing.pulls(wanted, {})
    assert len(graph.pulls) == len(pairs)
    for pull in graph.pulls:
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", pull.path + pull.barb)]
        assert all(-5 <= number <= graph.width + 5 for number in numbers)
