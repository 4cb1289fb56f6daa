"""The drawings: where things are, told from the isle alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settlers.rules.isle import RESOURCES, Settler
from settlers.web import drawing
from settlers.web.drawing import MOST_PLOTS, NARROW, WIDE, PastProduction, Plot

NUMBERS = dict(zip(RESOURCES, (2, 3, 4, 5, None), strict=True))
WHOLE = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


def plots(count: int, buildings: Sequence[str] = ()) -> list[Plot]:
    built = tuple(buildings)
    return [Plot(Settler(f"Settler {n}", {"wheat": n}, NUMBERS, built)) for n in range(count)]


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("count", range(1, MOST_PLOTS + 1))
def test_homesteads_stand_on_the_isle_and_apart(width: int, count: int) -> None:
    isle = drawing.isle(plots(count), width=width)
    boxes = [
        (home.x, home.y, home.x + home.width, home.y + home.height) for home in isle.homesteads
    ]
    assert len(boxes) == count
    for left, top, right, bottom in boxes:
        assert left > 0
        assert top > 0
        assert right < width
        assert bottom < isle.jetty_y
    for place, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[place + 1 :]:
            beside = right <= other_left or other_right <= left
            above = bottom <= other_top or other_bottom <= top
            assert beside or above


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_tiles_lie_side_by_side_within_their_homestead(width: int) -> None:
    (home, *_) = drawing.isle(plots(4), width=width).homesteads
    middles = [tile.x for tile in home.tiles]
    assert [tile.resource for tile in home.tiles] == list(RESOURCES)
    assert middles[0] - 14.5 >= 0
    assert middles[-1] + 14.5 <= home.width
    assert all(after - before >= 29 for before, after in pairwise(middles))


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("count", [0, 2, MOST_PLOTS])
def test_the_shore_is_closed_and_within_the_picture(width: int, count: int) -> None:
    isle = drawing.isle(plots(count), width=width)
    outlines = Path("static/isle.svg").read_text(encoding="utf-8")
    (outline,) = re.findall(rf'id="{isle.shore}" viewBox="0 0 1000 1000".* d="(M.*Z)"', outlines)
    assert all(0 <= int(number) <= 1000 for number in re.findall(r"-?\d+", outline))
    for _, (x, y, across, down) in isle.land:
        assert x >= 0
        assert y >= 0
        assert x + across <= width
        assert y + down <= isle.height
    assert isle.jetty_y + 50 < isle.height
    words = isle.jetty_x - 125
    assert all(x + 30 <= words or x >= isle.jetty_x for x, _ in isle.waves)


def test_buildings_of_one_name_are_one_picture_with_their_number() -> None:
    built = ["Mill", "Cone", "Farm", "Farm", "Barn"]
    (home,) = drawing.isle(plots(1, buildings=built)).homesteads
    assert [(glyph.name, glyph.count) for glyph in home.glyphs] == [
        ("Farm", 2),
        ("Cone", 1),
        ("Barn", 1),
        ("Mill", 1),
    ]
    assert [glyph.letter for glyph in home.glyphs if not glyph.is_drawn] == ["B", "M"]
    many = [f"Kind {number}" for number in range(20)]
    (home,) = drawing.isle(plots(1, buildings=many)).homesteads
    assert len(home.glyphs) + home.more_glyphs == 20
    assert all(glyph.x + 30 < home.width for glyph in home.glyphs)


def test_a_long_name_is_cut_in_its_field_and_whole_for_those_who_hear_it() -> None:
    name = "A name of exactly forty characters, yes."
    for width in (WIDE, NARROW):
        (home, _) = drawing.isle(
            [Plot(Settler(name, {}, NUMBERS)), *plots(1)], width=width
        ).homesteads
        assert home.name.endswith("…")
        assert name in home.plot.says


def test_a_plot_says_what_it_shows() -> None:
    murphy = Settler("Murphy", {"wheat": 1_000}, NUMBERS, ("Cone",))
    plot = Plot(murphy, {"wheat": 5}, ["Ready"])
    assert plot.says == (
        "Murphy (Ready): Domains wheat 2 that brings 5, sheep 3, stone 4, wood 5, brick empty;"
        " Stockpile 1,000 wheat, 0 sheep, 0 stone, 0 wood, 0 brick; built Cone"
    )


@given(st.integers(0, 10**15))
def test_an_amount_is_short(amount: int) -> None:
    assert len(drawing.short(amount)) <= 5
    if amount < 10_000:
        assert drawing.short(amount) == str(amount)


@given(st.dictionaries(st.integers(2, 12), st.integers(0, 6), min_size=1))
def test_the_deck_shows_what_is_left_of_what_there_was(left: dict[int, int]) -> None:
    chart = drawing.deck(left, WHOLE, last=(2, 7), mine=(3,))
    assert [stack.result for stack in chart.stacks] == sorted(WHOLE)
    assert chart.cards == sum(left.values())
    assert sum(stack.chance for stack in chart.stacks) == pytest.approx(1 if chart.cards else 0)
    assert [stack.result for stack in chart.stacks if stack.last] == [2, 7]
    assert [stack.result for stack in chart.stacks if stack.mine] == [3]
    for stack in chart.stacks:
        assert stack.left_y + stack.left_height == pytest.approx(chart.base)
        assert stack.whole_y + stack.whole_height == pytest.approx(chart.base)
        assert min(stack.left_y, stack.whole_y) >= 0
        assert 0 <= stack.x - chart.bar / 2 <= chart.width - chart.bar


def test_an_empty_deck_is_drawn_without_a_chance() -> None:
    chart = drawing.deck({}, {})
    assert (chart.cards, chart.stacks) == (0, ())
    assert drawing.deck({7: 0}, {7: 6}).stacks[0].percent == "0 %"


@pytest.mark.parametrize("count", [0, 1, 8, 30])
def test_each_production_has_its_place_in_the_history(count: int) -> None:
    past = [
        PastProduction(n, n, (2 + n % 5, 12 - n % 5), "Merchant" if n % 3 else "None")
        for n in range(count)
    ]
    history = drawing.history(past, sorted(WHOLE))
    places = [mark.x for mark in history.marks]
    assert places == sorted(set(places))
    assert all(history.left < x < history.right for x in places)
    assert all(mark.first_y != mark.second_y for mark in history.marks)
    assert sum(mark.labelled for mark in history.marks) <= 10
    assert history.visited == any(each.visitor == "Merchant" for each in past)
    if history.marks:
        assert history.marks[-1].labelled


def test_a_higher_result_is_drawn_higher() -> None:
    history = drawing.history([PastProduction(1, 1, (3, 11))], sorted(WHOLE))
    assert history.marks[0].second_y < history.marks[0].first_y <= history.base


@pytest.mark.parametrize("count", range(1, MOST_PLOTS + 1))
def test_trees_stand_between_the_homesteads(count: int) -> None:
    isle = drawing.isle(plots(count))
    for x, y in isle.trees:
        assert 0 < y < isle.jetty_y
        assert all(x + 16 <= home.x or home.x + home.width <= x for home in isle.homesteads)


@pytest.mark.parametrize("highest", [2, 12, 40, 200])
def test_no_label_of_an_axis_covers_another(highest: int) -> None:
    whole = dict.fromkeys(range(2, highest + 1), 1)
    named = [stack.x for stack in drawing.deck(whole, whole).stacks if stack.named]
    assert named
    assert all(b - a >= 15 for a, b in pairwise(named))
    rows = drawing.history([PastProduction(1, 1, (2, highest))], list(whole)).rows
    assert all(a - b >= 15 for (_, a), (_, b) in pairwise(rows))
