"""Findings of the officer on single votes, as Agora's Assessor makes them: strengths, quorums and
indices, the meaning of votes on conditions, and decisions that are made again (Decisions)."""

from typing import Any

from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.corrections import Correction
from proposals.actions.chair import ChairAction, who
from proposals.actions.fields import ExactIndexField, LinksField, ProposalField
from proposals.actions.players import found_refusal
from proposals.events.opening import CLOSES
from proposals.models import BallotStrength, Proposal, Resolution, Status, Strike, Success, Vote
from proposals.rules.titles import DECISIONS
from proposals.rules.words import AGAINST, CONDITIONAL, FOR, PRESENT, listed, word_of
from proposals.state.reading import forget, state_of

_LONGEST_REASON = 300
_MOST_STRENGTH = 30_000
_MOST_BALLOTS = 100_000


class _OnDecisions(ChairAction, Correction):
    """A finding that the rule “Decisions” leaves to the officer."""

    rule = DECISIONS

    def applies(self, table: Table) -> bool:
        return super().applies(table) and state_of(table).has_decisions


def _undecided(table: Table, handle: Any) -> tuple[Proposal | None, Refusal | None]:
    """The proposal of that handle, or why there is none that is not decided yet."""
    proposal, refusal = found_refusal(table, handle)
    if proposal is not None and proposal.status == Status.HISTORICAL:
        sentence = f"{proposal.label} is decided: withdraw the decision first, if it failed."
        refusal = Refusal("decided", sentence, DECISIONS)
    return proposal, refusal


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

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        return _undecided(table, data.get("proposal"))[1]

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        proposal, voter = state_of(table).the(data["proposal"]), table.seat(data["who"])
        BallotStrength.objects.update_or_create(
            proposal=proposal, player=voter, defaults={"strength": data["strength"]}
        )
        forget(table)
        return Outcome(
            f"{who(table, self, player)} sets the voting strength of {voter} on {proposal.label} to"
            f" {data['strength']}: {data['reason']}",
            {"proposal": proposal.handle},
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

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        for handle in data.get("proposals") or ():
            if refusal := _undecided(table, handle)[1]:
                return refusal
        if "proposals" in data and not data["proposals"]:
            return Refusal("no_proposals", "Name the proposals that are decided so.", DECISIONS)
        if {"quorum", "index"} <= data.keys() and data["quorum"] is None and not data["index"]:
            return Refusal("no_figure", "Give a quorum, an index, or both.", DECISIONS)
        return None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        found = state_of(table).find_all(data["proposals"])
        figures: dict[str, Any] = {}
        if data["quorum"] is not None:
            figures["own_quorum"] = data["quorum"]
        if data["index"]:
            figures["own_index"] = data["index"]
        Proposal.objects.filter(pk__in=[each.pk for each in found.values()]).update(**figures)
        forget(table)
        told = [f"the quorum {data['quorum']}"] if "own_quorum" in figures else []
        told += [f"the index {data['index']}"] if "own_index" in figures else []
        labels = listed([each.label for each in found.values()])
        return Outcome(
            f"{who(table, self, player)} lets {labels} be decided by {listed(told)}:"
            f" {data['reason']}",
            {"proposals": [each.handle for each in found.values()]},
        )


def _conditional(proposal: Proposal, voter: str) -> Vote | None:
    """The voter's last vote on the proposal that was not struck, where it is on a condition."""
    standing = Vote.objects.filter(proposal=proposal, player__name=voter, strike__isnull=True)
    last = standing.order_by("-pk").first()
    return last if last and word_of(last.word) == CONDITIONAL else None


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
        proposal, refusal = _undecided(table, data.get("proposal"))
        if refusal or proposal is None or "voter" not in data:
            return refusal
        if proposal.votes_are_sealed:
            sentence = f"Nobody may see yet who voted what on {proposal.label}."
            return Refusal("votes_sealed", sentence, DECISIONS)
        voter, word, reason = data["voter"], data.get("word"), data.get("reason")
        vote = _conditional(proposal, voter)
        if vote is None:
            sentence = f"{voter} has cast no vote on a condition on {proposal.label}."
            return Refusal("not_conditional", sentence, DECISIONS)

        def resolve(at: Table) -> None:
            its = {"word": word, "reason": reason, "entry": at.seq}
            Resolution.objects.update_or_create(vote=vote, defaults=its)

        resolves = f"{who(table, self, player)} resolves the vote of {voter} on {proposal.label}"
        said, told = f"{resolves} as {word}: {reason}", {"proposal": proposal.handle}
        return Effects(Then(resolve), say=said, figures=told)


@action
class WithdrawDecision(_OnDecisions):
    """Withdraw a decision that is not made, or was made against the proposal: it is made again."""

    name = "proposals.withdraw_decision"
    title = "Withdraw a decision, to be made again"
    sentence = "Withdraw the decision on {proposal}, because {reason}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: list(state.proposals()[:60]))
        reason = Text(longest=_LONGEST_REASON)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        proposal, refusal = found_refusal(table, data.get("proposal"))
        if proposal is None:
            return refusal
        if proposal.status == Status.PENDING:
            sentence = f"{proposal.label} is not voted on: there is no decision to be withdrawn."
            return Refusal("not_open", sentence, DECISIONS)
        if proposal.passed or proposal.awaits_since or proposal.outcome == "Withdrawn":
            sentence = (
                f"{proposal.label} was adopted, waits for the announcement of its result, or was"
                " withdrawn by its author: its decision stands."
            )
            return Refusal("stands", sentence, DECISIONS)
        return None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        proposal = state_of(table).the(data["proposal"])
        if proposal.votes_are_sealed and table.game.format >= 2:
            table.open_books([proposal.book])
        standing = Vote.objects.filter(proposal=proposal, strike__isnull=True)
        reason = f"The decision was withdrawn: {data['reason']}"[:_LONGEST_REASON]
        Strike.objects.bulk_create(
            Strike(vote=vote, reason=reason, entry=table.seq) for vote in standing
        )
        table.appointments.cancel(CLOSES, str(proposal.serial))
        proposal.status, proposal.success = Status.PENDING, Success.UNDECIDED
        proposal.passed, proposal.outcome, proposal.secret = None, "", False
        proposal.opened_at = proposal.opened_in = proposal.closes_at = None
        proposal.closed_at = proposal.closed_in = None
        proposal.strength = proposal.stamina = None
        proposal.figures, proposal.reasons, proposal.effects = {}, [], []
        proposal.save()
        forget(table)
        return Outcome(
            f"{who(table, self, player)} withdraws the decision on {proposal.label}, which waits to"
            f" be distributed again: {data['reason']}",
            {"proposal": proposal.handle},
        )
