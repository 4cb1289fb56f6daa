"""What happens in the lottery by itself: the weekly draw."""

from __future__ import annotations

from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from tests.lottery.rules import THE_LOTTERY, holder_of, prize
from tests.lottery.state import FLORIN, pot_of, save_drawn, state_of

DRAW = "lottery.draw"


@appointment(DRAW, title="The lottery is drawn", every="week", rule=THE_LOTTERY)
def the_lottery_is_drawn(table: Table, subject: str) -> Outcome:
    """Start of a week: one ticket wins its part of the pot, then everybody gains florins."""
    state = state_of(table)
    number, tickets, terms = state.draw.number, state.tickets, state.terms
    winner, won = "", 0
    if tickets:
        ticket = table.dice.choose("ticket", list(range(1, sum(tickets.values()) + 1)))
        winner, won = holder_of(ticket, tickets), prize(state.pot, terms.percent)
        table.ledger.transfer(pot_of(table), table.seat(winner), won, FLORIN, "the prize")
    save_drawn(table, table.seat(winner) if winner else None, won)
    if terms.income and table.game.players.filter(active=True).exists():
        table.ledger.create_for_all_active(terms.income, FLORIN, "a week starts")
    return Outcome(_announced(table, number, winner, won), {"winner": winner, "prize": won})


def _announced(table: Table, number: int, winner: str, won: int) -> str:
    florins = table.ledger.asset(FLORIN)
    left = florins.amount(state_of(table).pot)
    if not winner:
        return f"Draw {number} has no ticket. The pot keeps {left}."
    return f"{winner} wins draw {number} and gains {florins.amount(won)}. The pot keeps {left}."
