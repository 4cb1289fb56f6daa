"""The Onlooker's corrections of the isle, and what they may do by hand where the rules allow it:
produce, receive, open a past visit.

Stockpiles are corrected in the ledger. Bribes are nobody's to correct.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import Q

from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, IntegerChoice, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import Switch
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.governance.corrections import (
    MOST,
    Correction,
    RowCorrection,
    SwitchCorrection,
    is_so,
)
from nomic.governance.models import Motion
from nomic.governance.motions import doer
from settlers.actions.fields import OFF, ON, ResourceField, SettlerField
from settlers.actions.settlers import IsleAction
from settlers.actions.switches import (
    DOMAINS,
    LISTS,
    ReadyFlag,
    Settlement,
    Visitor,
    has_list,
    list_refusal,
    set_list,
)
from settlers.events.appointments import open_visit, produce, receive
from settlers.events.clock import may_produce_from
from settlers.models import NOBODY, Ally
from settlers.rules.charts import MOST_NUMBER
from settlers.rules.isle import RESOURCES
from settlers.rules.titles import DECK, GIFT, SEALED, VISITORS
from settlers.state.reading import ARRIVAL, ONLOOKER, State, deck_as_json, row_of, state_of

USED, NOT_USED = "used", "not used"
HARVEST, TRADE, VISIT = "the harvest", "the trade", "the Visitor"  # what is used


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

    def lapse(self, table: Table, motion: Motion) -> str:
        return _other_visit(table, motion) or super().lapse(table, motion)


def _other_visit(table: Table, motion: Motion) -> str:
    """That the visit of which the motion speaks is not that which goes on; "" if it is."""
    changed = Q(entry__gt=motion.entry) | Q(over_in__gt=motion.entry)
    has_changed = table.game.visits.filter(changed).exists()
    return "A visit has begun or ended after that was announced." if has_changed else ""


def _other_production(table: Table, motion: Motion) -> str:
    """That there was another Production since the motion was made; "" if there was none."""
    produced_at = state_of(table).isle.produced_at
    is_later = produced_at is not None and produced_at > motion.at
    return "Resources were produced after that was announced." if is_later else ""


@action
class CorrectReady(_Correction):
    """Set whether a Settler is Ready. Once all are, resources are produced at once."""

    name = "settlers.correct_ready"
    title = "Correct a Ready flag"
    sentence = "Let {settler} be {ready}, because {reason}"
    rule = DECK
    switch, to = ReadyFlag(), "ready"

    class Form(ActionForm):
        settler = SettlerField()
        ready = TextChoice("Ready", "not Ready")
        reason = Text(longest=300)

    def lapse(self, table: Table, motion: Motion) -> str:
        return _other_production(table, motion) or super().lapse(table, motion)


@action
class CorrectUse(Correction, IsleAction):
    """Say whether a Settler has harvested or traded since the last Production, or has made use of
    the Visitor. No resource moves by it: who has them is corrected in the ledger."""

    name = "settlers.correct_use"
    title = "Correct what a Settler has used"
    office = ONLOOKER
    sentence = "Let {settler} have {used} {use}, because {reason}"
    button = "Correct"

    class Form(ActionForm):
        settler = SettlerField()
        used = TextChoice(USED, NOT_USED)
        use = TextChoice(HARVEST, TRADE, VISIT)
        reason = Text(longest=300)

    def judge(self, state: State, by: Player | None, /, **data: Any) -> Verdict:
        if not {"settler", "used", "use"} <= data.keys():
            return None
        name, use, wanted = data["settler"], data["use"], data["used"] == USED
        isle = state.isle
        if use == VISIT and isle.visitor == NOBODY:
            return Refusal("nobody", "Nobody visits the isle.", VISITORS)
        row = row_of(state.table, name)
        is_used = {
            HARVEST: row.harvested_in == isle.production,
            TRADE: row.traded_in == isle.production,
            VISIT: isle.visitor in row.used,
        }
        if is_used[use] == wanted:
            return is_so(self, f"{use} of {name}", data["used"])
        since = isle.production if wanted else None
        earlier = [visitor for visitor in row.used if visitor != isle.visitor]
        columns: dict[str, dict[str, Any]] = {
            HARVEST: {"harvested_in": since},
            TRADE: {"traded_in": since},
            VISIT: {"used": [*earlier, isle.visitor] if wanted else earlier},
        }
        change = f"{use} of {name} from {NOT_USED if wanted else USED} to {data['used']}"
        return Effects(
            Set(row, **columns[use]), say=f"{doer(by)} corrects {change}: {data.get('reason')}"
        )

    def lapse(self, table: Table, motion: Motion) -> str:
        is_other = _other_visit if motion.inputs["use"] == VISIT else _other_production
        return is_other(table, motion) or super().lapse(table, motion)


@action
class CorrectAlly(RowCorrection, IsleAction):
    """Put a Settler on another's Alliance list, or take them off."""

    name = "settlers.correct_ally"
    title = "Correct an Alliance list"
    office = ONLOOKER
    sentence = "Let {other} be {listed} the Alliance list of {settler}, because {reason}"
    model = Ally

    class Form(ActionForm):
        other = SettlerField(label="Who")
        listed = TextChoice(ON, OFF)
        settler = SettlerField(label="Whose list")
        reason = Text(longest=300)

    def key(self, state: State, inputs: Inputs) -> dict[str, Any]:
        return {name: row_of(state.table, inputs[name]) for name in ("settler", "other")}

    def to_be(self, state: State, inputs: Inputs) -> dict[str, Any] | None:
        return {} if inputs["listed"] == ON else None

    def why_not(self, state: State, inputs: Inputs) -> Refusal | None:
        if inputs["settler"] != inputs["other"]:
            return None
        sentence = "An Alliance list is for other Settlers: choose two different ones."
        return Refusal("same_settler", sentence, GIFT)

    def subject(self, inputs: Inputs) -> str:
        return f"{inputs['settler']}'s Alliance list"

    def in_words(self, columns: Mapping[str, Any] | None, inputs: Inputs) -> str:
        return f"one {'without' if columns is None else 'with'} {inputs['other']}"


class CardField(IntegerChoice):
    """The number of a card of the Dice Deck."""

    unknown = "The cards of the Dice Deck are {}."

    def options(self, table: Table, player: Player | None) -> list[int]:
        state = state_of(table)
        return sorted(state.charts.deck) if state.is_on else []


@action
class CorrectDeck(Correction, IsleAction):
    """Set how many cards of a number are left in the Dice Deck."""

    name = "settlers.correct_deck"
    title = "Correct the Dice Deck"
    office = ONLOOKER
    sentence = "Let the Dice Deck have {cards} of the cards {number}, because {reason}"
    button = "Correct"
    rule = DECK

    class Form(ActionForm):
        cards = WholeNumber(0, MOST, label="Cards left")
        number = CardField()
        reason = Text(longest=300)

    def judge(self, state: State, by: Player | None, /, **data: Any) -> Verdict:
        if not {"cards", "number"} <= data.keys():
            return None
        number, cards = data["number"], data["cards"]
        most, left = state.charts.deck.get(number, 0), state.deck.remaining
        if cards > most:
            sentence = f"The whole Dice Deck has {counted(most, 'card')} {number}."
            return Refusal("too_many_cards", sentence, DECK)
        before = left.get(number, 0)
        subject = f"the cards {number} in the Dice Deck"
        if cards == before:
            return is_so(self, subject, str(cards))
        deck, is_remade = replace(state.deck, remaining={**left, number: cards}).made_ready()
        then = f"{cards}, and it is made whole again" if is_remade else str(cards)
        return Effects(
            Set(state.isle, deck=deck_as_json(deck.remaining)),
            say=f"{doer(by)} corrects {subject} from {before} to {then}: {data.get('reason')}",
        )

    def lapse(self, table: Table, motion: Motion) -> str:
        return _other_production(table, motion) or super().lapse(table, motion)


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
    """The number of the past visit that is to be opened next. That none is, the action says."""

    unknown = "Past visits are opened in their order. The next that is still sealed: {}."

    def options(self, table: Table, player: Player | None) -> list[int]:
        visit = state_of(table).next_sealed
        self.takes_any = visit is None
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
