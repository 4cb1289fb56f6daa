"""Conflicts and dependencies among proposals: what falls with what (Proposals).

Everything here takes time in proportion to the proposals and their links.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set

from proposals.rules.ballots import Ballot

CONFLICT, DEPENDENCY = "conflict", "dependency"
type Fall = tuple[str, int]
type Falls = dict[int, Fall]
type Links = Mapping[int, Set[int]]


def dependencies(ballots: Iterable[Ballot]) -> Links:
    """The proposals that each Open one depends on."""
    return {ballot.number: ballot.dependencies for ballot in ballots if ballot.status == "Open"}


def conflicts(ballots: Iterable[Ballot]) -> Links:
    """The conflicts that each Open proposal lists; that one of two lists the other is enough."""
    return {ballot.number: ballot.conflicts for ballot in ballots if ballot.status == "Open"}


def rivals_among(some: Set[int], listed: Links) -> Mapping[int, list[int]]:
    """Those of `some` that conflict with each of them; one that both list stands there twice."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for number in some:
        for rival in listed[number] & some:
            if rival != number:
                found[number].append(rival)
                found[rival].append(number)
    return found


def dragged_down(lost: Set[int], dependencies: Links, standing: Set[int]) -> dict[int, int]:
    """Those of `standing` that depend on a Lost one, or on one that falls so, and on which.

    In the order of falling: first those next to the Lost ones. Processing all in ascending order
    again and again until nothing changes finds the same set, since a fall never undoes another.
    """
    fallen = {
        number: min(lost & dependencies[number])
        for number in sorted(standing)
        if not lost.isdisjoint(dependencies[number])
    }
    if not fallen:
        return fallen
    dependents: defaultdict[int, list[int]] = defaultdict(list)
    for number in sorted(standing - fallen.keys()):
        for cause in dependencies[number]:
            dependents[cause].append(number)
    front = list(fallen)
    while front:
        below: list[int] = []
        for cause in front:
            for number in dependents.get(cause, ()):
                if number not in fallen:
                    fallen[number] = cause
                    below.append(number)
        front = below
    return fallen
