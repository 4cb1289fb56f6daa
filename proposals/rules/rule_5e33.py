"""B Nomic's Rule 5E33: Stamina, Vested players, Discarded."""

from collections.abc import Collection, Mapping

from proposals.rules import links
from proposals.rules.ballots import Ballot, Electorate, Tally
from proposals.rules.edition import NO_CLOCK, NO_PROPOSALS, NO_VOTES, Edition
from proposals.rules.terms import RULE_5E33_TABLES, Rule5E33Terms, rule_5e33_terms
from proposals.rules.titles import CLOCK, PROPOSALS, VESTED, VOTING
from proposals.rules.verdicts import DISCARDED, LOST, UNDECIDED, WON, judged
from proposals.rules.words import AGAINST, FOR, counted


class Rule5E33(Edition[Rule5E33Terms]):
    """Each proposal is compared with those that it conflicts with, whatever became of them."""

    name = "rule-5e33"
    title = "B Nomic, Rule 5E33"
    officer = "Chairman"
    period = "nweek"
    words = (FOR, AGAINST)
    success = {own: own for own in (WON, LOST, DISCARDED, UNDECIDED)}
    rules = (PROPOSALS, VOTING, CLOCK, VESTED)
    tables = RULE_5E33_TABLES
    read = staticmethod(rule_5e33_terms)
    needs = {PROPOSALS: NO_PROPOSALS, VOTING: NO_VOTES, CLOCK: NO_CLOCK}
    has = frozenset({"quorum"})

    def tally(
        self, ballots: Collection[Ballot], electorate: Electorate, terms: Rule5E33Terms
    ) -> Tally:
        """Tallying the votes, in the order of Rule 5E33."""
        ballots = sorted(ballots, key=lambda ballot: ballot.number)
        heads = counted(ballots, electorate, self.words)
        # So many Vested players ask for so many votes, or a rule's program says how many it takes.
        share, vested = terms.stamina_vested, electorate.vested_count * terms.stamina_votes
        if electorate.quorum is not None:
            share, vested = 1, electorate.quorum
        discarded = {number for number, own in heads.items() if own.stamina * share < vested}
        strengths = {number: own.strength for number, own in heads.items()}
        falls = culled(ballots, strengths, discarded)
        results = {}
        for number, own in heads.items():
            fall = falls.get(number)
            if number in discarded:
                voters = electorate.vested_count
                players = "player" if voters == 1 else "players"
                least = f"{terms.stamina_share} of the {voters} Vested {players}"
                if electorate.quorum is not None:
                    least = f"the {electorate.quorum} that a rule's program asks for"
                why = f"Discarded: its Stamina of {own.stamina} is less than {least}."
                results[number] = own.result(DISCARDED, False, why, vested=voters)
            elif fall is None and own.strength == 0:
                scoring = f"{own.votes_for} FOR and {own.against} AGAINST"
                why = f"Fails: its Strength is 0, with {scoring}, so it is not Won."
                results[number] = own.result(UNDECIDED, False, why)
            else:
                results[number] = judged(own, fall, strengths, "lower")
        return Tally(results)


def culled(
    ballots: Collection[Ballot], strengths: Mapping[int, int], discarded: Collection[int]
) -> links.Falls:
    """Which proposals become Lost by a conflict or a dependency, and by which proposal.

    `strengths` are those of the Open ones. One of negative Strength is Lost anyway, and a Discarded
    one is not Lost; neither stands in the answer.
    """
    standing = {
        number
        for number, strength in strengths.items()
        if strength >= 0 and number not in discarded
    }
    beaten = {
        number: (links.CONFLICT, rival)
        for number, rival in _beaten(links.conflicts(ballots), strengths).items()
        if number in standing
    }
    lost = {ballot.number for ballot in ballots if ballot.status == "Lost"}
    lost |= strengths.keys() - standing - set(discarded)
    falls = links.dragged_down(
        lost | beaten.keys(), links.dependencies(ballots), standing - beaten.keys()
    )
    return beaten | {number: (links.DEPENDENCY, cause) for number, cause in falls.items()}


def _beaten(listed: links.Links, strengths: Mapping[int, int]) -> dict[int, int]:
    """Those that conflict with one of greater Strength, or of equal and a lower number.

    Each with the best of these.
    """
    order = sorted(sorted(strengths), key=strengths.__getitem__, reverse=True)
    rank = {number: place for place, number in enumerate(order)}
    best = dict(rank)
    for number, others in listed.items():
        own = rank[number]
        for other in others:
            theirs = rank.get(other, own)
            if theirs < own:
                if theirs < best[number]:
                    best[number] = theirs
            elif own < best.get(other, 0):
                best[other] = own
    return {number: order[first] for number, first in best.items() if first < rank[number]}
