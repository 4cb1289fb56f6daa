"""Counting the ballots of an election. No Django here.

A ballot is a list of candidates, whom it likes best first. Plurality counts who stands first,
approval everybody who stands there; instant runoff takes away who is first on the fewest ballots,
until somebody is first on more than half of those that name anybody who is left.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

PLURALITY, APPROVAL, RUNOFF = "plurality", "approval", "instant runoff"

type Ballots = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Count:
    """Those who are first, several where they tie, in the candidates' order; and what each had, a
    round after the other."""

    first: tuple[str, ...]
    rounds: tuple[Mapping[str, int], ...]


def count(method: str, candidates: Sequence[str], ballots: Ballots) -> Count:
    """The count of these ballots by that method; what they say of others than the candidates counts
    for nothing."""
    among = set(candidates)
    fitting = [[name for name in dict.fromkeys(ballot) if name in among] for ballot in ballots]
    return _METHODS[method](candidates, fitting)


def _plurality(candidates: Sequence[str], ballots: Ballots) -> Count:
    return _most(candidates, [ballot[:1] for ballot in ballots])


def _most(candidates: Sequence[str], ballots: Ballots) -> Count:
    tally = _tally(candidates, ballots)
    best = max(tally.values(), default=0)
    return Count(tuple(name for name in candidates if tally[name] == best), (tally,))


def _runoff(candidates: Sequence[str], ballots: Ballots) -> Count:
    remaining, rounds = list(candidates), []
    while True:
        firsts = [[name for name in ballot if name in remaining][:1] for ballot in ballots]
        tally = _tally(remaining, firsts)
        rounds.append(tally)
        best, worst = max(tally.values(), default=0), min(tally.values(), default=0)
        if best == worst or 2 * best > sum(tally.values()):
            first = tuple(name for name in remaining if tally[name] == best)
            return Count(first, tuple(rounds))
        remaining = [name for name in remaining if tally[name] > worst]


def _tally(candidates: Sequence[str], ballots: Ballots) -> dict[str, int]:
    votes = Counter(name for ballot in ballots for name in ballot)
    return {name: votes[name] for name in candidates}


_METHODS: dict[str, Callable[[Sequence[str], Ballots], Count]] = {
    PLURALITY: _plurality,
    APPROVAL: _most,
    RUNOFF: _runoff,
}
METHODS = tuple(_METHODS)
