"""Decisions on votes that programs of rules may take: who votes with which words, how strongly, how
many votes are needed, and what a vote comes to.

No program decides that nothing can be adopted: what all who vote are FOR would have to pass, and
where they all are for a proposal, no program is asked.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from nomic.engine.programs.hooks import FAILS, PASSES, EndsAll, decided, publish
from nomic.engine.table import Table
from nomic.rulebook.charts import cut, unless_broken
from proposals.models import Success
from proposals.rules.ballots import Ballot, Electorate, Result, Tally
from proposals.rules.edition import Edition
from proposals.rules.words import ENDORSE, FOR, Vocabulary, names_in_words, plain_vote

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

    def unfit(chosen: Vocabulary) -> str:
        if FOR not in chosen.values():
            return EndsAll("nobody could vote FOR a proposal")
        if len(chosen) > _MOST_WORDS:
            return f"a vote has at most {_MOST_WORDS} words"
        for word, counts in chosen.items():
            is_plain = word.isascii() and word.isalpha() and word == plain_vote(word)
            if not is_plain or len(word) > _LONGEST_WORD:
                longest = f"at most {_LONGEST_WORD} of the letters A to Z"
                return f"a word of a vote is {longest}, in capitals, and “{cut(word)}” is none"
            if counts not in edition.words:
                return f"“{cut(counts)}” is none of {names_in_words(edition.words)}"
            if (word == ENDORSE) != (counts == ENDORSE):
                return f"{ENDORSE} counts as {ENDORSE}, and nothing else does"
        return ""

    return decided(table, WORDS, words, unfit=unfit, words=list(edition.words))


def decided_electorate(
    table: Table, edition: Edition[Any], electorate: Electorate, terms: Callable[[], Any]
) -> Electorate:
    """Who votes, how strongly, and what a proposal needs; so that adopting stays possible."""

    def impasse(**to: Any) -> str:
        # Where the tables cannot be read nothing is counted until they are mended.
        reason = unless_broken(lambda: edition.impasse(replace(electorate, **to), terms()), "")
        return EndsAll(reason[:1].lower() + reason[1:]) if reason else ""

    def strangers(names: Iterable[str]) -> str:
        odd = sorted({*names} - {*players})
        return f"“{cut(odd[0])}” is nobody who votes by the rules' own words" if odd else ""

    def voting(names: Collection[str]) -> dict[str, Any]:
        vested = frozenset(names) & (
            electorate.vested if isinstance(electorate.vested, frozenset) else set()
        )
        away = electorate.away if {*names} - electorate.away else frozenset()
        return {"players": frozenset(names), "vested": vested, "away": away}

    def unfit_voters(names: list[str]) -> str:
        if not names:
            return EndsAll("nobody could vote")
        return strangers(names) or impasse(**voting(names))

    def unfit_strengths(strengths: dict[str, int]) -> str:
        if not all(0 <= strength <= _MOST_STRENGTH for strength in strengths.values()):
            return f"a voting strength is a number from 0 to {_MOST_STRENGTH:,}"
        return strangers(strengths) or impasse(strengths=strengths)

    def unfit_quorum(quorum: int) -> str:
        if quorum < 1:
            return "a quorum is at least 1"
        if quorum > len(players):
            return EndsAll(f"{len(players)} vote, and no proposal has more votes than that")
        return impasse(quorum=quorum)

    if not electorate.headcount:
        return electorate
    players = sorted(electorate.players) if isinstance(electorate.players, frozenset) else []
    chosen = decided(table, VOTERS, players, unfit=unfit_voters, players=players)
    if chosen is not players:
        electorate = replace(electorate, **voting(chosen))
        players = sorted(chosen)
    if edition.weighs:
        by_rules = dict(electorate.strengths)
        strengths = decided(table, STRENGTHS, by_rules, unfit=unfit_strengths, players=players)
        electorate = replace(electorate, strengths=by_rules | strengths)
    if "quorum" in edition.has:
        quorum = decided(table, QUORUM, 0, unfit=unfit_quorum, players=players)
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
        ballot = by_number[number]
        voters = ballot.electorate(electorate).headcount
        if result.passed is None or 0 < result.votes_for == voters:
            continue
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
        by = ballot.law.deciders if ballot.law else None
        verdict = decided(table, OUTCOME, outcome, by=by, ballot=facts)
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
