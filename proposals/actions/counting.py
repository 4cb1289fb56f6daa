"""Counting by hand: the officer takes votes into their own hands, and announces the results."""

from collections.abc import Mapping
from typing import Any

from nomic.engine.actions import Guide, Inputs, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.corrections import Correction
from nomic.standard.desks import OFFICER, KeeperField
from nomic.standard.models import Motion
from nomic.standard.rules import BY_SUPPORT, Terms
from proposals.actions.chair import ChairAction, who
from proposals.actions.fields import ProposalField
from proposals.events.closing import announce
from proposals.events.counting import leave_to_the_system
from proposals.models import Proposal, Status, Success
from proposals.rules import EDITIONS
from proposals.state.reading import COUNTING, MAIN, state_of
from proposals.state.retally import prepared_result

ANNOUNCE = "proposals.announce"


@action
class CountByHand(ChairAction):
    """Say who announces what the votes on one proposal come to."""

    name = "proposals.count_by_hand"
    title = "Count the votes on a proposal by hand, or leave them to the system"
    sentence = "From now on {keeper} counts the votes on {proposal}"
    button = "Decide"

    class Form(ActionForm):
        keeper = KeeperField()
        proposal = ProposalField(lambda state, player: state.undecided)

    def judge(self, table: Table, player: Player | None, keeper: Any, proposal: Any) -> Verdict:
        state, by_hand = state_of(table), keeper == OFFICER
        officer = state.edition.officer
        if state.by_hand(COUNTING):
            sentence = (
                f"The {officer} counts all votes: give the counting back to the system first."
            )
            return Refusal("counts_all", sentence, MAIN)
        if proposal is None and not state.undecided:
            return Refusal("none_undecided", "No proposal is Pending or Open.", MAIN)
        if proposal and proposal.status == Status.HISTORICAL:
            return Refusal("decided", f"{proposal.label} is decided already.", MAIN)
        if by_hand and state.is_left_to_the_system:
            sentence = f"Nobody is the {officer}: the system counts until somebody is."
            return Refusal("vacant", sentence, MAIN)
        if proposal is None or keeper is None:
            return None
        if proposal.by_hand == by_hand:
            return Refusal("kept_so", f"{keeper} counts it already.".capitalize(), MAIN)
        counts = f"{keeper} counts the votes on {proposal}"
        return Effects(
            Set(proposal, by_hand=by_hand),
            Then(leave_to_the_system),
            say=f"{who(table, self, player)} decides that {counts}.",
            figures={"proposal": proposal.handle},
        )


class OutcomeField(TextChoice):
    """The outcome of a vote, in the words of the game's edition."""

    noun = "outcome"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return EDITIONS[table.game.edition].verdicts if table.game.edition else []


@action
class Announce(ChairAction, Correction):
    """Announce the result of a vote that was counted by hand.

    Another one than the system has counted needs a reason and waits for objections, as corrections
    do.
    """

    name = ANNOUNCE
    title = "Announce the result of a vote"
    sentence = "Announce that {proposal} is {outcome}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: state.awaiting)
        outcome = OutcomeField()
        reason = Text(
            longest=300, required=False, label="Reason, if it is another than was counted"
        )

        def begin(self, table: Table) -> None:
            proposal = _named(table, self.initial)
            if proposal is not None:
                self.initial.setdefault("outcome", prepared_result(proposal).outcome)

    def guide(self, table: Table, data: Inputs) -> Guide | None:
        proposal = _named(table, data)
        if proposal is None:
            return None
        result = prepared_result(proposal)
        counted = f"The system has counted: {result.outcome}. {' '.join(result.reasons)}"
        return Guide(str(proposal), counted)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        proposal: Proposal | None = data.get("proposal")
        if proposal is None and not state_of(table).awaiting:
            return Refusal("none_awaiting", "No result has to be announced now.", MAIN)
        if proposal is None:
            return None
        if proposal.awaits_since is None:
            sentence = f"The result of {proposal.label} does not wait to be announced."
            return Refusal("not_awaiting", sentence, MAIN)
        if "outcome" not in data:
            return None
        found, reason = data["outcome"], data.get("reason")
        edition, counted = state_of(table).edition, prepared_result(proposal)
        otherwise: dict[str, Any] = {}
        if found != counted.outcome:
            if reason == "":
                sentence = (
                    f"The system has counted {counted.outcome}: announce that, or give a reason."
                )
                return Refusal("no_reason", sentence, MAIN)
            own = f"{found}, as the {edition.officer} announces: {reason}"
            had = f"The system had counted: {counted.outcome}."
            otherwise = {
                "outcome": found,
                "passed": edition.success[found] == Success.WON,
                "reasons": (own, had, *counted.reasons),
            }
        return Effects(
            Then(lambda at: announce(at, [proposal], **otherwise)),
            say=f"{who(table, self, player)} announces the result.",
        )

    def terms(self, table: Table, player: Player | None, data: Inputs) -> Terms | None:
        terms = super().terms(table, player, data)
        proposal = _named(table, data)
        counted = prepared_result(proposal).outcome if proposal else None
        is_counted = proposal is not None and data.get("outcome", counted) == counted
        return None if is_counted and terms is not BY_SUPPORT else terms

    def lapse(self, table: Table, motion: Motion) -> str:
        proposal = _named(table, motion.inputs)
        return super().lapse(table, motion) if proposal else "The result is announced already."


def _named(table: Table, data: Mapping[str, Any]) -> Proposal | None:
    """The proposal that the inputs name, if its result waits to be announced."""
    proposal = state_of(table).begun(data)
    return proposal if proposal and proposal.awaits_since else None
