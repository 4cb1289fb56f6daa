"""Votes that count by heads alone, each proposal's by itself: a majority, and consent."""

from abc import abstractmethod
from collections.abc import Collection
from operator import attrgetter

from proposals.rules.ballots import Ballot, Electorate, Result, Tally
from proposals.rules.edition import LOST, WON, Edition
from proposals.rules.terms import (
    PROPOSALS,
    VOTING,
    ConsentCharts,
    ConsentTerms,
    EachTerms,
    MajorityCharts,
    MajorityTerms,
)
from proposals.rules.words import ABSTAIN, AGAINST, FOR, Heads, count, votes

ADOPTED, REJECTED, FAILED_QUORUM = "ADOPTED", "REJECTED", "FAILED QUORUM"


class _ByHeads[T: EachTerms](Edition[T]):
    officer = "Chair"
    period = "each"
    words = (FOR, AGAINST, ABSTAIN)
    needs = (PROPOSALS, VOTING)

    def tally(self, ballots: Collection[Ballot], electorate: Electorate, terms: T) -> Tally:
        """Each proposal by itself; what is adopted takes effect in the order of number."""
        asked = sorted(
            (each for each in ballots if each.status == "Open"), key=attrgetter("number")
        )
        heads = {each.number: count(each, electorate, self.words) for each in asked}
        return Tally({n: self.verdict(own, electorate, terms) for n, own in heads.items()})

    @abstractmethod
    def verdict(self, heads: Heads, electorate: Electorate, terms: T) -> Result:
        """The result of these votes."""


class Majority(_ByHeads[MajorityTerms]):
    """More than a part of those who are for or against it, and enough ballots."""

    title = "Majority with a quorum"
    success = {ADOPTED: WON, REJECTED: LOST, FAILED_QUORUM: LOST}
    charts = MajorityCharts
    has = frozenset({"quorum"})

    def verdict(self, heads: Heads, electorate: Electorate, terms: MajorityTerms) -> Result:
        quorum, players = electorate.quorum, electorate.headcount
        if quorum is None:
            quorum = terms.quorum if players is None else min(terms.quorum, players)
        score = f"{votes(heads.votes_for)} to {heads.against}"
        if heads.ballots < quorum:
            reason = f"Failed quorum: {heads.ballots} of {quorum} ballots."
            return heads.result(FAILED_QUORUM, False, reason, quorum=quorum)
        if heads.votes_for * terms.majority_whole > heads.stamina * terms.majority_part:
            return heads.result(ADOPTED, True, f"Adopted with {score}.", quorum=quorum)
        share = f"more than {terms.majority_part}/{terms.majority_whole}"
        reason = f"Rejected with {score}: it needs {share} of the votes FOR or AGAINST it."
        return heads.result(REJECTED, False, reason, quorum=quorum)


class Consent(_ByHeads[ConsentTerms]):
    """Adopted unless enough object, or too few support it."""

    title = "Consent"
    success = {ADOPTED: WON, REJECTED: LOST}
    charts = ConsentCharts

    def verdict(self, heads: Heads, electorate: Electorate, terms: ConsentTerms) -> Result:
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
