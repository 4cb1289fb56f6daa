"""What the Cashier's desk shows."""

from __future__ import annotations

from collections.abc import Iterable

from nomic.engine.table import Table
from nomic.standard.desks import Desk, Picture, desk
from tests.lottery.state import CASHIER, state_of


@desk
class CashiersDesk(Desk):
    """The desk of the office that keeps the lottery (The Lottery)."""

    subgame = "lottery"
    office = CASHIER

    def pictures(self, table: Table) -> Iterable[Picture]:
        bars = list(state_of(table).tickets.items())
        most = max((count for _, count in bars), default=0)
        facts = {"bars": bars, "most": most, "thing": "tickets"}
        yield Picture("Tickets", "offices/_bars.html", facts, ("Player", "Tickets"), list(bars))
