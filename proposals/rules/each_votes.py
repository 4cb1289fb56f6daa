"""Editions in which each proposal has a vote of its own: Agora's, with voting strengths, an
adoption index and a quorum of ballots; and those that count by heads alone, a majority and consent.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction

from nomic.games.refusal import Refusal
from proposals.rules.ballots import Ballot, Counts, Electorate, Json, Result, Tally, open_ballots
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
    endorsed,
    heads_of,
    plain_vote,
    valid_votes,
    votes_in_words,
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
        results = {
            ballot.number: self.result(ballot, ballot.electorate(electorate), ballot.terms(terms))
            for ballot in open_ballots(ballots)
        }
        return Tally(results)

    @abstractmethod
    def result(self, ballot: Ballot, electorate: Electorate, terms: T) -> Result:
        """The result of that vote."""


def _quorum(fixed: int | None, electorate: Electorate, terms: AdoptionTerms | MajorityTerms) -> int:
    """The quorum that the officer or a program has fixed, or the rules': no more than there are
    active players."""
    if fixed is not None:
        return fixed
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
        heads, strong_for, strong_against = _heads_and_strengths(ballot, electorate, terms)
        fixed = electorate.quorum if ballot.quorum is None else ballot.quorum
        quorum = _quorum(fixed, electorate, terms)
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
        # By the rule nothing passes with a ratio of 1 or less, whatever its index.
        if strong_for <= strong_against:
            reason = f"Rejected: {scoring}, which is not more than 1."
            if not strong_for and not strong_against:
                reason = "Rejected: nobody's vote is FOR it, F/A is 0/0."
        # Multiplied, since without any A there is no ratio: it passes then with any F.
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


def _heads_and_strengths(
    ballot: Ballot, electorate: Electorate, terms: AdoptionTerms
) -> tuple[Heads, int, int]:
    """The heads, and the sums of voting strengths FOR and AGAINST."""
    if isinstance(ballot.votes, Counts):
        heads = heads_of(ballot, electorate, (FOR, AGAINST, PRESENT))
        strength = terms.default_strength
        return heads, heads.votes_for * strength, heads.against * strength
    valid, remarks = valid_votes(ballot, electorate, (FOR, AGAINST, PRESENT, ENDORSE, CONDITIONAL))
    for voter, vote in valid.items():
        if word_of(vote) == CONDITIONAL:
            remarks.append(
                f"Nobody has resolved the vote of {voter} on a condition: it is PRESENT."
            )
            valid[voter] = PRESENT
    heads = by_heads(endorsements_resolved(valid, remarks), remarks)
    sums = {FOR: 0, AGAINST: 0, PRESENT: 0}
    for voter, word in (heads.counted or {}).items():
        strength = ballot.strengths.get(
            voter, electorate.strengths.get(voter, terms.default_strength)
        )
        sums[word] += ballot.by_officer.get(voter, max(0, min(strength, terms.most_strength)))
    return heads, sums[FOR], sums[AGAINST]


def endorsements_resolved(cast: Mapping[str, str], remarks: list[str]) -> dict[str, str]:
    """The votes with each ENDORSE as what it comes to, a remark on each.

    An endorsement follows the endorsed player's own vote, through further endorsements if need be.
    One that comes back to itself, or ends with a player who did not vote, is PRESENT.
    """
    words = {voter: vote for voter, vote in cast.items() if not endorsed(vote)}
    reasons: dict[str, str] = {}
    for voter in cast:
        # A dict for the order: a chain may be as long as the electorate, and is walked once.
        chain: dict[str, None] = {}
        name = voter
        while name in cast and name not in words and name not in chain:
            chain[name] = None
            name = endorsed(cast[name])
        if name in chain:
            reason = ", since the endorsements lead round in a circle"
        else:
            reason = reasons.get(name, "") if name in cast else f", since {name} did not vote"
        word = words.get(name, PRESENT)
        words |= dict.fromkeys(chain, word)
        reasons |= dict.fromkeys(chain, reason)
    remarks += [
        f"{voter} endorses {endorsed(cast[voter])}, which counts as {words[voter]}{reason}."
        for voter, reason in sorted(reasons.items())
    ]
    return {voter: words[voter] for voter in cast}


# By heads


class Majority(_ByItself[MajorityTerms]):
    """More than a part of those who are for or against it, and enough ballots."""

    title = "Majority with a quorum"
    charts = MajorityCharts
    has = frozenset({"quorum"})

    def result(self, ballot: Ballot, electorate: Electorate, terms: MajorityTerms) -> Result:
        heads = heads_of(ballot, electorate, self.words)
        quorum = _quorum(electorate.quorum, electorate, terms)
        score = f"{votes_in_words(heads.votes_for)} to {heads.against}"
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
        heads = heads_of(ballot, electorate, self.words)
        players = electorate.headcount
        needed = terms.supporters if players is None else min(terms.supporters, players)
        if heads.against >= terms.objections:
            allowed = f"fewer than {terms.objections} may be"
            reason = f"Rejected: {heads.against} of the players object to it, and {allowed}."
            return heads.result(REJECTED, False, reason)
        if heads.votes_for < needed:
            reason = f"Rejected: it has {heads.votes_for} of the {needed} supporters that it needs."
            return heads.result(REJECTED, False, reason)
        objections = "nobody objects to it"
        if heads.against:
            objections = f"{heads.against} object to it, fewer than {terms.objections}"
        return heads.result(ADOPTED, True, f"Adopted: {objections}.")
