"""The Onlooker's corrections of the isle, and what they may do by hand where the rules allow it:
produce, receive, open a past visit.

Stockpiles are corrected in the ledger. Bribes are nobody's to correct.
"""

from typing import Any

from django.db.models import Q

from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, IntegerChoice, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import Switch
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.governance.corrections import Correction, SwitchCorrection
from nomic.governance.models import Motion
from nomic.governance.motions import doer
from settlers.actions.fields import OFF, ON, ResourceField, SettlerField
from settlers.actions.settlers import IsleAction
from settlers.actions.switches import (
    DOMAINS,
    LISTS,
    Settlement,
    Visitor,
    has_list,
    list_refusal,
    set_list,
)
from settlers.events.appointments import open_visit, produce, receive
from settlers.events.clock import may_produce_from
from settlers.models import NOBODY
from settlers.rules.charts import MOST_NUMBER
from settlers.rules.isle import RESOURCES
from settlers.rules.titles import DECK, GIFT, SEALED, VISITORS
from settlers.state.reading import ARRIVAL, ONLOOKER, State, state_of


class _Correction(SwitchCorrection):
    office = ONLOOKER
    rule = GIFT
    of = "settler"

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(state_of(table).is_on and table.rules.in_force(self.rule))


@action
class CorrectDomain(_Correction):
    """Set what a Domain of a Settler holds; no number lets it hold nothing."""

    name = "settlers.correct_domain"
    title = "Correct a Domain"
    sentence = "Let the {resource} Domain of {settler} hold {number}, because {reason}"
    switch, to = DOMAINS[RESOURCES[0]], "number"

    class Form(ActionForm):
        settler = SettlerField()
        resource = ResourceField()
        number = WholeNumber(0, MOST_NUMBER, required=False, label="Number, empty for none")
        reason = Text(longest=300)

    def switch_of(self, data: Inputs) -> Switch:
        return DOMAINS[data["resource"]]


@action
class CorrectSettlement(_Correction):
    """Set a Settler's Settlement: Buildings separated by commas, or none."""

    name = "settlers.correct_settlement"
    title = "Correct a Settlement"
    sentence = "Let the Settlement of {settler} be {buildings}, because {reason}"
    switch, to = Settlement(), "buildings"

    class Form(ActionForm):
        settler = SettlerField()
        buildings = Text(required=False, label="Buildings, separated by commas")
        reason = Text(longest=300)


class ListField(TextChoice):
    """One of the lists that the rules know."""

    noun = "list"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [which for which in LISTS if has_list(table, which)]


@action
class CorrectList(Correction, IsleAction):
    """Put a Settler on the Injured or the Victims list, or take them off."""

    name = "settlers.correct_list"
    title = "Correct the Injured or the Victims"
    office = ONLOOKER
    sentence = "Let {settler} be {listed} the {which} list, because {reason}"

    class Form(ActionForm):
        settler = SettlerField()
        listed = TextChoice(ON, OFF)
        which = ListField(label="List")
        reason = Text(longest=300)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(any(has_list(table, which) for which in LISTS))

    def judge(self, state: State, player: Player | None, **data: Any) -> Verdict:
        if not {"settler", "listed", "which"} <= data.keys():
            return None
        name, which = data["settler"], data["which"]
        before, on = state.names_on_list(LISTS[which]), data["listed"] == ON
        if (name in before) == on:
            sentence = f"{name} is {'on' if on else 'not on'} the {which} list already."
            return Refusal("is_so", sentence, self.rule)
        names = [*before, name] if on else [n for n in before if n != name]
        puts = f"puts {name} on" if on else f"takes {name} off"
        return list_refusal(state, [name]) or Effects(
            Then(lambda at: set_list(at, which, names)),
            say=f"{doer(player)} {puts} the {which} list: {data.get('reason')}",
        )


class VisitorField(TextChoice):
    """None, or the title of a subrule of “Visitors”."""

    noun = "visitor"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [NOBODY, *(rule.title for rule in state_of(table).visitor_rules)]


@action
class CorrectVisitor(_Correction):
    """Set who visits the isle. A visit that goes on is over, with what was told in it."""

    name = "settlers.correct_visitor"
    title = "Correct the Visitor"
    sentence = "Let the Visitor be {visitor}, because {reason}"
    says = "{who} corrects the Visitor from {before} to {after}: {reason}"
    rule = VISITORS
    switch, of, to = Visitor(), "", "visitor"

    class Form(ActionForm):
        visitor = VisitorField()
        reason = Text(longest=300)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        if data.get("visitor") == state_of(table).isle.visitor:
            return Refusal("is_so", f"The Visitor is {data['visitor']} already.", VISITORS)
        return super().judge(table, player, **data)

    def lapse(self, table: Table, motion: Motion) -> str:
        changed = Q(entry__gt=motion.entry) | Q(over_in__gt=motion.entry)
        if table.game.visits.filter(changed).exists():
            return "A visit has begun or ended after that was announced."
        return super().lapse(table, motion)


class _OnlookerAction(IsleAction):
    office = ONLOOKER


@action
class Produce(_OnlookerAction):
    """Let the Production of Resources happen as soon as it may."""

    name = "settlers.produce"
    title = "Produce resources"
    sentence = "Let the Production of Resources happen now"
    rule = DECK

    def judge(self, state: State, player: Player) -> Verdict:
        opens = may_produce_from(state)
        if state.table.now >= opens or state.all_are_ready:
            return Effects(Then(produce))
        sentence = (
            f"The next Production may happen from {opens:%Y-%m-%d %H:%M:%S} UTC on, or sooner when"
            " every Settler is Ready."
        )
        return Refusal("too_early", sentence, DECK)


@action
class ReceiveVisitor(_OnlookerAction):
    """Let the Visitor Arrival happen, once after each Production."""

    name = "settlers.receive_visitor"
    title = "Receive a visitor"
    sentence = "Let the Visitor Arrival happen now"
    rule = VISITORS

    def judge(self, state: State, player: Player) -> Verdict:
        isle = state.isle

        def arrive(table: Table) -> Outcome:
            outcome = receive(table)
            table.appointments.cancel_all(ARRIVAL)
            return outcome

        if isle.arrived_for < isle.production:
            return Effects(Then(arrive))
        sentence = "The Visitor arrives once after each Production. Wait for the next one."
        return Refusal("has_arrived", sentence, VISITORS)


class VisitField(IntegerChoice):
    """The number of the past visit that is to be opened next."""

    unknown = "Past visits are opened in their order. The next that is still sealed: {}."

    def options(self, table: Table, player: Player | None) -> list[int]:
        visit = state_of(table).next_sealed
        return [visit.number] if visit else []


@action
class OpenVisit(_OnlookerAction):
    """Open what a past visit has sealed, once it does not bear on play any more."""

    name = "settlers.open_visit"
    title = "Open a past visit"
    sentence = "Open what visit {visit} has sealed"
    confirm = "Everybody will see each bribe that was told in that visit. Open it?"
    rule = SEALED

    class Form(ActionForm):
        visit = VisitField()

    def judge(self, state: State, player: Player, visit: int | None) -> Verdict:
        wait = state.charts.opening.by_onlooker
        if wait is None:
            return Refusal("never", "The rule does not let the Onlooker open a visit.", SEALED)
        oldest = state.next_sealed
        if oldest is None or oldest.over_after is None:
            return Refusal("nothing_sealed", "No past visit is sealed.", SEALED)
        remaining = wait - (state.isle.production - oldest.over_after)
        if remaining <= 0:
            return Effects(Then(lambda table: open_visit(table, oldest)))
        sentence = (
            f"What was sealed in visit {oldest.number} bears on play still: it may be opened after"
            f" {counted(remaining, 'more Production')}."
        )
        return Refusal("bears_on_play", sentence, SEALED)
