"""Ballots on paper, for the tests of the editions."""

from typing import Any

from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Counts, Electorate, Result, Tally

PLAYERS = frozenset({"Alice", "Bob", "Carol", "Dave", "Eve"})


def ballot(number: int, votes_for: int = 1, against: int = 0, **facts: Any) -> Ballot:
    """One with these counts; `conflicts` and `dependencies` are any collections of numbers."""
    for name in ("conflicts", "dependencies"):
        facts[name] = frozenset(facts.get(name, ()))
    return Ballot(number, Counts(votes_for, against, facts.pop("present", 0)), **facts)


def named(number: int, votes: str, **facts: Any) -> Ballot:
    """One with votes by name, as in "Alice FOR, Bob ENDORSE Alice"."""
    pairs = [vote.strip().partition(" ") for vote in votes.split(",") if vote.strip()]
    return Ballot(number, {name: word for name, _, word in pairs}, **facts)


def tallied(edition: str, *ballots: Ballot, **electorate: Any) -> Tally:
    """The tally by the shipped rule texts; the cast of PLAYERS are there unless told otherwise."""
    chosen = EDITIONS[edition]
    people = Electorate(**{"players": PLAYERS, **electorate})
    return chosen.tally(ballots, people, chosen.shipped_terms())


def result(edition: str, ballot: Ballot, **electorate: Any) -> Result:
    """What becomes of a single proposal."""
    return tallied(edition, ballot, **electorate).results[ballot.number]


def outcomes(tally: Tally) -> dict[int, str]:
    return {number: verdict.outcome for number, verdict in tally.results.items()}
