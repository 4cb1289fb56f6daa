"""B Nomic's two editions: all proposals of an nweek are counted together, and may conflict with
each other and depend on each other.

Everything here takes time in proportion to the proposals and their links.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set

from proposals.rules.ballots import Ballot, Electorate, Result, Tally
from proposals.rules.edition import (
    DISCARDED,
    LOST,
    UNDECIDED,
    WON,
    Edition,
)
from proposals.rules.terms import (
    CLOCK,
    PROPOSALS,
    VOTING,
    NweekTerms,
    RefreshCharts,
    Rule5E33Charts,
    Rule5E33Terms,
)
from proposals.rules.words import ABSTAIN, AGAINST, FOR, Heads, heads_of_each, signed

CONFLICT, DEPENDENCY = "conflict", "dependency"
type Fall = tuple[str, int]
type Falls = dict[int, Fall]
type Links = Mapping[int, Set[int]]


def dependencies(ballots: Iterable[Ballot]) -> Links:
    """The proposals that each Open one depends on."""
    return {ballot.number: ballot.dependencies for ballot in ballots if ballot.status == "Open"}


def conflicts(ballots: Iterable[Ballot]) -> Links:
    """The conflicts that each Open proposal lists; that one of two lists the other is enough."""
    return {ballot.number: ballot.conflicts for ballot in ballots if ballot.status == "Open"}


def rivals_among(numbers: Set[int], listed: Links) -> Mapping[int, list[int]]:
    """Those of `some` that conflict with each of them; one that both list stands there twice."""
    rivals: defaultdict[int, list[int]] = defaultdict(list)
    for number in numbers:
        for rival in listed[number] & numbers:
            if rival != number:
                rivals[number].append(rival)
                rivals[rival].append(number)
    return rivals


def dragged_down(lost: Set[int], dependencies: Links, standing: Set[int]) -> dict[int, int]:
    """Those of `standing` that depend on a Lost one, or on one that falls so, and on which.

    In the order of falling: first those next to the Lost ones. Processing all in ascending order
    again and again until nothing changes finds the same set, since a fall never undoes another.
    """
    fallen = {
        number: min(lost & dependencies[number])
        for number in sorted(standing)
        if not lost.isdisjoint(dependencies[number])
    }
    if not fallen:
        return fallen
    dependents: defaultdict[int, list[int]] = defaultdict(list)
    for number in sorted(standing - fallen.keys()):
        for cause in dependencies[number]:
            dependents[cause].append(number)
    front = list(fallen)
    while front:
        below: list[int] = []
        for cause in front:
            for number in dependents.get(cause, ()):
                if number not in fallen:
                    fallen[number] = cause
                    below.append(number)
        front = below
    return fallen


def won_or_lost(
    heads: Heads, fall: Fall | None, strengths: Mapping[int, int], stronger: str
) -> Result:
    """Won or Lost, by its Strength and by its `fall`, if it has one.

    `stronger` says which number prevails between two of the same Strength: "higher" or "lower".
    """
    strength, scoring = heads.strength, f"{heads.votes_for} FOR and {heads.against} AGAINST"
    if fall is not None:
        link, cause = fall
        reason = f"Lost: conflicts with {cause}, which has"
        if link == DEPENDENCY:
            reason = f"Lost: depends on {cause}, which is Lost."
        elif strengths[cause] > strength:
            reason = f"{reason} Strength {strengths[cause]} against {strength}."
        else:
            reason = f"{reason} the same Strength {strength} and the {stronger} number."
        return heads.result(LOST, False, reason, cull=link, by=cause)
    if strength <= 0:
        return heads.result(
            LOST, False, f"Lost: its Strength is {signed(strength)}, with {scoring}."
        )
    return heads.result(WON, True, f"Won: its Strength is {strength}, with {scoring}.")


# The Refresh Prop of December 2006


class Refresh2006(Edition[NweekTerms]):
    """Strength decides, then three culls: dependencies, conflicts, dependencies."""

    title = "B Nomic, Refresh (2006)"
    officer = "Administrator"
    period = "nweek"
    words = (FOR, AGAINST, ABSTAIN)
    success = {WON: WON, LOST: LOST}
    charts = RefreshCharts
    needs = (PROPOSALS, CLOCK)

    def tally(
        self, ballots: Collection[Ballot], electorate: Electorate, terms: NweekTerms
    ) -> Tally:
        """Tallying the votes, Dependency Culling and Conflict Culling of rule 2-2."""
        ballots = sorted(ballots, key=lambda ballot: ballot.number)
        counts = heads_of_each(ballots, electorate, self.words)
        strengths = {number: heads.strength for number, heads in counts.items()}
        falls = culled_2006(ballots, strengths)
        return Tally(
            {
                number: won_or_lost(heads, falls.get(number), strengths, "higher")
                for number, heads in counts.items()
            }
        )


def culled_2006(ballots: Collection[Ballot], strengths: Mapping[int, int]) -> Falls:
    """Which proposals of positive Strength become Lost, by which cull and by which proposal.

    `strengths` are those of the Open ones. A cull makes only Open proposals Lost.
    """
    needs = dependencies(ballots)
    won = {number for number, strength in strengths.items() if strength > 0}
    lost = {ballot.number for ballot in ballots if ballot.status == "Lost"}
    falls = _dependency_cull(lost | (strengths.keys() - won), needs, won)
    rivals = rivals_among(won, conflicts(ballots))
    beaten: Falls = {}
    # Sorted twice, for the order of the rule: by Strength, and where it is equal by number, both
    # descending. Only what still is Won when its turn comes beats others.
    for number in sorted(sorted(won, reverse=True), key=strengths.__getitem__, reverse=True):
        if number in won:
            for rival in rivals.get(number, ()):
                if rival in won:
                    won.discard(rival)
                    beaten[rival] = CONFLICT, number
    # The culls happen in this order, and none makes a Lost one Won again: what was beaten stays so,
    # also where the one that beat it falls now.
    return falls | beaten | _dependency_cull(beaten.keys(), needs, won)


def _dependency_cull(lost: Set[int], needs: Links, won: set[int]) -> Falls:
    """Take out of `won` what depends on the Lost ones, and say on which."""
    fallen = dragged_down(lost, needs, won)
    won.difference_update(fallen)
    return {number: (DEPENDENCY, cause) for number, cause in fallen.items()}


# Rule 5E33: Stamina, Vested Players, Discarded


class Rule5E33(Edition[Rule5E33Terms]):
    """Each proposal is compared with those that it conflicts with, whatever became of them."""

    title = "B Nomic, Rule 5E33"
    officer = "Chairman"
    period = "nweek"
    words = (FOR, AGAINST)
    success = {outcome: outcome for outcome in (WON, LOST, DISCARDED, UNDECIDED)}
    charts = Rule5E33Charts
    needs = (PROPOSALS, VOTING, CLOCK)
    has = frozenset({"quorum"})

    def tally(
        self, ballots: Collection[Ballot], electorate: Electorate, terms: Rule5E33Terms
    ) -> Tally:
        """Tallying the votes, in the order of Rule 5E33."""
        ballots = sorted(ballots, key=lambda ballot: ballot.number)
        counts = heads_of_each(ballots, electorate, self.words)
        laws = {
            ballot.number: (ballot.electorate(electorate), ballot.terms(terms))
            for ballot in ballots
        }
        discarded = {
            number for number, heads in counts.items() if _lacks_stamina(heads, *laws[number])
        }
        strengths = {number: heads.strength for number, heads in counts.items()}
        falls = culled_5e33(ballots, strengths, discarded)
        results = {}
        for number, heads in counts.items():
            fall = falls.get(number)
            if number in discarded:
                results[number] = _discarded(heads, *laws[number])
            elif fall is None and heads.strength == 0:
                scoring = f"{heads.votes_for} FOR and {heads.against} AGAINST"
                reason = f"Fails: its Strength is 0, with {scoring}, so it is not Won."
                results[number] = heads.result(UNDECIDED, False, reason)
            else:
                results[number] = won_or_lost(heads, fall, strengths, "lower")
        return Tally(results)


def _lacks_stamina(heads: Heads, electorate: Electorate, terms: Rule5E33Terms) -> bool:
    # What a rule's program says is a number of votes.
    if electorate.quorum is not None:
        return heads.stamina < electorate.quorum
    # Multiplied and not divided, so that a share such as 1/3 is exact.
    vested = electorate.vested_count * terms.stamina_votes
    return heads.stamina * terms.stamina_vested < vested


def _discarded(heads: Heads, electorate: Electorate, terms: Rule5E33Terms) -> Result:
    voters = electorate.vested_count
    players = "player" if voters == 1 else "players"
    threshold = f"{terms.stamina_share} of the {voters} Vested {players}"
    if electorate.quorum is not None:
        threshold = f"the {electorate.quorum} that a rule's program asks for"
    reason = f"Discarded: its Stamina of {heads.stamina} is less than {threshold}."
    return heads.result(DISCARDED, False, reason, vested=voters)


def culled_5e33(
    ballots: Collection[Ballot], strengths: Mapping[int, int], discarded: Collection[int]
) -> Falls:
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
        number: (CONFLICT, rival)
        for number, rival in _beaten(conflicts(ballots), strengths).items()
        if number in standing
    }
    lost = {ballot.number for ballot in ballots if ballot.status == "Lost"}
    lost |= strengths.keys() - standing - set(discarded)
    falls = dragged_down(lost | beaten.keys(), dependencies(ballots), standing - beaten.keys())
    return beaten | {number: (DEPENDENCY, cause) for number, cause in falls.items()}


def _beaten(listed: Links, strengths: Mapping[int, int]) -> dict[int, int]:
    """Those that conflict with one of greater Strength, or of equal and a lower number.

    Each with the best of these.
    """
    order = sorted(sorted(strengths), key=strengths.__getitem__, reverse=True)
    ranks = {number: place for place, number in enumerate(order)}
    best = dict(ranks)
    for number, rivals in listed.items():
        own_rank = ranks[number]
        for rival in rivals:
            rival_rank = ranks.get(rival, own_rank)
            if rival_rank < own_rank:
                if rival_rank < best[number]:
                    best[number] = rival_rank
            elif own_rank < best.get(rival, 0):
                best[rival] = own_rank
    return {number: order[first] for number, first in best.items() if first < ranks[number]}
