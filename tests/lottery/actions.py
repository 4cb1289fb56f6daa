"""What players do in the lottery, and what the Cashier corrects."""

from __future__ import annotations

from nomic.engine.actions import Action, Inputs, action
from nomic.engine.forms import ActionForm, PlayerField, Text, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.corrections import Correction
from nomic.standard.models import Motion
from nomic.standard.motions import doer
from tests.lottery.models import Draw
from tests.lottery.rules import THE_LOTTERY, buy_refusal
from tests.lottery.state import CASHIER, FLORIN, pot_of, save_tickets, state_of

_MOST_ASKED = 1_000  # what the form takes; how many may be bought, the rule's table says


class LotteryAction(Action):
    """An action that the lottery's rule allows."""

    rule = THE_LOTTERY

    def applies(self, table: Table) -> bool:
        is_begun = Draw.objects.coming(table.game).exists()
        return is_begun and table.rules.in_force(THE_LOTTERY)


@action
class BuyTickets(LotteryAction):
    """Buy tickets for the next draw. What they cost goes into the pot."""

    name = "lottery.buy_tickets"
    title = "Buy tickets"
    sentence = "Buy {tickets} tickets"
    button = "Buy"

    class Form(ActionForm):
        tickets = WholeNumber(1, _MOST_ASKED)

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        state, wanted = state_of(table), data.get("tickets", 1)
        return buy_refusal(
            state.terms, state.tickets.get(player.name, 0), wanted
        ) or table.ledger.cannot_pay(player, wanted * state.terms.price, FLORIN)

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        state, wanted = state_of(table), data["tickets"]
        cost = wanted * state.terms.price
        table.ledger.transfer(player, pot_of(table), cost, FLORIN, "tickets")
        save_tickets(table, player, state.tickets.get(player.name, 0) + wanted)
        price = table.ledger.asset(FLORIN).amount(cost)
        return Outcome(f"{player} buys {told(wanted)} for {price}.", {"cost": cost})


@action
class CorrectTickets(LotteryAction, Correction):
    """Correct how many tickets a player has for the next draw. No florin moves by it."""

    name = "lottery.correct_tickets"
    title = "Correct a player's tickets"
    sentence = "Let {player} have {tickets} tickets, because {reason}"
    button = "Correct"
    office = CASHIER

    class Form(ActionForm):
        player = PlayerField()
        tickets = WholeNumber(0, _MOST_ASKED)
        reason = Text(longest=300)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        had = state_of(table).tickets.get(data.get("player", ""), 0)
        if "player" in data and data.get("tickets") == had:
            sentence = f"{data['player']} has {told(had)} already: choose another number."
            return Refusal("same_tickets", sentence, self.rule)
        return None

    def lapse(self, table: Table, motion: Motion) -> str:
        """Which tickets somebody should have was said of the draw that was to come then."""
        if state_of(table).draw.opened_in > motion.entry:
            return "The lottery was drawn after that was announced."
        return super().lapse(table, motion)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str:
        had = state_of(table).tickets.get(data["player"], 0)
        save_tickets(table, table.seat(data["player"]), data["tickets"])
        change = f"{data['player']}'s tickets from {had} to {data['tickets']}"
        return f"{doer(player)} corrects {change}: {data['reason']}"


def told(tickets: int) -> str:
    """“1 ticket”, “3 tickets”."""
    return f"{tickets} ticket{'' if tickets == 1 else 's'}"
