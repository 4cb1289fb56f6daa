"""Acts of the officer who keeps the proposals, the Chairman, by whatever name: numbers,
distribution, the Clock, and which duties are kept by hand, and by which office."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, ClassVar

from django import forms

from nomic.engine.actions import Action, Inputs, action, is_dignity
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import Correction
from nomic.governance.deputies import OwedAction
from nomic.governance.desks import OFFICER, Duty, KeeperField
from nomic.governance.hosting.moving_in import Brings
from nomic.governance.offices import OfficeField
from nomic.rulebook.tables import TableBroken
from proposals.actions.fields import ProposalField
from proposals.actions.players import ProposalAction
from proposals.events import opening
from proposals.events.clock import turn_the_clock
from proposals.events.closing import leave_to_the_system
from proposals.models import Proposal, Status
from proposals.state.offices import (
    CHAIRMAN,
    CLOCK,
    COUNTING,
    DISTRIBUTION,
    DUTIES,
    NUMBERS,
    OFFICES,
    officer_of,
    officers_of,
)
from proposals.state.reading import BY_HAND, MAIN, drop_state, state_of
from proposals.state.workload import unnumbered

_ON, _OFF = "on", "off"
_MOST = 999_999_999  # nine digits, which `read_handle` reads


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


def follow_the_officers(table: Table) -> None:
    """Let each duty be kept as it is from now on: somebody has come to an office or left it, or
    another office does the duty.

    A Clock that nobody could turn on goes on by itself.
    """
    drop_state(table)
    with suppress(TableBroken):  # what waits goes on waiting until the tables are mended
        state = state_of(table)
        for duty in table.game.setting(BY_HAND, []):
            _hand_over(table, duty, by_hand=state.by_hand(duty))
        for duty in (CLOCK, COUNTING):
            if state.is_left_to_the_system(duty):
                _hand_over(table, duty, by_hand=False)
    drop_state(table)


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
        game = table.game
        offices = {**game.setting(OFFICES, {}), duty: office}
        return Effects(
            Set(game, settings={**game.settings, OFFICES: offices}),
            Then(follow_the_officers),
            say=f"The {office} {DUTIES[duty]}. That was brought from before this game.",
        )
