"""Conflicts and dependencies among proposals: what falls with what.

Everything here takes time in proportion to the proposals and their links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from proposals.rules.ballots import Ballot

type Neighbours = dict[int, list[int]]


def dependents(ballots: Iterable[Ballot]) -> Neighbours:
    """Who depends on each proposal: only those that are Open, since no other can fall."""
    found: Neighbours = {}
    for ballot in ballots:
        if ballot.status == "Open":
            for number in ballot.dependencies:
                found.setdefault(number, []).append(ballot.number)
    return found


def rivals(ballots: Iterable[Ballot]) -> Neighbours:
    """The Open proposals that conflict with each Open one; that one of the two lists it is enough.

    A proposal that is listed by both stands there twice.
    """
    found: Neighbours = {ballot.number: [] for ballot in ballots if ballot.status == "Open"}
    for ballot in ballots:
        if ballot.status == "Open":
            for number in ballot.conflicts:
                if number in found and number != ballot.number:
                    found[ballot.number].append(number)
                    found[number].append(ballot.number)
    return found


def dragged_down(
    lost: Iterable[int], dependents: Neighbours, standing: Collection[int]
) -> dict[int, int]:
    """Those of `standing` that depend on a Lost one, or on one that falls so, and on which.

    In the order of falling: first those next to the Lost ones. Processing all in ascending order
    again and again until nothing changes finds the same set, since a fall never undoes another.
    """
    fallen: dict[int, int] = {}
    front = list(lost)
    while front:
        below: list[int] = []
        for cause in front:
            for number in dependents.get(cause, ()):
                if number in standing and number not in fallen:
                    fallen[number] = cause
                    below.append(number)
        front = below
    return fallen
