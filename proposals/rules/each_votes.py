"""Editions in which each proposal has a vote of its own: Agora's, with voting strengths, an
adoption index and a quorum of ballots; and those that count by heads alone, a majority and consent.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction

from nomic.games.refusal import Refusal
from proposals.rules.ballots import Ballot, Counts, Electorate, Json, Result, Tally, asked
from proposals.rules.edition import LOST, WON, Edition
from proposals.rules.terms import (
    PROPOSALS,
    VOTING,
    AdoptionCharts,
    AdoptionTerms,
    ConsentCharts,
    ConsentTerms,
    EachTerms,
    MajorityCharts,
    MajorityTerms,
)
from proposals.rules.words import (
    ABSTAIN,
    AGAINST,
    CONDITIONAL,
    ENDORSE,
    FOR,
    PRESENT,
    Heads,
    by_heads,
    count,
    endorsed,
    plain_vote,
    valid_votes,
    votes,
    word_of,
)

ADOPTED, REJECTED, FAILED_QUORUM = "ADOPTED", "REJECTED", "FAILED QUORUM"


class _ByItself[T: EachTerms](Edition[T]):
    """What is adopted takes effect in the order of number."""

    officer = "Chair"
    period = "each"
    words: tuple[str, ...] = (FOR, AGAINST, ABSTAIN)
    success = {ADOPTED: WON, REJECTED: LOST, FAILED_QUORUM: LOST}
    needs = (PROPOSALS, VOTING)

    def tally(self, ballots: Collection[Ballot], electorate: Electorate, terms: T) -> Tally:
        """Each proposal by itself."""
        results = {each.number: self.result(each, electorate, terms) for each in asked(ballots)}
        return Tally(results)

    @abstractmethod
    def result(self, ballot: Ballot, electorate: Electorate, terms: T) -> Result:
        """The result of that vote."""


def _quorum(own: int | None, electorate: Electorate, terms: AdoptionTerms | MajorityTerms) -> int:
    """That quorum, or the rules': no more than there are active players."""
    if own is not None:
        return own
    players = electorate.headcount
    return terms.quorum if players is None else min(terms.quorum, players)


# Agora


class AdoptionIndex(_ByItself[AdoptionTerms]):
    """F and A are sums of voting strengths; the ratio of the two has to reach the index."""

    title = "Agora, adoption index (2022)"
    officer = "Assessor"
    words = (FOR, AGAINST, PRESENT, ENDORSE)
    charts = AdoptionCharts
    has = frozenset({"strengths", "quorum"})

    def vote_refusal(self, word: str, voter: str, electorate: Electorate) -> Refusal | None:
        vote = plain_vote(word)
        name = endorsed(vote)
        if vote == ENDORSE or (name and not electorate.may_vote(name)):
            needs = f"{ENDORSE} needs the name of an active player after it"
            none = f"; “{name[:40]}” is none" if name else ""
            sentence = f"{needs}, as in “{ENDORSE} {voter}”{none}."
            return Refusal("nobody_to_endorse", sentence, VOTING)
        return super().vote_refusal(word, voter, electorate)

    def result(self, ballot: Ballot, electorate: Electorate, terms: AdoptionTerms) -> Result:
        heads, strong_for, strong_against = _counted(ballot, electorate, terms)
        own = electorate.quorum if ballot.quorum is None else ballot.quorum
        quorum = _quorum(own, electorate, terms)
        index = shown_index(ballot.index)
        figures: dict[str, Json] = {
            "for_strength": strong_for,
            "against_strength": strong_against,
            "ratio": f"{strong_for}/{strong_against}",
            "adoption_index": index,
            "quorum": quorum,
        }
        if heads.ballots < quorum:
            reason = f"Failed quorum: {heads.ballots} of {quorum} ballots."
            return heads.result(FAILED_QUORUM, False, reason, **figures)
        scoring = f"F/A is {strong_for}/{strong_against}"
        if strong_for <= strong_against:
            reason = f"Rejected: {scoring}, which is not more than 1."
            if not strong_for and not strong_against:
                reason = "Rejected: nobody's vote is FOR it, F/A is 0/0."
        elif strong_for < Fraction(ballot.index) * strong_against:
            reason = f"Rejected: {scoring}, which is less than the adoption index {index}."
        else:
            reason = f"Adopted: {scoring} and the adoption index {index}."
            return heads.result(ADOPTED, True, reason, **figures)
        return heads.result(REJECTED, False, reason, **figures)


def shown_index(index: Decimal | Fraction) -> str:
    """An adoption index as Agora writes it: 1.0, 1.7, 2.0."""
    if isinstance(index, Fraction):
        if index.denominator != 1:
            return str(index)
        index = Decimal(index.numerator)
    shown = format(index.normalize(), "f")
    return shown if "." in shown else f"{shown}.0"


def _counted(
    ballot: Ballot, electorate: Electorate, terms: AdoptionTerms
) -> tuple[Heads, int, int]:
    """The heads, and the sums of voting strengths FOR and AGAINST."""
    if isinstance(ballot.votes, Counts):
        heads = count(ballot, electorate, (FOR, AGAINST, PRESENT))
        each = terms.default_strength
        return heads, heads.votes_for * each, heads.against * each
    given, remarks = valid_votes(ballot, electorate, (FOR, AGAINST, PRESENT, ENDORSE, CONDITIONAL))
    for voter, vote in given.items():
        if word_of(vote) == CONDITIONAL:
            remarks.append(
                f"Nobody has resolved the vote of {voter} on a condition: it is PRESENT."
            )
            given[voter] = PRESENT
    heads = by_heads(resolved(given, remarks), remarks)
    sums = {FOR: 0, AGAINST: 0, PRESENT: 0}
    for voter, word in (heads.counted or {}).items():
        own = ballot.strengths.get(voter, electorate.strengths.get(voter, terms.default_strength))
        sums[word] += ballot.by_officer.get(voter, max(0, min(own, terms.most_strength)))
    return heads, sums[FOR], sums[AGAINST]


def resolved(given: Mapping[str, str], remarks: list[str]) -> dict[str, str]:
    """The votes with each ENDORSE as what it comes to, a remark on each.

    An endorsement follows the endorsed player's own vote, through further endorsements if need be.
    One that comes back to itself, or ends with a player who did not vote, is PRESENT.
    """
    found = {voter: vote for voter, vote in given.items() if not endorsed(vote)}
    whys: dict[str, str] = {}
    for voter in given:
        chain: dict[str, None] = {}
        at = voter
        while at in given and at not in found and at not in chain:
            chain[at] = None
            at = endorsed(given[at])
        if at in chain:
            why = ", since the endorsements lead round in a circle"
        else:
            why = whys.get(at, "") if at in given else f", since {at} did not vote"
        word = found.get(at, PRESENT)
        found |= dict.fromkeys(chain, word)
        whys |= dict.fromkeys(chain, why)
    remarks += [
        f"{voter} endorses {endorsed(given[voter])}, which counts as {found[voter]}{why}."
        for voter, why in sorted(whys.items())
    ]
    return {voter: found[voter] for voter in given}


# By heads


class Majority(_ByItself[MajorityTerms]):
    """More than a part of those who are for or against it, and enough ballots."""

    title = "Majority with a quorum"
    charts = MajorityCharts
    has = frozenset({"quorum"})

    def result(self, ballot: Ballot, electorate: Electorate, terms: MajorityTerms) -> Result:
        heads = count(ballot, electorate, self.words)
        quorum = _quorum(electorate.quorum, electorate, terms)
        score = f"{votes(heads.votes_for)} to {heads.against}"
        if heads.ballots < quorum:
            reason = f"Failed quorum: {heads.ballots} of {quorum} ballots."
            return heads.result(FAILED_QUORUM, False, reason, quorum=quorum)
        if heads.votes_for * terms.majority_whole > heads.stamina * terms.majority_part:
            return heads.result(ADOPTED, True, f"Adopted with {score}.", quorum=quorum)
        share = f"more than {terms.majority_part}/{terms.majority_whole}"
        reason = f"Rejected with {score}: it needs {share} of the votes FOR or AGAINST it."
        return heads.result(REJECTED, False, reason, quorum=quorum)


class Consent(_ByItself[ConsentTerms]):
    """Adopted unless enough object, or too few support it."""

    title = "Consent"
    success = {ADOPTED: WON, REJECTED: LOST}
    charts = ConsentCharts

    def result(self, ballot: Ballot, electorate: Electorate, terms: ConsentTerms) -> Result:
        heads = count(ballot, electorate, self.words)
        players = electorate.headcount
        needed = terms.supporters if players is None else min(terms.supporters, players)
        if heads.against >= terms.objections:
            least = f"fewer than {terms.objections} may be"
            reason = f"Rejected: {heads.against} of the players object to it, and {least}."
            return heads.result(REJECTED, False, reason)
        if heads.votes_for < needed:
            reason = f"Rejected: it has {heads.votes_for} of the {needed} supporters that it needs."
            return heads.result(REJECTED, False, reason)
        told = "nobody objects to it"
        if heads.against:
            told = f"{heads.against} object to it, fewer than {terms.objections}"
        return heads.result(ADOPTED, True, f"Adopted: {told}.")
