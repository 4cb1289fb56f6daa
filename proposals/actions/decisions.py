"""Findings of the officer on single votes, as Agora's Assessor makes them: strengths, quorums and
indices, the meaning of votes on conditions, and decisions that are made again (Decisions)."""

from decimal import Decimal
from typing import Any

from nomic.engine.actions import action
from nomic.engine.effects import Cancel, Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import Correction, is_so
from proposals.actions.chair import ChairAction, actor_in_words
from proposals.actions.fields import ExactIndexField, LinksField, ProposalField
from proposals.actions.players import proposal_or_refusal
from proposals.events.opening import CLOSES, await_distribution
from proposals.models import BallotStrength, Proposal, Resolution, Status, Strike, Success, Vote
from proposals.rules.terms import DECISIONS
from proposals.rules.words import AGAINST, CONDITIONAL, FOR, PRESENT, names_in_words, word_of
from proposals.state.offices import COUNTING
from proposals.state.reading import state_of

_LONGEST_REASON = 300
_MOST_STRENGTH = 30_000
_MOST_BALLOTS = 100_000


class _OnDecisions(Correction, ChairAction):
    """A finding that the rule “Decisions” leaves to the officer."""

    rule = DECISIONS
    duty = COUNTING

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(state_of(table).has_decisions)


def _decided_refusal(proposal: Proposal | None) -> Refusal | None:
    """The refusal of what is found of a proposal that is decided."""
    if proposal is None or proposal.status != Status.HISTORICAL:
        return None
    sentence = f"{proposal.label} is decided: withdraw the decision first, if it failed."
    return Refusal("decided", sentence, DECISIONS)


@action
class SetBallotStrength(_OnDecisions):
    """Set the voting strength of a player on one proposal."""

    name = "proposals.set_ballot_strength"
    title = "Set a voting strength on one proposal"
    sentence = "Set the voting strength of {who} on {proposal} to {strength}, because {reason}"

    class Form(ActionForm):
        who = PlayerField(label="Player")
        proposal = ProposalField(lambda state, player: state.undecided)
        strength = WholeNumber(0, _MOST_STRENGTH)
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        proposal: Proposal | None = data.get("proposal")
        refusal = _decided_refusal(proposal)
        if refusal or proposal is None or "who" not in data:
            return refusal
        voter, strength = table.seat(data["who"]), data.get("strength", 0)
        subject = f"the voting strength of {voter} on {proposal.label}"
        figures = proposal.ballot_strengths.filter(player=voter, strength=strength)
        if "strength" in data and figures.exists():
            return is_so(self, subject, str(strength))

        def weigh(at: Table) -> None:
            BallotStrength.objects.update_or_create(
                proposal=proposal, player=voter, defaults={"strength": strength}
            )

        actor = actor_in_words(table, self, player)
        return Effects(
            Then(weigh),
            say=f"{actor} sets {subject} to {strength}: {data.get('reason')}",
            figures={"proposal": proposal.handle},
        )


@action
class SetDecision(_OnDecisions):
    """Set the quorum of proposals, or the index by which they are decided."""

    name = "proposals.set_decision"
    title = "Set the quorum or index of decisions"
    sentence = "Decide {proposals} by the quorum {quorum} and the index {index}, because {reason}"

    class Form(ActionForm):
        proposals = LinksField(label="Proposals")
        quorum = WholeNumber(0, _MOST_BALLOTS, required=False)
        index = ExactIndexField(required=False, label="Index")
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        for handle in data.get("proposals") or ():
            proposal = proposal_or_refusal(table, handle)
            refusal = proposal if isinstance(proposal, Refusal) else _decided_refusal(proposal)
            if refusal:
                return refusal
        if "proposals" in data and not data["proposals"]:
            return Refusal("no_proposals", "Name the proposals that are decided so.", DECISIONS)
        if not {"proposals", "quorum", "index"} <= data.keys():
            return None
        quorum, index = data["quorum"], data["index"]
        if quorum is None and not index:
            return Refusal("no_figure", "Give a quorum, an index, or both.", DECISIONS)
        proposals = state_of(table).find_all(data["proposals"]).values()
        figures = {} if quorum is None else {"own_quorum": quorum}
        figures |= {"own_index": index} if index else {}
        figures_told = [] if quorum is None else [f"the quorum {quorum}"]
        figures_told += [f"the index {index}"] if index else []
        labels = names_in_words([proposal.label for proposal in proposals])
        if all(
            getattr(proposal, name) == (Decimal(figure) if name == "own_index" else figure)
            for proposal in proposals
            for name, figure in figures.items()
        ):
            return is_so(self, f"the decision on {labels}", names_in_words(figures_told))
        actor = actor_in_words(table, self, player)
        lets = f"{actor} lets {labels} be decided by {names_in_words(figures_told)}"
        # One may be named twice, by its number and by its id.
        once = {proposal.pk: proposal for proposal in proposals}.values()
        return Effects(
            *(Set(proposal, **figures) for proposal in once),
            say=f"{lets}: {data.get('reason')}",
            figures={"proposals": [proposal.handle for proposal in proposals]},
        )


@action
class ResolveVote(_OnDecisions):
    """Say what a vote on a condition comes to."""

    name = "proposals.resolve_vote"
    title = "Resolve a vote on a condition"
    sentence = "Resolve the vote of {voter} on {proposal} as {word}, because {reason}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: state.undecided)
        voter = PlayerField(label="Player")
        word = TextChoice(FOR, AGAINST, PRESENT, label="As")
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        proposal: Proposal | None = data.get("proposal")
        refusal = _decided_refusal(proposal)
        if refusal or proposal is None or "voter" not in data:
            return refusal
        if proposal.votes_are_sealed:
            sentence = f"Nobody may see yet who voted what on {proposal.label}."
            return Refusal("votes_sealed", sentence, DECISIONS)
        voter, word, reason = data["voter"], data.get("word"), data.get("reason")
        vote = proposal.votes.last_of(voter)
        if vote is None or word_of(vote.word) != CONDITIONAL:
            sentence = f"{voter} has cast no vote on a condition on {proposal.label}."
            return Refusal("not_conditional", sentence, DECISIONS)

        if Resolution.objects.filter(vote=vote, word=word).exists():
            return is_so(self, f"the vote of {voter} on {proposal.label}", str(word))

        def resolve(at: Table) -> None:
            columns = {"word": word, "reason": reason, "entry": at.seq}
            Resolution.objects.update_or_create(vote=vote, defaults=columns)

        actor = actor_in_words(table, self, player)
        resolves = f"{actor} resolves the vote of {voter} on {proposal.label}"
        return Effects(
            Then(resolve),
            say=f"{resolves} as {word}: {reason}",
            figures={"proposal": proposal.handle},
        )


@action
class WithdrawDecision(_OnDecisions):
    """Withdraw a decision that is not made, or was made against the proposal: it is made again."""

    name = "proposals.withdraw_decision"
    title = "Withdraw a decision, to be made again"
    sentence = "Withdraw the decision on {proposal}, because {reason}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: list(state.proposals()[:60]))
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, proposal: Any, reason: Any) -> Verdict:
        if proposal is None:
            return None
        if proposal.status == Status.PENDING:
            sentence = f"{proposal.label} is not voted on: there is no decision to be withdrawn."
            return Refusal("not_open", sentence, DECISIONS)
        if proposal.passed or proposal.awaits_since or proposal.outcome == "Withdrawn":
            sentence = (
                f"{proposal.label} was adopted, waits for the announcement of its result, or was"
                " withdrawn by its author: its decision stands."
            )
            return Refusal("stands", sentence, DECISIONS)
        strike_reason = f"The decision was withdrawn: {reason}"[:_LONGEST_REASON]

        def strike_all(at: Table) -> None:
            if proposal.votes_are_sealed:
                at.open_books([proposal.book])
            standing = Vote.objects.filter(proposal=proposal, strike__isnull=True)
            Strike.objects.bulk_create(
                Strike(vote=vote, reason=strike_reason, entry=at.seq) for vote in standing
            )

        names = ("passed", "opened_at", "opened_in", "closes_at", "closed_at", "closed_in")
        cleared = dict.fromkeys((*names, "strength", "stamina"))
        empty: dict[str, Any] = {"figures": {}, "reasons": [], "effects": []}
        as_pending = {"status": Status.PENDING, "success": Success.UNDECIDED, "outcome": ""}
        actor, waits = actor_in_words(table, self, player), "which waits to be distributed again"
        return Effects(
            Then(strike_all),
            Cancel(CLOSES, str(proposal.serial)),
            Set(proposal, **as_pending, **cleared, **empty, secret=False),
            Then(lambda at: await_distribution(at, [proposal])),
            say=f"{actor} withdraws the decision on {proposal.label}, {waits}: {reason}",
            figures={"proposal": proposal.handle},
        )
