"""What the officer who keeps the proposals can do: the Chairman, by whatever name."""

from __future__ import annotations

from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.play.actions import Action, Inputs, action
from nomic.play.forms import ActionForm, Flag, PlayerField, Text, TextChoice, WholeNumber
from nomic.play.outcomes import Outcome
from nomic.play.table import Table
from nomic.record.models import Kind
from proposals.actions import ProposalAction, found_refusal
from proposals.clock import CLOCK, turn_the_clock
from proposals.fields import ProposalField
from proposals.models import Errand, Proposal, Status, Strike, Vote, VotingStrength
from proposals.opening import last_number, open_by_itself
from proposals.retally import retally
from proposals.rules import EDITIONS
from proposals.state import BY_HAND, MAIN, forget, state_of

CHAIRMAN = "Chairman"
_NUMBERS, _DISTRIBUTION = "numbers", "distribution"
_MOST = 999_999_999


class ChairAction(ProposalAction):
    """An act of the office that keeps the proposals, named as the game's edition names it."""

    office = CHAIRMAN
    also_offices = tuple(each.officer for each in EDITIONS.values() if each.officer != CHAIRMAN)


def _who(table: Table, action: Action, player: Player | None) -> str:
    return player.name if player else f"The operator, for {action.officer(table)},"


@action
class AssignNumber(ChairAction):
    """Give a proposal its Proposal Number, greater than every number used before."""

    name = "proposals.assign_number"
    title = "Assign a proposal's number"
    sentence = "Give {proposal} the number {number}"
    button = "Assign"

    class Form(ActionForm):
        proposal = ProposalField(
            lambda state, player: list(state.proposals().filter(number=None).order_by("serial"))
        )
        number = WholeNumber(1, _MOST)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        proposal, refusal = found_refusal(table, data.get("proposal"))
        if refusal is not None:
            return refusal
        if proposal is not None and proposal.number is not None:
            sentence = f"{proposal.label} has its number, and keeps it."
            return Refusal("numbered", sentence, MAIN)
        if proposal is None and not state_of(table).proposals().filter(number=None).exists():
            return Refusal("none_unnumbered", "Every proposal has a number.", MAIN)
        last = last_number(table)
        if data.get("number", _MOST) <= last:
            sentence = f"Numbers up to {last} are used or passed over: give a greater one."
            return Refusal("number_used", sentence, MAIN)
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        proposal, _ = found_refusal(table, data["proposal"])
        assert proposal is not None
        before = proposal.label
        proposal.number = data["number"]
        proposal.save(update_fields=["number"])
        forget(table)
        return Outcome(
            f"{_who(table, self, player)} gives {before} the number {proposal.number}.",
            {"proposal": proposal.number, "id": f"p{proposal.serial}"},
        )


@action
class Distribute(ChairAction):
    """Bring a Pending proposal to the vote now."""

    name = "proposals.distribute"
    title = "Distribute a proposal"
    sentence = "Distribute {proposal}"
    button = "Distribute"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: state.those(Status.PENDING))

    def applies(self, table: Table) -> bool:
        return super().applies(table) and state_of(table).edition.period != "nweek"

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        proposal, refusal = found_refusal(table, data.get("proposal"))
        if refusal is None and proposal is None and not state_of(table).those(Status.PENDING):
            refusal = Refusal("none_pending", "No proposal is Pending.", MAIN)
        if proposal is not None and proposal.status != Status.PENDING:
            sentence = f"{proposal.label} is {proposal.status}: only a Pending one is distributed."
            return Refusal("not_pending", sentence, MAIN)
        return refusal

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        proposal, _ = found_refusal(table, data["proposal"])
        assert proposal is not None
        said = open_by_itself(table, proposal)
        forget(table)
        return Outcome(
            f"{_who(table, self, player)} distributes {proposal}. {said}",
            {"proposal": proposal.handle},
        )


@action
class TurnTheClock(ChairAction):
    """Turn B Nomic's Clock on or off."""

    name = "proposals.turn_clock"
    title = "Turn the Clock on or off"
    sentence = "The Clock goes"
    button = "Turn it"

    class Form(ActionForm):
        on = Flag(label="On")

    def applies(self, table: Table) -> bool:
        return super().applies(table) and state_of(table).edition.period == "nweek"

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        nweek = state_of(table).nweek
        if nweek is None:
            return Refusal("no_clock", "The Clock has not been started yet.", MAIN)
        if "on" in data and data["on"] == nweek.is_on:
            sentence = f"The Clock is {'on' if nweek.is_on else 'off'} already."
            return Refusal("turned_already", sentence, MAIN)
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        turn_the_clock(table, on=data["on"])
        said = "on" if data["on"] else "off"
        return Outcome(f"{_who(table, self, player)} turns the Clock {said}.", {"on": data["on"]})


@action
class KeepByHand(ChairAction):
    """Say which duties the officer keeps by hand, and which the system does at once."""

    name = "proposals.keep_by_hand"
    title = "Keep a duty by hand"
    sentence = "Keep the {duty} by hand"
    button = "Decide"

    class Form(ActionForm):
        duty = TextChoice(_NUMBERS, _DISTRIBUTION, CLOCK, label="Duty")
        by_hand = Flag(label="By hand")

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        state = state_of(table)
        duty = data.get("duty")
        if duty == CLOCK and state.edition.period != "nweek":
            return Refusal("no_clock", "This game's edition has no Clock.", MAIN)
        if duty == _DISTRIBUTION and state.edition.period == "nweek":
            sentence = "Proposals of an nweek open together; nobody distributes them."
            return Refusal("no_distribution", sentence, MAIN)
        if duty and "by_hand" in data and state.by_hand(duty) == data["by_hand"]:
            return Refusal("kept_so", "It is kept that way already.", MAIN)
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        kept = set(table.game.setting(BY_HAND, [])) - {data["duty"]}
        kept |= {data["duty"]} if data["by_hand"] else set()
        table.game.settings[BY_HAND] = sorted(kept)
        table.game.save(update_fields=["settings"])
        how = "by hand" if data["by_hand"] else "by the system"
        return Outcome(f"{_who(table, self, player)} lets the {data['duty']} be kept {how}.")


@action
class SetStrength(ChairAction):
    """Set a player's voting strength."""

    name = "proposals.set_strength"
    title = "Set a voting strength"
    sentence = "Set the voting strength of {who} to {strength}, because {reason}"
    button = "Set"

    class Form(ActionForm):
        who = PlayerField(label="Player")
        strength = WholeNumber(0, 1_000)
        reason = Text(longest=300)

    def applies(self, table: Table) -> bool:
        return super().applies(table) and state_of(table).edition.period == "each"

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        most = state_of(table).terms.most_strength
        if data.get("strength", 0) > most:
            return Refusal("too_strong", f"A voting strength is {most} at most.", MAIN)
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        voter = table.seat(data["who"])
        VotingStrength.objects.update_or_create(
            player=voter, defaults={"strength": data["strength"]}
        )
        forget(table)
        return Outcome(
            f"{_who(table, self, player)} sets the voting strength of {voter} to"
            f" {data['strength']}: {data['reason']}"
        )


@action
class StrikeVote(ChairAction):
    """Strike a vote as illegal: the one that the player cast before it counts, if there is one."""

    name = "proposals.strike_vote"
    title = "Strike a vote"
    sentence = "Strike the vote of {voter} on {proposal}, because {reason}"
    button = "Strike it"

    class Form(ActionForm):
        proposal = ProposalField(
            lambda state, player: list(state.proposals().exclude(status=Status.PENDING)[:60])
        )
        voter = Text(longest=60, label="Player")
        reason = Text(longest=300)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        proposal, refusal = found_refusal(table, data.get("proposal"))
        if proposal is None or "voter" not in data or _standing_vote(proposal, data["voter"]):
            return refusal
        sentence = f"No vote of “{data['voter'][:60]}” on {proposal.label} stands."
        return Refusal("no_vote", sentence, MAIN)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        proposal, _ = found_refusal(table, data["proposal"])
        assert proposal is not None
        vote = _standing_vote(proposal, data["voter"])
        assert vote is not None
        Strike.objects.create(vote=vote, reason=data["reason"], entry=table.seq)
        forget(table)
        said = (
            f"{_who(table, self, player)} strikes the vote {vote.word} of {data['voter']} on"
            f" {proposal.label}: {data['reason']}"
        )
        changed = retally(table, proposal) if proposal.status == Status.HISTORICAL else []
        if changed:
            told = " ".join(each.sentence for each in changed)
            said = f"{said.rstrip('.')}. Counted again: {told}"
        return Outcome(said, {"proposal": proposal.handle, "recount": [e.facts() for e in changed]})


def _standing_vote(proposal: Proposal, voter: str) -> Vote | None:
    votes = Vote.objects.filter(proposal=proposal, player__name=voter, strike__isnull=True)
    return votes.order_by("-pk").first()


@action
class CarryOut(ChairAction):
    """State that a sentence of a passed proposal has been carried out by hand.

    It cites the entry of the correction that did it; 0 says that nothing had to be changed.
    """

    name = "proposals.carry_out"
    title = "Carry out a sentence by hand"
    sentence = "Change {place} of {proposal} was carried out by entry {entry}: {note}"
    button = "State it"

    class Form(ActionForm):
        proposal = ProposalField(
            lambda state, player: list(
                state.proposals().filter(errands__done_in__isnull=True, errands__isnull=False)
            )
        )
        place = WholeNumber(1, 100_000, label="Which change")
        entry = WholeNumber(0, _MOST, label="Entry")
        note = Text(longest=300, required=False)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        proposal, refusal = found_refusal(table, data.get("proposal"))
        if refusal is not None or proposal is None or "place" not in data:
            return refusal
        errand = Errand.objects.filter(proposal=proposal, place=data["place"]).first()
        if errand is None:
            sentence = f"{proposal.label} has no change {data['place']} to be carried out by hand."
            return Refusal("no_errand", sentence, MAIN)
        if errand.done_in is not None:
            sentence = f"That was carried out already, in entry {errand.done_in}."
            return Refusal("carried_out", sentence, MAIN)
        return _nothing_done(table, errand, data)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        proposal, _ = found_refusal(table, data["proposal"])
        errand = Errand.objects.get(proposal=proposal, place=data["place"])
        errand.done_in, errand.cited = table.seq, data["entry"] or None
        errand.note = data["note"]
        errand.save(update_fields=["done_in", "cited", "note"])
        by = (
            f"entry {errand.cited} carries out" if errand.cited else "nothing had to be changed for"
        )
        said = f"{_who(table, self, player)}: {by} “{errand.sentence[:300]}” of {proposal}."
        return Outcome(f"{said} {errand.note}".strip())


def _nothing_done(table: Table, errand: Errand, data: Inputs) -> Refusal | None:
    if "entry" not in data:
        return None
    if not data["entry"]:
        if "note" in data and not data["note"]:
            sentence = "Say why nothing had to be changed, or name the entry of the correction."
            return Refusal("no_reason", sentence, MAIN)
        return None
    made = table.game.entries.filter(
        seq=data["entry"], seq__gt=errand.made_in, kind=Kind.OFFICER
    ).exclude(name__startswith="proposals.")
    if made.exists():
        return None
    sentence = (
        f"Entry {data['entry']} is not an officer's correction after entry {errand.made_in}, in"
        " which the proposal passed. Make the correction first, then name its entry."
    )
    return Refusal("no_correction", sentence, MAIN)
