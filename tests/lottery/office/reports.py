"""What the Cashier publishes each week."""

from __future__ import annotations

from nomic.engine.table import Table
from nomic.governance.reports import Facts, Report, Section, report
from tests.lottery.api import lottery_state
from tests.lottery.rules import THE_LOTTERY
from tests.lottery.state import CASHIER, FLORIN


@report
class CashiersReport(Report):
    """Florins, tickets and the draws so far (The Lottery)."""

    name = "cashier"
    title = "The Cashier's weekly report"
    subgame = "lottery"
    office = CASHIER
    rule = THE_LOTTERY

    def facts(self, table: Table) -> Facts:
        return {"florins": table.ledger.balances(FLORIN), **(lottery_state(table) or {})}

    def about(self, facts: Facts) -> list[str]:
        day = facts["at"][:10]
        return [
            f"{facts['game']}, {day}: draw {facts['draw']} comes next, for a pot of {facts['pot']}"
        ]

    def parts(self, facts: Facts) -> list[Section]:
        past = [(row["draw"], row["winner"] or "-", row["prize"]) for row in facts["past"]]
        return [
            Section(
                "Florins",
                ("Holder", "Florins"),
                sorted(facts["florins"].items()),
                "There are none.",
            ),
            Section(
                "Tickets", ("Player", "Tickets"), sorted(facts["tickets"].items()), "None is sold."
            ),
            Section("Draws", ("Draw", "Winner", "Florins"), past, "Nothing has been drawn."),
        ]
