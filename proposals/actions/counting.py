"""Acts of the officer who counts the votes: strengths, votes that are struck or corrected, and the
results that are announced by hand."""

from collections.abc import Mapping
from typing import Any

from django import forms

from nomic.engine.actions import Guide, Inputs, action
from nomic.engine.effects import Effects, Set, Tell, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import Correction, is_so
from nomic.governance.desks import OFFICER, KeeperField
from nomic.governance.models import Motion
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from proposals.actions.chair import ChairAction, OwedCorrection, actor_in_words
from proposals.actions.fields import CorrectedWordField, ProposalField
from proposals.actions.switches import Strength, set_strength
from proposals.events import opening
from proposals.events.closing import announce, leave_to_the_system, move_the_queue, prepare
from proposals.models import Proposal, Status, Strike, Success, Vote
from proposals.rules import EDITIONS
from proposals.rules.words import plain_vote
from proposals.state.offices import COUNTING, officer_of
from proposals.state.reading import MAIN, drop_state, state_of
from proposals.state.retally import (
    basis_with,
    count_again,
    prepared_result,
    retally,
    together_with,
)
from proposals.state.voters import vote_refusal

ANNOUNCE = "proposals.announce"
_MOST_OFFERED = 400


@action
class SetStrength(Correction, ChairAction):
    """Set a player's voting strength."""

    name = "proposals.set_strength"
    duty = COUNTING
    title = "Set a voting strength"
    sentence = "Set the voting strength of {who} to {strength}, because {reason}"

    class Form(ActionForm):
        who = PlayerField(label="Player")
        strength = WholeNumber(0, 1_000)
        reason = Text(longest=300)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(state_of(table).edition.weighs)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        strongest, strength = state_of(table).terms.most_strength, data.get("strength", 0)
        if strength > strongest:
            return Refusal("too_strong", f"A voting strength is {strongest} at most.", MAIN)
        voter, reason = data.get("who"), data.get("reason")
        if "strength" in data and voter and Strength().value(table, voter) == str(strength):
            return is_so(self, f"the voting strength of {voter}", str(strength))
        sets = f"{actor_in_words(table, self, player)} sets the voting strength of {voter}"
        return Effects(
            Then(lambda at: set_strength(at, data["who"], strength)),
            say=f"{sets} to {strength}: {reason}",
        )


class _VoterField(Text):
    """Who voted, by name; a form may offer those whose vote stands."""

    names_players = True


@action
class StrikeVote(Correction, ChairAction):
    """Strike a vote as illegal: the one that the player cast before it counts, if there is one."""

    name = "proposals.strike_vote"
    duty = COUNTING
    title = "Strike a vote"
    sentence = "Strike the vote of {voter} on {proposal}, because {reason}"
    button = "Strike it"

    class Form(ActionForm):
        proposal = ProposalField(
            lambda state, player: list(state.proposals().exclude(status=Status.PENDING)[:60])
        )
        voter = _VoterField(longest=60, label="Player")
        reason = Text(longest=300)

        def begin(self, table: Table) -> None:
            proposal = state_of(table).named_in(self.data or self.initial)
            if proposal is None or proposal.votes_are_sealed:
                return
            # Those whose vote on that proposal stands and may be seen, by name.
            votes = proposal.votes.filter(strike__isnull=True).order_by("player__name")
            names = votes.values_list("player__name", flat=True).distinct()
            voters = list(names[:_MOST_OFFERED])
            if voters:
                choices = [("", ""), *((name, name) for name in voters)]
                self.fields["voter"].widget = forms.Select(choices=choices)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        proposal: Proposal | None = data.get("proposal")
        if proposal is None:
            return None
        if refusal := _not_corrected(proposal):
            return refusal
        if "voter" not in data:
            return None
        voter, reason = data["voter"], data.get("reason", "")
        vote = proposal.votes.last_of(voter)
        if vote is None:
            sentence = f"No vote of “{voter[:60]}” on {proposal.label} stands."
            return Refusal("no_vote", sentence, MAIN)
        strikes = f"{actor_in_words(table, self, player)} strikes the vote {vote.word} of {voter}"
        return Effects(
            Set(Strike, vote=vote, reason=reason),
            Then(lambda at: _recount(at, proposal)),
            say=f"{strikes} on {proposal.label}: {reason.rstrip('.')}.",
            figures={"proposal": proposal.handle},
        )

    def lapse(self, table: Table, motion: Motion) -> str:
        return _other_vote(table, motion) or super().lapse(table, motion)


def _not_corrected(proposal: Proposal) -> Refusal | None:
    """Why nobody corrects the votes on that proposal."""
    if proposal.votes_are_sealed:
        sentence = f"Nobody may see yet who voted what on {proposal.label}: wait for the close."
        return Refusal("votes_sealed", sentence, MAIN)
    if proposal.closed_in and proposal.strength is None:
        sentence = f"The votes on {proposal.label} were never counted: it was withdrawn."
        return Refusal("not_counted", sentence, MAIN)
    return None


def _other_vote(table: Table, motion: Motion) -> str:
    """That another vote of the voter stands than when the motion was made; "" if it is the same."""
    proposal = state_of(table).find(motion.inputs["proposal"])
    voter = motion.inputs["voter"]
    # The vote that stood when it was announced; none that is sealed came after that, since those on
    # a proposal whose votes are sealed are corrected after its close.
    votes = Vote.objects.filter(proposal=proposal, player__name=voter)
    votes = votes.exclude(entry__gt=motion.entry).exclude(strike__entry__lt=motion.entry)
    if proposal and proposal.votes.last_of(voter) != votes.order_by("-pk").first():
        return f"The vote of {voter} that this is about does not stand any more."
    return ""


@action
class CorrectVote(Correction, ChairAction):
    """Set a player's vote on a proposal, as they cast it in another place, or as it stood before it
    was struck. A vote that stands is not counted any more, and stays to be seen."""

    name = "proposals.correct_vote"
    duty = COUNTING
    title = "Correct a vote"
    sentence = "Let the vote of {voter} on {proposal} be {word}, because {reason}"
    button = "Correct"

    class Form(ActionForm):
        proposal = ProposalField(
            lambda state, player: list(state.proposals().exclude(status=Status.PENDING)[:60])
        )
        voter = PlayerField(label="Player")
        word = CorrectedWordField(label="Vote")
        reason = Text(longest=300)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        proposal: Proposal | None = data.get("proposal")
        if proposal is None:
            return None
        if proposal.status == Status.PENDING:
            return Refusal("not_open", f"{proposal.label} is not voted on yet.", MAIN)
        if refusal := _not_corrected(proposal):
            return refusal
        if not {"voter", "word"} <= data.keys():
            return None
        voter, word = table.seat(data["voter"]), plain_vote(data["word"])
        if refusal := vote_refusal(state_of(table), word, voter.name, proposal):
            return refusal
        vote = proposal.votes.last_of(voter.name)
        before, subject = vote.word if vote else "none", f"the vote of {voter} on {proposal.label}"
        if word == before:
            return is_so(self, subject, word)
        actor, reason = actor_in_words(table, self, player), data.get("reason", "")
        return Effects(
            Set(Vote, proposal=proposal, player=voter, word=word, at=table.now, entry=table.seq),
            Tell({"vote": [proposal.serial, voter.name, word]}),
            Then(lambda at: _recount(at, proposal)),
            say=f"{actor} corrects {subject} from {before} to {word}: {reason.rstrip('.')}.",
            figures={"proposal": proposal.handle},
        )

    def lapse(self, table: Table, motion: Motion) -> str:
        return _other_vote(table, motion) or super().lapse(table, motion)


def _recount(table: Table, proposal: Proposal) -> Outcome | str:
    """Do what follows of another vote. What waits for the announcement is counted anew;
    what a queue would not have decided is voted on again."""
    if not proposal.awaits_since:
        if proposal.status != Status.HISTORICAL:
            return move_the_queue(table)
        changed = retally(table, proposal)
        figures = {"recount": [recount.facts() for recount in changed]}
        if not changed:
            return Outcome("Counted again, every result stays what it was.", figures)
        sentences = " ".join(recount.sentence for recount in changed)
        return Outcome(f"Counted again: {sentences}", figures)
    basis = proposal.prepared["basis"]
    results = []
    for counterpart, result in count_again(table, proposal, basis):
        if counterpart.awaits_since is None:
            continue
        results.append(f"{counterpart.label}: {result.outcome}.")
        if result.passed is None:
            counterpart.awaits_since = None
            opening.appoint_next(table, counterpart)
        prepare(counterpart, result, basis_with(together_with(basis), f"p{counterpart.serial}"))
    drop_state(table)
    return f"Counted again: {' '.join(results)}"


@action
class CountByHand(ChairAction):
    """Say who announces what the votes on one proposal come to."""

    name = "proposals.count_by_hand"
    duty = COUNTING
    title = "Count the votes on a proposal by hand, or leave them to the system"
    sentence = "From now on {keeper} counts the votes on {proposal}"
    button = "Decide"

    class Form(ActionForm):
        keeper = KeeperField()
        proposal = ProposalField(lambda state, player: state.undecided)

    def judge(self, table: Table, player: Player | None, keeper: Any, proposal: Any) -> Verdict:
        state, by_hand = state_of(table), keeper == OFFICER
        officer = state.officer(COUNTING)
        if state.by_hand(COUNTING):
            sentence = (
                f"The {officer} counts all votes: give the counting back to the system first."
            )
            return Refusal("counts_all", sentence, MAIN)
        if proposal is None and not state.undecided:
            return Refusal("none_undecided", "No proposal is Pending or Open.", MAIN)
        if proposal and proposal.status == Status.HISTORICAL:
            return Refusal("decided", f"{proposal.label} is decided already.", MAIN)
        if by_hand and state.is_left_to_the_system(COUNTING):
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
            say=f"{actor_in_words(table, self, player)} decides that {counts}.",
            figures={"proposal": proposal.handle},
        )


class OutcomeField(TextChoice):
    """The outcome of a vote, in the words of the game's edition."""

    noun = "outcome"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return EDITIONS[table.game.edition].verdicts if table.game.edition else []


@action
class AnnounceResult(OwedCorrection, ChairAction):
    """Announce the result of a vote that was counted by hand.

    Another one than the system has counted needs a reason and waits for objections, as corrections
    do.
    """

    name = ANNOUNCE
    duty = COUNTING
    title = "Announce the result of a vote"
    sentence = "Announce that {proposal} is {outcome}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: state.awaiting)
        outcome = OutcomeField()
        reason = Text(
            longest=300, required=False, label="Reason, if it is another than was counted"
        )

        def begin(self, table: Table) -> None:
            proposal = _awaiting_announcement(table, self.initial)
            if proposal is not None:
                self.initial.setdefault("outcome", prepared_result(proposal).outcome)

    def guide(self, table: Table, data: Inputs) -> Guide | None:
        proposal = _awaiting_announcement(table, data)
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
        outcome, reason = data["outcome"], data.get("reason")
        edition, counted = state_of(table).edition, prepared_result(proposal)
        otherwise: dict[str, Any] = {}
        if outcome != counted.outcome:
            if reason == "":
                sentence = (
                    f"The system has counted {counted.outcome}: announce that, or give a reason."
                )
                return Refusal("no_reason", sentence, MAIN)
            overruling = f"{outcome}, as the {officer_of(table.game, COUNTING)} announces: {reason}"
            overruled = f"The system had counted: {counted.outcome}."
            otherwise = {
                "outcome": outcome,
                "passed": edition.success[outcome] == Success.WON,
                "reasons": (overruling, overruled, *counted.reasons),
            }
        return Effects(
            Then(lambda at: announce(at, [proposal], **otherwise)),
            say=f"{actor_in_words(table, self, player)} announces the result.",
        )

    def terms(self, table: Table, player: Player | None, data: Inputs) -> MotionTerms | None:
        terms = super().terms(table, player, data)
        proposal = _awaiting_announcement(table, data)
        counted = prepared_result(proposal).outcome if proposal else None
        is_counted = proposal is not None and data.get("outcome", counted) == counted
        return None if is_counted and terms is not BY_SUPPORT else terms

    def lapse(self, table: Table, motion: Motion) -> str:
        proposal = _awaiting_announcement(table, motion.inputs)
        return super().lapse(table, motion) if proposal else "The result is announced already."


def _awaiting_announcement(table: Table, data: Mapping[str, Any]) -> Proposal | None:
    """The proposal that the inputs name, if its result waits to be announced."""
    proposal = state_of(table).named_in(data)
    return proposal if proposal and proposal.awaits_since else None
