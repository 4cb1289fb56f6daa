"""The desk of the office that assigns cases, where the rule names one."""

from collections.abc import Iterable

from nomic.cases.actions import ASSIGN
from nomic.cases.rules import CASES
from nomic.cases.state import WAITS, office_of, state_of
from nomic.engine.table import Table
from nomic.games.models import Game
from nomic.governance.desks import Desk, Duty, Picture, desk, lines


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
        dues = state_of(table).dues(WAITS)
        for case in state_of(table).open.filter(judge=None):
            if due := dues.get(str(case.number)):
                yield Duty(f"Assign {case}", due, CASES, ASSIGN, {"case": case.number})

    def pictures(self, table: Table) -> Iterable[Picture]:
        """The docket."""
        cases = [*state_of(table).open]
        summaries = [
            (str(case), case.statement, case.judge.name if case.judge else "no judge")
            for case in cases
        ]
        headings = ("Case", "Statement", "Judge")
        yield lines("The docket", summaries, headings, summaries, "No case is open.")
