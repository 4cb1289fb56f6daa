"""The input of a tally and its results. Pure values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from typing import Any, Literal

type Json = Any
type Standing = Literal["Open", "Lost", "Won"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many voted with each word, where only that is known."""

    votes_for: int = 0
    against: int = 0
    present: int = 0


@dataclass(frozen=True, slots=True)
class Electorate:
    """Who may vote.

    `players` are the active ones: their names, or only how many they are, or None where not even
    that is known; without names everyone who voted is taken to be one. `vested` likewise.
    `strengths` are the voting strengths that differ from the table's. `quorum` is a number that
    counts instead of the rule's. `throne`: there may be an Emperor. Who is `away` may vote, and is
    counted only where they have.
    """

    players: frozenset[str] | int | None = None
    vested: frozenset[str] | int | None = None
    strengths: Mapping[str, int] = field(default_factory=dict)
    emperor: str = ""
    quorum: int | None = None
    throne: bool = True
    away: frozenset[str] = frozenset()

    @property
    def headcount(self) -> int | None:
        """How many active players there are; None where it is not known."""
        return self._count(self.players)

    @property
    def vested_count(self) -> int:
        """How many Vested players there are; 0 where it is not known."""
        return self._count(self.vested) or 0

    def _count(self, people: frozenset[str] | int | None) -> int | None:
        return len(people - self.away) if isinstance(people, frozenset) else people

    def may_vote(self, name: str) -> bool:
        """Whether that is an active player, as far as is known."""
        return not isinstance(self.players, frozenset) or name in self.players


@dataclass(frozen=True, slots=True)
class LawAtOpening:
    """What was in force as a vote opened, by which it is counted: the electorate that it gives, the
    terms of the edition, and the digests of the programs that may decide its outcome."""

    electorate: Electorate
    terms: Any
    deciders: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ballot:
    """A proposal and the votes on it, each voter's last one.

    `conflicts` and `dependencies` are numbers. `status` is Lost or Won for a Historical proposal,
    which only stands here because links name it. `strengths` are the voting strengths on this
    proposal, where they are not those of the electorate, `by_officer` those that the officer found,
    and `quorum` a number that counts instead of any other. `ripe`: the time after which a pending
    proposal need not wait for its quorum is over. `law` is what was in force as its vote opened.
    """

    number: int
    votes: Mapping[str, str] | Counts = field(default_factory=Counts)
    conflicts: frozenset[int] = frozenset()
    dependencies: frozenset[int] = frozenset()
    index: Decimal | Fraction = Decimal(1)
    status: Standing = "Open"
    ripe: bool = False
    strengths: Mapping[str, int] = field(default_factory=dict)
    by_officer: Mapping[str, int] = field(default_factory=dict)
    quorum: int | None = None
    author: str = ""
    title: str = ""
    law: LawAtOpening | None = None

    def electorate(self, electorate: Electorate) -> Electorate:
        """Who may vote on it: that electorate, unless its own law says so. Who has voted is counted
        among them, away or not."""
        voters = electorate if self.law is None else self.law.electorate
        if voters.away and isinstance(self.votes, Mapping):
            return replace(voters, away=voters.away - self.votes.keys())
        return voters

    def terms[T](self, terms: T) -> T:
        """The terms by which it is counted: those, unless its own law has others."""
        own_terms: T = terms if self.law is None else self.law.terms
        return own_terms


def open_ballots(ballots: Iterable[Ballot]) -> list[Ballot]:
    """The Open ones, in the order of number."""
    return sorted(
        (ballot for ballot in ballots if ballot.status == "Open"), key=attrgetter("number")
    )


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the vote on one proposal.

    `passed` is None while it is not decided. The counts are by heads, and so are `strength`
    (FOR − AGAINST) and `stamina` (FOR + AGAINST). `figures` are what else the edition counted,
    `counted` among them: the word as which each voter's vote counted, where names are known.
    `reasons` are sentences.
    """

    outcome: str
    passed: bool | None
    strength: int
    stamina: int
    votes_for: int
    votes_against: int
    present: int
    ballots: int
    figures: Mapping[str, Json]
    reasons: tuple[str, ...]

    @property
    def popularity(self) -> Fraction | None:
        """(FOR − AGAINST)/ballots by heads; None without ballots."""
        return Fraction(self.strength, self.ballots) if self.ballots else None

    @property
    def counts(self) -> dict[str, Json]:
        """The counts by heads as JSON has them; popularity to three decimals."""
        popularity = self.popularity
        return {
            "for": self.votes_for,
            "against": self.votes_against,
            "present": self.present,
            "ballots": self.ballots,
            "popularity": None if popularity is None else round(float(popularity), 3),
        }


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of all Open proposals by number, in the order in which they take effect."""

    results: Mapping[int, Result]

    @property
    def passed_in_order(self) -> tuple[int, ...]:
        """Those that pass, in the order of passing."""
        return tuple(number for number, result in self.results.items() if result.passed)
