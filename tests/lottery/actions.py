"""What players do in the lottery, and what the Cashier corrects."""

from __future__ import annotations

from nomic.engine.actions import Action, action
from nomic.engine.effects import Effects, Pay, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.governance.corrections import Correction
from nomic.governance.models import Motion
from nomic.governance.motions import doer
from tests.lottery.models import Draw
from tests.lottery.rules import THE_LOTTERY, buy_refusal
from tests.lottery.state import CASHIER, FLORIN, State, pot_of, state_of

_MOST_ASKED = 1_000  # what the form takes; how many may be bought, the rule's table says


class LotteryAction(Action):
    """An action that the lottery's rule allows."""

    rule = THE_LOTTERY
    State = State

    def absence(self, table: Table) -> Refusal | None:
        is_begun = Draw.objects.coming(table.game).exists()
        return self.needs(is_begun and table.rules.in_force(THE_LOTTERY))


@action
class BuyTickets(LotteryAction):
    """Buy tickets for the next draw. What they cost goes into the pot."""

    name = "lottery.buy_tickets"
    title = "Buy tickets"
    sentence = "Buy {tickets} tickets"
    button = "Buy"

    class Form(ActionForm):
        tickets = WholeNumber(1, _MOST_ASKED)

    def judge(self, state: State, player: Player, tickets: int | None) -> Verdict:
        had, wanted = state.tickets.get(player.name, 0), tickets or 1
        cost, pot = wanted * state.terms.price, pot_of(state.table)
        return buy_refusal(state.terms, had, wanted) or Effects(
            Pay(player, cost, FLORIN, "tickets", to=pot),
            state.sold(player, had + wanted),
            say=f"{player} buys {told(wanted)} for {counted(cost, FLORIN)}.",
            figures={"cost": cost},
        )


@action
class CorrectTickets(Correction, LotteryAction):
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

    def judge(
        self,
        state: State,
        by: Player | None,
        player: str | None,
        tickets: int | None,
        reason: str | None,
    ) -> Verdict:
        had = state.tickets.get(player or "", 0)
        if player is None or tickets is None:
            return Effects()
        if tickets == had:
            sentence = f"{player} has {told(had)} already: choose another number."
            return Refusal("same_tickets", sentence, self.rule)
        change = f"{player}'s tickets from {had} to {tickets}"
        return Effects(
            state.sold(state.table.seat(player), tickets),
            say=f"{doer(by)} corrects {change}: {reason}",
        )

    def lapse(self, table: Table, motion: Motion) -> str:
        """Which tickets somebody should have was said of the draw that was to come then."""
        if state_of(table).draw.opened_in > motion.entry:
            return "The lottery was drawn after that was announced."
        return super().lapse(table, motion)


def told(tickets: int) -> str:
    """“1 ticket”, “3 tickets”."""
    return f"{tickets} ticket{'' if tickets == 1 else 's'}"
