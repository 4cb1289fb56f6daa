"""B Nomic's proposal rule as the Refresh Prop of December 2006 has it."""

from collections.abc import Collection, Mapping, Set

from proposals.rules import links
from proposals.rules.ballots import Ballot, Electorate, Tally
from proposals.rules.edition import NO_CLOCK, NO_PROPOSALS, Edition
from proposals.rules.tables import Texts
from proposals.rules.terms import REFRESH_TABLES, NweekTerms, nweek_terms
from proposals.rules.titles import CLOCK, PROPOSALS
from proposals.rules.verdicts import LOST, WON, judged
from proposals.rules.words import ABSTAIN, AGAINST, FOR, counted


class Refresh2006(Edition[NweekTerms]):
    """Strength decides, then three culls: dependencies, conflicts, dependencies."""

    name = "refresh-2006"
    title = "B Nomic, Refresh (2006)"
    officer = "Administrator"
    period = "nweek"
    words = (FOR, AGAINST, ABSTAIN)
    success = {WON: WON, LOST: LOST}
    rules = (PROPOSALS, CLOCK)
    tables = REFRESH_TABLES
    needs = {PROPOSALS: NO_PROPOSALS, CLOCK: NO_CLOCK}

    def read(self, texts: Texts) -> NweekTerms:
        return nweek_terms(texts, voting=PROPOSALS)

    def tally(
        self, ballots: Collection[Ballot], electorate: Electorate, terms: NweekTerms
    ) -> Tally:
        """Tallying the votes, Dependency Culling and Conflict Culling of rule 2-2."""
        ballots = sorted(ballots, key=lambda ballot: ballot.number)
        heads = counted(ballots, electorate, self.words)
        strengths = {number: own.strength for number, own in heads.items()}
        falls = culled(ballots, strengths)
        return Tally(
            {
                number: judged(own, falls.get(number), strengths, "higher")
                for number, own in heads.items()
            }
        )


def culled(ballots: Collection[Ballot], strengths: Mapping[int, int]) -> links.Falls:
    """Which proposals of positive Strength become Lost, by which cull and by which proposal.

    `strengths` are those of the Open ones. A cull makes only Open proposals Lost.
    """
    needs = links.dependencies(ballots)
    won = {number for number, strength in strengths.items() if strength > 0}
    lost = {ballot.number for ballot in ballots if ballot.status == "Lost"}
    falls = _dependency_cull(lost | (strengths.keys() - won), needs, won)
    rivals = links.rivals_among(won, links.conflicts(ballots))
    beaten: links.Falls = {}
    for number in sorted(sorted(won, reverse=True), key=strengths.__getitem__, reverse=True):
        if number in won:
            for rival in rivals.get(number, ()):
                if rival in won:
                    won.discard(rival)
                    beaten[rival] = links.CONFLICT, number
    return falls | beaten | _dependency_cull(beaten.keys(), needs, won)


def _dependency_cull(lost: Set[int], needs: links.Links, won: set[int]) -> links.Falls:
    """Take out of `won` what depends on the Lost ones, and say on which."""
    fallen = links.dragged_down(lost, needs, won)
    won.difference_update(fallen)
    return {number: (links.DEPENDENCY, cause) for number, cause in fallen.items()}
