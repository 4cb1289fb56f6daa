"""What the Cashier's desk shows."""

from __future__ import annotations

from collections.abc import Iterable

from nomic.engine.table import Table
from nomic.governance.desks import Desk, Picture, bars, desk
from tests.lottery.state import CASHIER, state_of


@desk
class CashiersDesk(Desk):
    """The desk of the office that keeps the lottery (The Lottery)."""

    subgame = "lottery"
    office = CASHIER

    def pictures(self, table: Table) -> Iterable[Picture]:
        sold = list(state_of(table).tickets.items())
        yield bars("Tickets", "tickets", ("Player", "Tickets"), sold)
