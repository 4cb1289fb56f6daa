"""The desk of the office that assigns cases, where the rule names one."""

from collections.abc import Iterable

from nomic.cases.actions import ASSIGN
from nomic.cases.rules import CASES
from nomic.cases.state import WAITS, office_of, state_of
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.governance.desks import Desk, Duty, Picture, desk, lines


def _unassigned(table: Table) -> list[Duty]:
    """The duties to assign the cases of which an appointment says until when; none while the system
    assigns them."""
    dues = state_of(table).dues(WAITS) if state_of(table).assigner else {}
    cases = state_of(table).open.filter(judge=None) if dues else ()
    return [
        Duty(f"Assign {case}", dues[str(case.number)], CASES, ASSIGN, {"case": case.number})
        for case in cases
        if str(case.number) in dues
    ]


@desk
class AssignersDesk(Desk):
    """What waits for a judge, and the open cases with theirs."""

    subgame = "cases"
    office = "Arbitor"

    def office_in(self, game: Game) -> str:
        return office_of(game)

    def is_on(self, game: Game) -> bool:
        return super().is_on(game) and bool(office_of(game))

    def duties(self, table: Table) -> Iterable[Duty]:
        """Each case without a judge for which somebody is eligible."""
        return table.once(_unassigned)

    def pictures(self, table: Table) -> Iterable[Picture]:
        """The docket."""
        cases = [*state_of(table).open]
        summaries = [
            (str(case), case.statement, case.judge.name if case.judge else "no judge")
            for case in cases
        ]
        headings = ("Case", "Statement", "Judge")
        yield lines("The docket", summaries, headings, summaries, "No case is open.")
