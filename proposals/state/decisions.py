"""Decisions on votes that programs of rules may take: who votes with which words, how strongly, how
many votes are needed, and what a vote comes to.

No program decides that nothing can be adopted: what all who vote are FOR would have to pass, and
where they all are for a proposal, no program is asked.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from nomic.engine.programs.hooks import FAILS, PASSES, decided, publish
from nomic.engine.table import Table
from nomic.rulebook.charts import unless_broken
from proposals.models import Success
from proposals.rules.ballots import Ballot, Electorate, Result, Tally
from proposals.rules.edition import Edition
from proposals.rules.words import ENDORSE, FOR, Vocabulary, plain_vote

DECIDED = "decided"  # the figure of a result that a program has decided
_MOST_WORDS = 20
_LONGEST_WORD = 20
_MOST_STRENGTH = 30_000
_PLAYERS = {"players": "list[Player]"}

VOTERS = publish(
    "proposals.voters",
    "list[Player]",
    "Which of the players may vote: so many that what they all are for is adopted.",
    _PLAYERS,
)
WORDS = publish(
    "proposals.words",
    "dict[str, str]",
    "The words of a vote, each with that of the rules' own words as which it counts.",
    {"words": "list[str]"},
)
STRENGTHS = publish(
    "proposals.strengths",
    "dict[Player, int]",
    "The voting strengths of those who have another than the rules say, where votes have one.",
    _PLAYERS,
)
QUORUM = publish(
    "proposals.quorum",
    "int",
    "How much a proposal needs, where the rules have a quorum or a least Stamina: at least 1"
    " and at most what all who vote come to.",
    _PLAYERS,
)
OUTCOME = publish(
    "proposals.outcome",
    "Outcome",
    "What the votes on a proposal come to as they end; not asked where all are for it.",
    {"ballot": "Ballot"},
)


def decided_words(table: Table, edition: Edition[Any], words: dict[str, str]) -> dict[str, str]:
    """The words of votes, each with the edition's own as which it counts."""

    def can_be(chosen: Vocabulary) -> bool:
        meant = set(chosen.values())
        if FOR not in meant or len(chosen) > _MOST_WORDS or not meant <= {*edition.words}:
            return False
        for word, counts in chosen.items():
            is_plain = word.isascii() and word.isalpha() and word == plain_vote(word)
            if not is_plain or len(word) > _LONGEST_WORD:
                return False
            if (word == ENDORSE) != (counts == ENDORSE):
                return False
        return True

    return decided(table, WORDS, words, can_be=can_be, words=list(edition.words))


def decided_electorate(
    table: Table, edition: Edition[Any], electorate: Electorate, terms: Callable[[], Any]
) -> Electorate:
    """Who votes, how strongly, and what a proposal needs; so that adopting stays possible."""

    def is_open(**to: Any) -> bool:
        # Where the tables cannot be read nothing is counted until they are mended.
        return unless_broken(lambda: not edition.impasse(replace(electorate, **to), terms()), True)

    def voting(names: Collection[str]) -> dict[str, Any]:
        vested = frozenset(names) & (
            electorate.vested if isinstance(electorate.vested, frozenset) else set()
        )
        return {"players": frozenset(names), "vested": vested}

    def can_vote(names: list[str]) -> bool:
        return bool(names) and {*names} <= {*players} and is_open(**voting(names))

    def can_be_strong(strengths: dict[str, int]) -> bool:
        is_such = all(0 <= strength <= _MOST_STRENGTH for strength in strengths.values())
        return is_such and strengths.keys() <= {*players} and is_open(strengths=strengths)

    def can_be_needed(quorum: int) -> bool:
        return 1 <= quorum <= len(players) and is_open(quorum=quorum)

    if not electorate.headcount:
        return electorate
    players = sorted(electorate.players) if isinstance(electorate.players, frozenset) else []
    chosen = decided(table, VOTERS, players, can_be=can_vote, players=players)
    if chosen is not players:
        electorate = replace(electorate, **voting(chosen))
        players = sorted(chosen)
    if edition.weighs:
        by_rules = dict(electorate.strengths)
        strengths = decided(table, STRENGTHS, by_rules, can_be=can_be_strong, players=players)
        electorate = replace(electorate, strengths=by_rules | strengths)
    if "quorum" in edition.has:
        quorum = decided(table, QUORUM, 0, can_be=can_be_needed, players=players)
        electorate = replace(electorate, quorum=quorum or None)
    return electorate


def decided_tally(
    table: Table,
    edition: Edition[Any],
    ballots: Collection[Ballot],
    electorate: Electorate,
    tally: Tally,
) -> Tally:
    """The tally, with each result that is not waited for as programs decide it."""
    by_number = {ballot.number: ballot for ballot in ballots}
    results = {}
    for number, result in tally.results.items():
        results[number] = result
        # Where all are FOR it no program is asked, so that none can end all adopting.
        if result.passed is None or 0 < result.votes_for == electorate.headcount:
            continue
        ballot = by_number[number]
        outcome = PASSES if result.passed else FAILS
        facts = {
            "number": ballot.number,
            "title": ballot.title,
            "author": ballot.author,
            "votes": result.figures.get("counted") or {},
            "votes_for": result.votes_for,
            "against": result.votes_against,
            "present": result.present,
            "outcome": outcome,
        }
        verdict = decided(table, OUTCOME, outcome, ballot=facts)
        results[number] = as_decided(edition, result, verdict)
    return Tally(results)


def as_decided(edition: Edition[Any], result: Result, verdict: str) -> Result:
    """The result with that verdict of a program; the same one where it says nothing else."""
    passed = verdict == PASSES
    if not verdict or passed == result.passed:
        return result
    success = Success.WON if passed else Success.LOST
    outcome = next(name for name, comes_to in edition.success.items() if comes_to == success)
    reason = f"{outcome}, as the program of a rule decides."
    reasons = (reason, *(f"By the votes alone: {counted}" for counted in result.reasons))
    figures = {**result.figures, DECIDED: verdict}
    return replace(result, outcome=outcome, passed=passed, figures=figures, reasons=reasons)
