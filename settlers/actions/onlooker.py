"""Duties of the Onlooker by hand where the rules allow it: produce, receive, open a past visit."""

from nomic.engine.actions import action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, IntegerChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from settlers.actions.settlers import IsleAction
from settlers.events.appointments import open_visit, produce, receive
from settlers.events.clock import may_produce_from
from settlers.rules.titles import DECK, SEALED, VISITORS
from settlers.state.reading import ARRIVAL, ONLOOKER, State, state_of


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

    def offer(self, table: Table, player: Player | None) -> None:
        visit = state_of(table).next_sealed
        self.numbers = () if visit is None else (visit.number,)
        self.choices = [(number, str(number)) for number in self.numbers]
        listed = ", ".join(map(str, self.numbers)) or "none"
        self.error_messages["invalid_choice"] = (
            f"Past visits are opened in their order. The next that is still sealed: {listed}."
        )


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
        left = wait - (state.isle.production - oldest.over_after)
        if left <= 0:
            return Effects(Then(lambda table: open_visit(table, oldest)))
        sentence = (
            f"What was sealed in visit {oldest.number} bears on play still: it may be opened after"
            f" {counted(left, 'more Production')}."
        )
        return Refusal("bears_on_play", sentence, SEALED)
