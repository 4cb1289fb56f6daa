"""Culls of many proposals, against networkx's reachability on the same graph.

Each proposal has ten links, half of them conflicts. In a thicket they go anywhere, circles
included, and most proposals that fall are next to a Lost one. In a chain each depends on the five
before it and only the first is Lost, so all fall, each by another. networkx is asked what can be
reached from the Lost ones over the same links: once with the graph at hand, once from the lists of
links as a cull gets them.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from random import Random

import networkx as nx

from bench.figures import Figure, median
from bench.size import Size
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Counts, Electorate
from proposals.rules.nweek_votes import culled_5e33, culled_2006

_LINKS = 5  # of each kind
_TARGET = 2.0
_GROWTH = 2.0  # in time for each proposal: the caches' share; a quadratic way would have 4
_ROOT = 0  # a node before all Lost ones
_REPEATS = 5
Strengths = dict[int, int]
Shape = Callable[[int, Random], list[Ballot]]


def measure(size: Size) -> list[Figure]:
    """At each number of proposals the culls of both B Nomic editions, then how they grow."""
    figures = []
    for name, shape in (("a thicket", thicket), ("a chain", chain)):
        took: dict[str, dict[int, float]] = {"refresh-2006": {}, "rule-5e33": {}}
        for proposals in size.proposals:
            found = _measured(shape(proposals, Random(proposals)), size.rounds)
            case = f"{name} of {proposals:,} proposals, {2 * _LINKS * proposals:,} links"
            target = _TARGET if proposals == max(size.proposals) else None
            for edition, by_number in took.items():
                by_number[proposals] = found[edition]
                own, name_of = found[edition], f"culls of {edition}"
                whole = Figure(
                    f"tally of {edition}, with reasons", case, "ms", found[f"{edition}!"]
                )
                figures += [
                    Figure(name_of, case, "ms", own, found["reached"], at_most=target),
                    Figure(
                        name_of, f"{case}, built as well", "ms", own, found["built and reached"]
                    ),
                    whole,
                ]
        figures += [_growth(edition, name, by_number) for edition, by_number in took.items()]
    return figures


def _growth(edition: str, name: str, took: dict[int, float]) -> Figure:
    few, many = min(took), max(took)
    case = f"{name}: for each thousand proposals, at {many:,} against {few:,}"
    each = 1000 * took[many] / many, 1000 * took[few] / few
    return Figure(f"culls of {edition}", case, "ms", *each, at_most=_GROWTH)


def _measured(ballots: list[Ballot], rounds: int) -> dict[str, float]:
    """The middle milliseconds of each way, taken by turns."""
    strengths = _strengths(ballots)
    graph = reaching(ballots)
    ways: dict[str, Callable[[], object]] = {
        "refresh-2006": lambda: culled_2006(ballots, strengths),
        "rule-5e33": lambda: culled_5e33(ballots, strengths, ()),
        "reached": lambda: nx.descendants(graph, _ROOT),
        "built and reached": lambda: nx.descendants(reaching(ballots), _ROOT),
    }
    for name in ("refresh-2006", "rule-5e33"):
        ways[f"{name}!"] = lambda edition=EDITIONS[name]: edition.tally(
            ballots, Electorate(vested=0), edition.shipped_terms()
        )
    took: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds * _REPEATS):
        for name, way in ways.items():
            gc.collect()
            since = time.perf_counter()
            way()
            took[name].append((time.perf_counter() - since) * 1000)
    return {name: median(times) for name, times in took.items()}


def _strengths(ballots: list[Ballot]) -> Strengths:
    found = {}
    for ballot in ballots:
        assert isinstance(ballot.votes, Counts)
        found[ballot.number] = ballot.votes.votes_for - ballot.votes.against
    return found


def reaching(ballots: list[Ballot]) -> nx.DiGraph:
    """The links as edges from what can drag down to what can be dragged, and the root's."""
    graph = nx.DiGraph()
    graph.add_edges_from((_ROOT, number) for number, own in _strengths(ballots).items() if own <= 0)
    for ballot in ballots:
        graph.add_edges_from((other, ballot.number) for other in ballot.dependencies)
        graph.add_edges_from((other, ballot.number) for other in ballot.conflicts)
        graph.add_edges_from((ballot.number, other) for other in ballot.conflicts)
    return graph


def thicket(proposals: int, chance: Random) -> list[Ballot]:
    """Links to anywhere; about a quarter of the proposals are Lost by their votes."""

    def links(number: int) -> frozenset[int]:
        found = {chance.randint(1, proposals) for _ in range(_LINKS)}
        return frozenset(found - {number})

    return [
        Ballot(
            number,
            Counts(chance.randint(0, 9), chance.randint(0, 4)),
            conflicts=links(number),
            dependencies=links(number),
        )
        for number in range(1, proposals + 1)
    ]


def chain(proposals: int, chance: Random) -> list[Ballot]:
    """Each depends on the five before it; only the first is Lost by its votes."""
    return [
        Ballot(
            number,
            Counts(votes_for=0 if number == 1 else chance.randint(1, 9)),
            conflicts=frozenset({chance.randint(1, proposals) for _ in range(_LINKS)} - {number}),
            dependencies=frozenset(range(max(1, number - _LINKS), number)),
        )
        for number in range(1, proposals + 1)
    ]
