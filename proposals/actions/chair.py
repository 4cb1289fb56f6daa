"""Acts of the officer who keeps the proposals: the Chairman, by whatever name; they may take
votes into their own hands, and announce the results."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from django import forms

from nomic.engine.actions import Action, Guide, Inputs, action, is_dignity
from nomic.engine.effects import Effects, Set, Tell, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import Correction, is_so
from nomic.governance.deputies import OwedAction
from nomic.governance.desks import OFFICER, Duty, KeeperField
from nomic.governance.hosting.moving_in import Brings
from nomic.governance.models import Motion
from nomic.governance.offices import OfficeField
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.rulebook.tables import TableBroken
from proposals.actions.fields import CorrectedWordField, ProposalField
from proposals.actions.players import ProposalAction
from proposals.actions.switches import Strength, set_strength
from proposals.events import opening
from proposals.events.clock import turn_the_clock
from proposals.events.closing import announce, leave_to_the_system, move_the_queue, prepare
from proposals.models import Proposal, Status, Strike, Success, Vote
from proposals.rules import EDITIONS
from proposals.rules.words import plain_vote
from proposals.state.offices import (
    CHAIRMAN,
    CLOCK,
    COUNTING,
    DISTRIBUTION,
    DUTIES,
    GIVEN,
    NUMBERS,
    officer_of,
    officers_of,
)
from proposals.state.reading import BY_HAND, MAIN, drop_state, state_of
from proposals.state.retally import (
    basis_with,
    count_again,
    prepared_result,
    retally,
    together_with,
)
from proposals.state.voters import vote_refusal
from proposals.state.workload import unnumbered

_ON, _OFF = "on", "off"
_MOST = 999_999_999  # nine digits, which `read_handle` reads
_MOST_OFFERED = 400
_THE_SAME = ", every result stays what it was."


class ChairAction(ProposalAction):
    """An act of the office that keeps the proposals, named as the game's edition names it; or to
    which the game has given that `duty`."""

    office = CHAIRMAN
    duty: ClassVar[str]

    def is_of(self, offices: Collection[str], game: Game) -> bool:
        return officer_of(game, self.duty) in offices

    def office_in(self, table: Table) -> str:
        return officer_of(table.game, self.duty)


def actor_in_words(table: Table, action: Action, player: Player | None) -> str:
    """Who acts, for the announcement: the officer by name, or the operator in their place."""
    return player.name if player else f"The operator, for {action.officer(table)},"


class OwedToAProposal(OwedAction):
    """An act by which the office that keeps the proposals does a duty that is about one of them."""

    duty: ClassVar[str]
    about_too: ClassVar[tuple[str, ...]] = ()  # other inputs that say which duty it is

    def owed_by(self, table: Table, inputs: Inputs) -> str:
        return officer_of(table.game, self.duty) if inputs.get("proposal") else ""

    def does(self, table: Table, inputs: Inputs, duty: Duty) -> bool:
        proposal = state_of(table).named_in(inputs)
        is_it = proposal is not None and proposal.handle == duty.inputs["proposal"]
        return is_it and all(inputs.get(name) == duty.inputs[name] for name in self.about_too)


class OwedCorrection(OwedToAProposal, Correction):
    """One that waits for objections where a correction does, whoever does it."""

    def is_keeper(self, table: Table, player: Player, inputs: Inputs) -> bool:
        return super().is_keeper(table, player, inputs) or self.deputises(table, player, inputs)


@action
class AssignNumber(OwedToAProposal, ChairAction):
    """Give a proposal its Proposal Number, greater than every number used before."""

    name = "proposals.assign_number"
    duty = NUMBERS
    title = "Assign a proposal's number"
    sentence = "Give {proposal} the number {number}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: list(unnumbered(state.game)))
        number = WholeNumber(1, _MOST)

        def begin(self, table: Table) -> None:
            if not self.is_bound:
                self.initial.setdefault("number", opening.last_number(table) + 1)

    def judge(self, table: Table, player: Player | None, proposal: Any, number: Any) -> Verdict:
        if proposal and proposal.number is not None:
            return Refusal("numbered", f"{proposal.label} has its number, and keeps it.", MAIN)
        if proposal is None and not state_of(table).counts["unnumbered"]:
            return Refusal("none_unnumbered", "Every proposal has a number.", MAIN)
        last = opening.last_number(table)
        if number is not None and number <= last:
            sentence = f"Numbers up to {last} are used or passed over: give a greater one."
            return Refusal("number_used", sentence, MAIN)
        actor = actor_in_words(table, self, player)
        return proposal and Effects(
            Set(proposal, number=number),
            say=f"{actor} gives {proposal.label} the number {number}.",
            figures={"proposal": number, "id": f"p{proposal.serial}"},
        )


@action
class Distribute(OwedToAProposal, ChairAction):
    """Bring a Pending proposal to the vote now."""

    name = "proposals.distribute"
    duty = DISTRIBUTION
    title = "Distribute a proposal"
    sentence = "Distribute {proposal}"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: state.undecided_in(Status.PENDING))

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(state_of(table).edition.period != "nweek")

    def judge(self, table: Table, player: Player | None, proposal: Proposal | None) -> Verdict:
        if proposal is None:
            is_pending = state_of(table).counts["pending"]
            return None if is_pending else Refusal("none_pending", "No proposal is Pending.", MAIN)
        if proposal.status != Status.PENDING:
            sentence = f"{proposal.label} is {proposal.status}: only a Pending one is distributed."
            return Refusal("not_pending", sentence, MAIN)

        def bring(at: Table) -> Outcome:
            opened = opening.open_by_itself(at, proposal)
            announcement = f"{actor_in_words(at, self, player)} distributes {proposal}. {opened}"
            return Outcome(announcement, {"proposal": proposal.handle})

        return Effects(Then(bring))


@action
class TurnTheClock(ChairAction):
    """Turn B Nomic's Clock on or off."""

    name = "proposals.turn_clock"
    duty = CLOCK
    title = "Turn the Clock on or off"
    sentence = "Turn the Clock {to}"
    button = "Turn it"

    class Form(ActionForm):
        to = TextChoice(_ON, _OFF, label="On or off")

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(state_of(table).edition.period == "nweek")

    def judge(self, table: Table, player: Player | None, to: str | None) -> Verdict:
        clock, on = state_of(table).clock, to == _ON
        if clock is None:
            return Refusal("no_clock", "The Clock has not been started yet.", MAIN)
        if to is not None and on == clock.is_on:
            return Refusal("turned_already", f"The Clock is {to} already.", MAIN)
        return Effects(
            Then(lambda at: turn_the_clock(at, on=on)),
            say=f"{actor_in_words(table, self, player)} turns the Clock {to}.",
            figures={"on": on},
        )


@action
class KeepByHand(ChairAction):
    """Say which duties the officer keeps by hand, and which the system does at once."""

    name = "proposals.keep_by_hand"
    duty = ""
    title = "Keep a duty by hand, or leave it to the system"
    sentence = "From now on {keeper} keeps the {duty}"
    button = "Decide"

    def is_of(self, offices: Collection[str], game: Game) -> bool:
        """Whose each duty is, the chosen one tells."""
        return not officers_of(game).isdisjoint(offices)

    class Form(ActionForm):
        keeper = KeeperField()
        duty = TextChoice(NUMBERS, DISTRIBUTION, CLOCK, COUNTING, label="Duty")

    def judge(self, table: Table, player: Player | None, keeper: Any, duty: Any) -> Verdict:
        state, by_hand = state_of(table), keeper == OFFICER
        if duty == CLOCK and state.edition.period != "nweek":
            return Refusal("no_clock", "This game's edition has no Clock.", MAIN)
        if duty == DISTRIBUTION and state.edition.period == "nweek":
            sentence = "Proposals of an nweek open together; nobody distributes them."
            return Refusal("no_distribution", sentence, MAIN)
        if not (duty and keeper):
            return None
        officer = state.officer(duty)
        if player and officer not in table.directory.held_by(player):
            return Refusal("not_the_officer", f"The {officer} decides that.", MAIN)
        if by_hand and state.is_left_to_the_system(duty):
            sentence = f"Nobody is the {officer}: the system keeps what it can until somebody is."
            return Refusal("vacant", sentence, MAIN)
        if state.by_hand(duty) == by_hand:
            return Refusal("kept_so", f"{keeper} keeps it already.".capitalize(), MAIN)
        game = table.game
        duties = {*game.setting(BY_HAND, [])} - {duty} | ({duty} if by_hand else set())
        return Effects(
            Set(game, settings={**game.settings, BY_HAND: sorted(duties)}),
            Then(lambda at: _hand_over(at, duty, by_hand=by_hand)),
            say=f"{actor_in_words(table, self, player)} decides that {keeper} keeps the {duty}.",
        )


def follow_the_officer(table: Table) -> None:
    """Let each duty be kept as it is from now on: somebody has come to the office, or left it.

    A Clock that nobody could turn on goes on by itself. Raises TableBroken.
    """
    state = state_of(table)
    for duty in table.game.setting(BY_HAND, []):
        _hand_over(table, duty, by_hand=state.by_hand(duty))
    for duty in (CLOCK, COUNTING):
        if state.is_left_to_the_system(duty):
            _hand_over(table, duty, by_hand=False)


def _hand_over(table: Table, duty: str, *, by_hand: bool) -> str:
    """Let what waits be done at once, or wait for the officer; returns what to say of it."""
    state = state_of(table)
    pending = state.undecided_in(Status.PENDING)
    if duty == DISTRIBUTION and by_hand:
        for proposal in pending:
            table.appointments.cancel(opening.DISTRIBUTED, str(proposal.serial))
        opening.await_distribution(table, pending)
    elif duty == DISTRIBUTION:
        table.appointments.cancel_all(opening.WAITS)
        for proposal in pending:
            opening.appoint_next(table, proposal)
    elif duty == NUMBERS and not by_hand:
        waiting = list(unnumbered(state.game))
        opening.assign_numbers(table, waiting)
        numbers = ", ".join(f"p{proposal.serial} is {proposal.label}" for proposal in waiting)
        return f"Numbered: {numbers}." if numbers else ""
    elif duty == CLOCK and not by_hand and state.clock and not state.clock.is_on:
        turn_the_clock(table, on=True)
        return "The Clock goes on."
    elif duty == COUNTING and not by_hand:
        leave_to_the_system(table)
    return ""


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
        sentences = " ".join(recount.sentence for recount in changed)
        figures = {"recount": [recount.facts() for recount in changed]}
        return Outcome(f"Counted again{f': {sentences}' if sentences else _THE_SAME}", figures)
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


ANNOUNCE = "proposals.announce"


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


@action
class BringDuty(Brings):
    """Let an office of this game do a part of what its voting law leaves to one officer, as that
    office did before: a Promotor distributes, an Assessor counts, a Rulekeepor keeps the rules."""

    name = "proposals.bring_duty"
    title = "Bring what an office does from before"
    sentence = "As before, let the {office} do this: {duty}"
    button = "Enter"

    class Form(ActionForm):
        office = OfficeField()
        duty = TextChoice(*DUTIES, label="What it does")

        def begin(self, table: Table) -> None:
            choices = [("", ""), *((duty, f"{duty}: {does}") for duty, does in DUTIES.items())]
            self.fields["duty"].widget = forms.Select(choices=choices)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(
            table.game.edition and table.rules.in_force(MAIN)
        )

    def judge(self, table: Table, player: Player | None, office: Any, duty: Any) -> Verdict:
        if not (office and duty):
            return None
        if is_dignity(office):
            return Refusal("no_office", f"The {office} keeps nothing here. Name another office.")
        if officer_of(table.game, duty) == office:
            return Refusal("is_so", f"That is the {office}’s already.")
        game, given = table.game, table.game.setting(GIVEN, {})
        return Effects(
            Set(game, settings={**game.settings, GIVEN: {**given, duty: office}}),
            Then(_follow_offices),
            say=f"The {office} {DUTIES[duty]}. That was brought from before this game.",
        )


def _follow_offices(table: Table) -> None:
    drop_state(table)
    with suppress(TableBroken):  # what waits goes on waiting until the tables are mended
        follow_the_officer(table)
