"""Proposals and the votes on them, and which duties about them the Contestmaster keeps by hand
(Regulations 107 to 112).
"""

from typing import Any

from aceofspades.actions.drafts import cannot_be_hidden, cannot_be_played, tidy
from aceofspades.actions.fields import HIGHEST_NUMBER, LONGEST_REGULATION, NumberField
from aceofspades.actions.members import (
    ContestAction,
    ContestantAction,
    ContestmasterAction,
    no_contestant,
)
from aceofspades.events.decisions import (
    ANNOUNCE,
    PUT_UP,
    announce,
    decide_ripe_proposals,
    figures_of,
    put_up,
    release_waiting_proposals,
)
from aceofspades.models import Contestant, Proposal, Vote
from aceofspades.rules import contest
from aceofspades.state.reading import BY_HAND, CONTESTMASTER, State, state_of
from nomic.engine.actions import Inputs, PrivateAction, TwoSidedAction, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import DRAFTS, DRAFTS_OF_PLAYER
from nomic.games.models import Player
from nomic.games.powers import no_voter_yet
from nomic.games.refusal import Refusal
from nomic.governance.desks import OFFICER, KeeperField, keeping_refusal
from nomic.governance.motions import next_number

R106, R107, R108 = "Regulation 106", "Regulation 107", "Regulation 108"
R109, R110, R112 = "Regulation 109", "Regulation 110", "Regulation 112"
PUBLIC, PRIVATE, SECRET = "public", "private", "secret"


@action
class Propose(ContestAction, TwoSidedAction):
    """Propose a mutable regulation; it replaces the one of its number, if there is one.

    An immutable regulation is proposed with its own number: that amends it, if everybody agrees.
    A contestant's may be private, the Contestmaster's secret.
    """

    name = "aceofspades.propose"
    title = "Propose a regulation"
    sentence = "Propose Regulation {number} for the contest, which is {visibility}: {text}"
    page = "aceofspades_propose"
    rule = R107

    class Form(ActionForm):
        number = WholeNumber(1, HIGHEST_NUMBER, label="Its number")
        visibility = TextChoice(PUBLIC, PRIVATE, SECRET, label="Who may read it", initial=PUBLIC)
        text = Text(lines=True, longest=LONGEST_REGULATION, label="Its text")

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset() if data.get("visibility") == PUBLIC else frozenset({"text"})

    def is_an_offices(self, data: Inputs) -> bool:
        return data.get("visibility") == SECRET

    def judge(
        self, state: State, player: Player, number: Any, visibility: Any, text: Any
    ) -> Verdict:
        is_master = state.is_contestmaster(player)
        if not is_master and state.contestant(player) is None:
            return no_contestant(state, player)
        in_force = [regulation.number for regulation in state.regulations]
        if visibility == SECRET and not is_master:
            sentence = "Only the Contestmaster proposes secret regulations; yours can be private."
            return Refusal("not_the_officer", sentence, R107)
        if visibility == PRIVATE and is_master:
            sentence = (
                "The Contestmaster proposes regulations that are public or secret, not private."
            )
            return Refusal("not_private", sentence, R107)
        refusal = contest.number_refusal(number, state.charts, in_force) if number else None
        if refusal:
            return refusal
        is_hidden = visibility not in (None, PUBLIC)
        if is_hidden and number is not None and contest.needs_consent_of_all(number, state.charts):
            sentence = (
                f"Regulation {number} is immutable: what amends it is public, as it is itself."
            )
            return Refusal("immutable_is_public", sentence, R106)
        if number and text:
            if visibility:
                refusal = cannot_be_hidden(state.table, number, text, visibility)
            refusal = refusal or cannot_be_played(state.table, number, text)
        game, waiting = state.table.game, [draft for draft in state.proposals if not draft.verdict]
        of_player = sum(draft.by_id == player.pk for draft in waiting)
        refusal = refusal or DRAFTS_OF_PLAYER.refusal(game, of_player + 1, R107)
        refusal = refusal or DRAFTS.refusal(game, len(waiting) + 1, R107)
        return refusal or Effects(
            Then(lambda table: _propose(table, player, number, visibility, text))
        )


def _propose(table: Table, player: Player, number: int, visibility: str, text: str) -> Outcome:
    state = state_of(table)
    proposal = Proposal(
        contest=state.contest,
        number=next_number(state.contest.proposals.all()),
        regulation_number=number,
        text=tidy(text),
        visibility=visibility,
        by=player,
        entry=table.seq,
    )
    keeps_it = state.by_hand(PUT_UP)
    if keeps_it:
        proposal.save()
    else:
        put_up(table, proposal)
    kind = "" if visibility == PUBLIC else f"the {visibility} "
    next_step = "The Contestmaster may put it up for vote." if keeps_it else "It is up for vote."
    return Outcome(
        f"{player} proposes {kind}Regulation {number}: {proposal}. {next_step}",
        figures_of(proposal, visibility=visibility, up_for_vote=not keeps_it),
    )


@action
class PutUpForVote(ContestmasterAction):
    """Put a proposal that you have received up for vote."""

    name = "aceofspades.put_up_for_vote"
    title = "Put a proposal up for vote"
    sentence = "Put Proposal {proposal} of the contest up for vote"
    button = "Put it up for vote"
    rule = R108

    class Form(ActionForm):
        proposal = NumberField(lambda state: _received(state))

    def judge(self, state: State, player: Player | None, proposal: int | None) -> Verdict:
        _ = state.charts.decided_after
        nothing = Refusal("nothing_waits", "No proposal waits to be put up for vote.", R108)
        chosen = _chosen(state, proposal, _received(state), nothing)
        if not isinstance(chosen, Proposal):
            return chosen
        if chosen.verdict:
            return Refusal("decided", f"{chosen} is decided already.", R108)
        if chosen.up_in is not None:
            return Refusal("is_up", f"{chosen} is up for vote already.", R108)
        return Effects(Then(lambda table: put_up(table, chosen)))


@action
class CastVote(ContestantAction, PrivateAction):
    """Costs nothing. You vote once, in secret, and cannot take it back."""

    name = "aceofspades.vote"
    title = "Vote in the contest"
    sentence = "Vote {vote} on Proposal {proposal} of the contest"
    confirm = "A vote is never taken back. Vote so?"
    rule = R109
    one_rule = True

    class Form(ActionForm):
        proposal = NumberField(lambda state, voter: _ahead(state, voter), of_contestant=True)
        vote = TextChoice(*Vote.Choice.values)

    def question(self, table: Table, player: Player, data: Inputs) -> str:
        if not {"proposal", "vote"} <= data.keys():
            return self.confirm
        return f"Vote {data['vote']} on Proposal {data['proposal']}? A vote is never taken back."

    def judge(
        self, state: State, contestant: Contestant, proposal: int | None, vote: str
    ) -> Verdict:
        if not state.may_vote(contestant):
            return no_voter_yet(state.table.game)
        _ = state.charts.decided_after
        nothing = Refusal("nothing_up", "No proposal of the contest is up for vote.", R109)
        if state.up_for_vote:
            sentence = "You have voted on all that is up for vote. A vote stands."
            nothing = Refusal("has_voted", sentence, R109)
        choices = _ahead(state, contestant) if proposal is None else []
        chosen = _chosen(state, proposal, choices, nothing)
        if not isinstance(chosen, Proposal):
            return chosen
        if chosen.verdict:
            return Refusal("decided", f"{chosen} is decided: it was {chosen.verdict}.", R110)
        if not chosen.is_up:
            sentence = f"{chosen} is not up for vote yet. The Contestmaster puts it up."
            return Refusal("not_up", sentence, R108)
        if Vote.objects.filter(proposal=chosen, contestant=contestant).exists():
            sentence = f"You have voted on {chosen}. A vote stands, and cannot be changed."
            return Refusal("has_voted", sentence, R109)

        def cast(table: Table) -> None:
            Vote.objects.create(proposal=chosen, contestant=contestant, way=vote)
            decide_ripe_proposals(table)

        return Effects(Then(cast), say=f"{contestant} votes {vote} on {chosen}.")


@action
class AnnounceAdoption(ContestmasterAction):
    """Announce that a proposal was adopted: its regulation takes effect."""

    name = "aceofspades.announce"
    title = "Announce an adoption"
    sentence = "Announce that Proposal {proposal} of the contest is adopted"
    rule = R112

    class Form(ActionForm):
        proposal = NumberField(lambda state: _adopted(state))

    def judge(self, state: State, player: Player | None, proposal: int | None) -> Verdict:
        nothing = Refusal("nothing_waits", "No adopted proposal waits to be announced.", R112)
        chosen = _chosen(state, proposal, _adopted(state), nothing)
        if not isinstance(chosen, Proposal):
            return chosen
        if chosen.effective_in is not None:
            return Refusal("announced", f"{chosen} was announced already.", R112)
        if not chosen.waits_for_effect:
            state_of_it = "has failed" if chosen.verdict else "is not decided yet"
            return Refusal("not_adopted", f"{chosen} {state_of_it}, and is not announced.", R112)
        return Effects(
            Then(lambda table: announce(table, chosen)),
            say=f"{chosen} is adopted.",
            figures=figures_of(chosen),
        )


def _received(state: State) -> list[Proposal]:
    return [proposal for proposal in state.proposals if proposal.up_in is None]


def _ahead(state: State, contestant: Contestant) -> list[Proposal]:
    """What is up for vote, and they have not voted on."""
    up = state.up_for_vote
    votes = Vote.objects.filter(proposal__in=up, contestant=contestant)
    voted_on = set(votes.values_list("proposal", flat=True)) if up else set()
    return [proposal for proposal in up if proposal.pk not in voted_on]


def _adopted(state: State) -> list[Proposal]:
    return [proposal for proposal in state.proposals if proposal.waits_for_effect]


def _chosen(
    state: State, number: int | None, choices: list[Proposal], nothing: Refusal
) -> Proposal | Refusal | None:
    """The proposal that is named; the refusal where there is no such, or, while none is named,
    `nothing` where there is not one to be named."""
    if number is None:
        return None if choices else nothing
    missing = Refusal("no_proposal", f"The contest has no Proposal {number}.", nothing.rule)
    return state.proposal(number) or missing


R108 = "Regulation 108"
_DUTIES = {"putting up for vote": PUT_UP, "announcing": ANNOUNCE}


@action
class KeepByHand(ContestmasterAction):
    """Say which duties the Contestmaster keeps by hand, and which the system does at once."""

    name = "aceofspades.keep_by_hand"
    title = "Keep a duty of the contest by hand, or leave it to the system"
    sentence = "From now on {keeper} keeps the {duty}"
    button = "Decide"
    rule = R108

    class Form(ActionForm):
        keeper = KeeperField()
        duty = TextChoice(*_DUTIES, label="Duty")

    def judge(self, state: State, player: Player | None, keeper: Any, duty: Any) -> Verdict:
        if duty is None:
            return None
        game, chosen = state.table.game, {_DUTIES[duty]}
        duties = {*game.setting(BY_HAND, [])} - chosen | (chosen if keeper == OFFICER else set())
        officer = player.name if player else "The operator, for the Contestmaster,"
        is_now = state.by_hand(*chosen)
        return keeping_refusal(state.table, CONTESTMASTER, keeper, R108, by_hand=is_now) or Effects(
            Set(game, settings={**game.settings, BY_HAND: sorted(duties)}),
            Then(release_waiting_proposals),
            say=f"{officer} decides that {keeper} keeps the {duty}.",
        )
