"""What falls with what (Proposals), compared with networkx, and how long a cull takes."""

import time
from random import Random

import networkx as nx
import pytest

from proposals.rules.nweek_votes import (
    conflicts,
    culled_5e33,
    culled_2006,
    dependencies,
    dragged_down,
    rivals_among,
)
from proposals.tests.paper import ballot


def test_what_falls_is_what_can_be_reached_from_the_lost_ones_among_those_that_stand():
    for seed in range(60):
        chance = Random(seed)
        size = chance.randint(2, 80)
        numbers = range(1, size + 1)
        needs = {
            number: frozenset(chance.choices(numbers, k=chance.randint(0, 3))) for number in numbers
        }
        lost = set(chance.choices(numbers, k=3))
        standing = set(numbers) - lost - set(chance.choices(numbers, k=size // 5))
        graph = nx.DiGraph([(0, number) for number in lost])
        graph.add_edges_from(
            (cause, number) for number in standing for cause in needs[number] if cause != number
        )
        fallen = dragged_down(lost, needs, standing)
        assert fallen.keys() == nx.descendants(graph, 0) - lost
        assert all(cause in needs[number] for number, cause in fallen.items())


def test_each_fall_is_told_by_one_that_was_lost_before_it():
    needs = {1: frozenset({2}), 2: frozenset({1, 3}), 3: frozenset({9, 8}), 4: frozenset({4})}
    assert dragged_down({8, 9}, needs, {1, 2, 3, 4}) == {3: 8, 2: 3, 1: 2}
    assert list(dragged_down({8, 9}, needs, {1, 2, 3, 4})) == [3, 2, 1]


def test_one_that_does_not_stand_passes_nothing_on():
    needs = {1: frozenset({2}), 2: frozenset({9})}
    assert dragged_down({9}, needs, {1}) == {}


def test_rivals_are_found_from_either_side_and_nobody_is_their_own():
    listed = conflicts(
        [ballot(1, conflicts=[2, 1, 5, 99]), ballot(2), ballot(3, conflicts=[1]), ballot(5)]
    )
    found = rivals_among({1, 2, 3}, listed)
    assert {number: sorted(rivals) for number, rivals in found.items()} == {
        1: [2, 3],
        2: [1],
        3: [1],
    }


def test_historical_proposals_have_no_links_of_their_own():
    old = ballot(1, conflicts=[2], dependencies=[2], status="Lost")
    assert conflicts([old, ballot(2)]) == {2: frozenset()}
    assert dependencies([old, ballot(2)]) == {2: frozenset()}


def chain_and_star(size: int) -> list:
    """All depend on the next one, all conflict with the weakest, and only the last is Lost.

    Going through them again and again in ascending order would take as many rounds as there are
    proposals.
    """
    inner = [
        ballot(number, 2, conflicts=[size], dependencies=[number + 1]) for number in range(1, size)
    ]
    return [*inner, ballot(size, 0, 1)]


@pytest.mark.thorough
@pytest.mark.parametrize("cull", ["refresh-2006", "rule-5e33"])
def test_a_chain_through_fifty_thousand_proposals_is_culled_at_once(cull):
    size = 50_000
    ballots = chain_and_star(size)
    strengths = {own.number: 2 if own.number < size else -1 for own in ballots}
    since = time.process_time()
    if cull == "refresh-2006":
        falls = culled_2006(ballots, strengths)
    else:
        falls = culled_5e33(ballots, strengths, ())
    took = time.process_time() - since
    assert len(falls) == size - 1
    assert falls[1] == ("dependency", 2)
    assert took < 5
