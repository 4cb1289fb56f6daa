"""Agora's way: voting strengths, an adoption index, a quorum of ballots."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction

from nomic.games.refusal import Refusal
from proposals.rules.ballots import Ballot, Counts, Electorate, Json, Result, Tally
from proposals.rules.edition import LOST, WON, Edition
from proposals.rules.terms import PROPOSALS, VOTING, AdoptionCharts, AdoptionTerms
from proposals.rules.words import (
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
    word_of,
)

ADOPTED, REJECTED, FAILED_QUORUM = "ADOPTED", "REJECTED", "FAILED QUORUM"


class AdoptionIndex(Edition[AdoptionTerms]):
    """F and A are sums of voting strengths; the ratio of the two has to reach the index."""

    title = "Agora, adoption index (2022)"
    officer = "Assessor"
    period = "each"
    words = (FOR, AGAINST, PRESENT, ENDORSE)
    success = {ADOPTED: WON, REJECTED: LOST, FAILED_QUORUM: LOST}
    charts = AdoptionCharts
    needs = (PROPOSALS, VOTING)
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

    def tally(
        self, ballots: Collection[Ballot], electorate: Electorate, terms: AdoptionTerms
    ) -> Tally:
        """Each proposal by itself; what is adopted takes effect in the order of number."""
        return Tally(
            {
                ballot.number: _result(ballot, electorate, terms)
                for ballot in sorted(ballots, key=lambda ballot: ballot.number)
                if ballot.status == "Open"
            }
        )


def _result(ballot: Ballot, electorate: Electorate, terms: AdoptionTerms) -> Result:
    heads, strong_for, strong_against = _counted(ballot, electorate, terms)
    quorum = electorate.quorum if ballot.quorum is None else ballot.quorum
    if quorum is None:  # no more than there are active players
        players = electorate.headcount
        quorum = terms.quorum if players is None else min(terms.quorum, players)
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
