"""What a figure says of itself."""

import pytest

from bench.figures import Figure, percentile, table


def test_a_ratio_is_ours_over_the_other() -> None:
    assert Figure("a", "b", "ms", 3.0, 2.0).ratio == 1.5


def test_a_figure_beside_nothing_has_no_ratio_and_meets_no_target() -> None:
    alone = Figure("a", "b", "ms", 3.0)
    assert alone.ratio is None
    assert alone.met is None


@pytest.mark.parametrize(
    ("bounds", "met"),
    [
        ({"at_most": 1.5}, True),
        ({"at_most": 1.49}, False),
        ({"at_least": 1.5}, True),
        ({"at_least": 1.51}, False),
        ({}, None),
    ],
)
def test_a_target_bounds_the_ratio(bounds: dict[str, float], met: bool | None) -> None:
    assert Figure("a", "b", "ms", 3.0, 2.0, **bounds).met is met


def test_the_table_has_a_line_for_each_figure_and_shows_what_was_missed() -> None:
    missed = Figure("a", "b", "ms", 3.0, 2.0, at_most=1.0)
    lines = table([missed, Figure("c", "d", "s", 1234.5)]).splitlines()
    assert lines[2] == "| a | b | 3 | 2 | ms | 1.50 | at most 1 | **no** |"
    assert lines[3] == "| c | d | 1,234 |  | s |  |  |  |"


def test_a_percentile_is_one_of_the_values() -> None:
    assert percentile([3.0, 1.0, 2.0], 50) == 2.0
    assert percentile(range(1, 101), 99) == 100
    assert percentile([7.0], 99) == 7.0
