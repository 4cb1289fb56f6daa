"""BlogNomic's way: a queue, a quorum, an Emperor's veto."""

from collections.abc import Collection

from nomic.games.refusal import Refusal
from proposals.rules.ballots import Ballot, Counts, Electorate, Result, Tally, open_ballots
from proposals.rules.edition import LOST, PENDING, UNDECIDED, WON, Edition
from proposals.rules.terms import EMPEROR, PROPOSALS, QuorumCharts, QuorumTerms
from proposals.rules.words import (
    AGAINST,
    DEFERENTIAL,
    FOR,
    VETO,
    Heads,
    by_heads,
    heads_of,
    names_in_words,
    plain_vote,
    valid_votes,
    votes_in_words,
    with_full_stop,
)

ENACTED, FAILED = "Enacted", "Failed"
_OUTCOMES = {True: ENACTED, False: FAILED, None: PENDING}


class Quorum(Edition[QuorumTerms]):
    """Only the oldest proposal that is not decided yet can be resolved."""

    title = "BlogNomic, quorum (2023)"
    officer = "Admin"
    period = "queue"
    words = (FOR, AGAINST, DEFERENTIAL)
    success = {ENACTED: WON, FAILED: LOST, PENDING: UNDECIDED}
    charts = QuorumCharts
    needs = (PROPOSALS,)
    has = frozenset({"quorum"})

    def words_for(self, voter: str, electorate: Electorate) -> tuple[str, ...]:
        """Only the Emperor vetoes, and has nobody to defer to; without a throne nobody does."""
        if not electorate.throne:
            return FOR, AGAINST
        return (FOR, AGAINST, VETO) if voter == electorate.emperor else self.words

    def vote_refusal(self, word: str, voter: str, electorate: Electorate) -> Refusal | None:
        if electorate.throne and plain_vote(word) == VETO and voter != electorate.emperor:
            sentence = f"Only the Emperor vetoes: vote {names_in_words(self.words, 'or')}."
            return Refusal("not_the_emperor", sentence, EMPEROR)
        return super().vote_refusal(word, voter, electorate)

    def tally(
        self, ballots: Collection[Ballot], electorate: Electorate, terms: QuorumTerms
    ) -> Tally:
        """From the oldest on, until one is not decided: those after it wait for it."""
        if electorate.quorum is None and electorate.headcount is None:
            raise ValueError("a quorum needs the number of active players, or to be given")
        results: dict[int, Result] = {}
        first, everybody, usual = None, electorate, terms
        for ballot in open_ballots(ballots):
            electorate, terms = ballot.electorate(everybody), ballot.terms(usual)
            heads, vetoed = _heads_and_veto(ballot, electorate)
            if first is not None:
                reason = f"Waits for {first}, which is older and not decided yet."
                results[ballot.number] = heads.result(PENDING, None, reason)
                continue
            results[ballot.number] = _result(ballot, heads, vetoed, electorate, terms)
            if results[ballot.number].passed is None:
                first = ballot.number
        return Tally(results)


def _heads_and_veto(ballot: Ballot, electorate: Electorate) -> tuple[Heads, bool]:
    """The heads, with each DEFERENTIAL as the Emperor's own vote, and whether there is a veto."""
    if isinstance(ballot.votes, Counts):
        return heads_of(ballot, electorate, (FOR, AGAINST)), False
    words = (FOR, AGAINST, DEFERENTIAL, VETO) if electorate.throne else (FOR, AGAINST)
    valid, remarks = valid_votes(ballot, electorate, words)
    emperor = electorate.emperor
    lead = valid.get(emperor, "")
    pretenders = [voter for voter, vote in valid.items() if vote == VETO and voter != emperor]
    if pretenders:
        remarks.append(
            with_full_stop(
                f"Only the Emperor vetoes, so VETO counts for nothing: {names_in_words(pretenders)}"
            )
        )
    deferring = [voter for voter, vote in valid.items() if vote == DEFERENTIAL]
    counted = {voter: vote for voter, vote in valid.items() if vote in (FOR, AGAINST)}
    if deferring and lead in (FOR, AGAINST):
        counted |= dict.fromkeys(deferring, lead)
        remarks.append(
            with_full_stop(
                f"DEFERENTIAL counts as {lead}, as {emperor} votes: {names_in_words(deferring)}"
            )
        )
    elif deferring:
        reason = "there is no Emperor"
        if emperor:
            reason = f"the Emperor {emperor} votes neither FOR nor AGAINST"
        remarks.append(
            with_full_stop(
                f"DEFERENTIAL counts for nothing, since {reason}: {names_in_words(deferring)}"
            )
        )
    return by_heads(dict(sorted(counted.items())), remarks), lead == VETO


def _result(
    ballot: Ballot, heads: Heads, vetoed: bool, electorate: Electorate, terms: QuorumTerms
) -> Result:
    quorum = electorate.quorum
    if quorum is None:
        quorum = terms.quorum(electorate.headcount or 0)
    players = electorate.headcount
    if players is None:  # on paper, where only the quorum may be known
        players = terms.most_players(quorum)
    score = f"{votes_in_words(heads.votes_for)} to {heads.against}"
    passed: bool | None = False
    if vetoed:
        reason = with_full_stop(f"Vetoed by {electorate.emperor}")
    elif heads.votes_for >= quorum:
        passed, reason = True, f"Reached quorum {score}."
    elif players - heads.against < quorum:
        reason = f"Failed {score}: the quorum of {quorum} cannot be reached by further votes."
    elif not ballot.ripe:
        passed, reason = None, f"Not decided yet: {score}, and the quorum is {quorum}."
    elif heads.ballots < terms.least_votes:
        reason = (
            f"Timed out {score}: it needs at least {votes_in_words(terms.least_votes)} that count."
        )
    elif heads.votes_for <= heads.against:
        reason = f"Timed out {score}: it needs more FOR than AGAINST."
    else:
        passed, reason = True, f"Enacted when its time was over, with {score}."
    return heads.result(_OUTCOMES[passed], passed, reason, quorum=quorum)
