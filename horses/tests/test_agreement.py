"""The program's races agree with the slow ones, which were written from the source alone."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from horses.race_tool import race
from horses.tests.slow_race import HORSES, slow_race

HORSE = st.sampled_from(HORSES)


@st.composite
def fields(draw) -> dict:
    """Eight horses somewhere on the track; the places are a start of first, second, third."""
    horses = {
        name: {
            "position": draw(st.integers(0, 16) | st.integers(13, 16)),
            "place": None,
            "pulls": draw(st.lists(HORSE, unique=True, max_size=4)),
        }
        for name in HORSES
    }
    for place, name in enumerate(draw(st.lists(HORSE, unique=True, max_size=2)), 1):
        horses[name] |= {"position": 16, "place": place}
    return horses


RUNS = st.lists(st.tuples(HORSE, st.integers(1, 3)).map(list), max_size=30)


@settings(max_examples=300)
@given(horses=fields(), runs=RUNS)
def test_a_race_on_paper_agrees_move_by_move(horses, runs):
    case = {"horses": horses, "runs": runs}
    assert json.loads(race(json.dumps(case))) == slow_race(case)
