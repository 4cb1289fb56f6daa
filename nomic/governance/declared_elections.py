"""The table by which any rule lets offices be filled by elections: what it says. No Django here."""

from collections.abc import Iterator
from dataclasses import dataclass

from nomic.governance.counting import METHODS
from nomic.governance.declared_acts import (
    EACH,
    LONGEST,
    MOST_ACTS,
    cell_of,
    days_of,
    method_of,
    whom_of,
)
from nomic.governance.rules import Method
from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.charts import EMPTY_CELLS, Columns, RuleTable, cut
from nomic.rulebook.declared import headed_in
from nomic.rulebook.tables import TextTable

ELECTIONS: Columns = ("Election of", "Called by", "How", "Candidates", "Voting", "Count")
_TIE, _NOBODY, _VACANT = "On a tie", "Without candidates", "When vacant"  # may stand beside these
INCUMBENT, EARLIEST, VACANCY = "incumbent", "earliest", "vacancy"
_WAYS = {
    "the incumbent stays": INCUMBENT,
    "incumbent stays": INCUMBENT,
    "the earliest candidate": EARLIEST,
    "earliest candidate": EARLIEST,
    "nobody": VACANCY,
}
_AT_ONCE = ("at once", "by announcement")
_SHORTEST = 1  # days


@dataclass(frozen=True, slots=True)
class DeclaredElection:
    """A row: `called_by` call an election of that `office`, by the `method`, or at once where that
    is None; when it falls vacant it calls itself where `by_itself`. Candidates stand for so many
    days, and then players vote for so many; ballots are counted by `count`. On a tie, or without
    candidates, the incumbent stays, the earliest candidate is elected, or nobody is."""

    office: str
    called_by: str
    method: Method | None
    by_itself: bool
    candidates: int
    voting: int
    count: str
    on_tie: str
    unopposed: str


@memoized(share=0.01)
def elections_in(rule: str, text: str) -> tuple[DeclaredElection, ...]:
    """The rows of that table in a text of that rule, in their order; raises TableBroken."""
    table = headed_in(rule, text, ELECTIONS)
    return tuple(_rows(rule, table)) if table else ()


def _rows(rule: str, table: TextTable) -> Iterator[DeclaredElection]:
    chart = RuleTable(rule, ELECTIONS, {})
    if len(table.rows) > MOST_ACTS:
        raise chart.broken(f"has {len(table.rows)} rows, and at most {MOST_ACTS} are read.")
    offices: set[str] = set()
    for row in table.rows:
        office = EACH.sub("", cell_of(row, ELECTIONS[0]), count=1)
        if not office or len(office) > LONGEST:
            raise chart.unfit(office, f" under {ELECTIONS[0]}", "an office or “any office”")
        if office.casefold() in offices:
            raise chart.broken(f"has “{cut(office)}” twice.")
        offices.add(office.casefold())
        where = f" for {cut(office)}"
        how = cell_of(row, "How").casefold()
        method = method_of(how)
        if how not in _AT_ONCE and (method is None or not method.support):
            wanted = "“at once” or “with 2 support”"
            raise chart.unfit(how, f" under How{where}", wanted)
        count = cell_of(row, "Count").casefold()
        if count not in METHODS:
            raise chart.unfit(count, f" under Count{where}", ", ".join(METHODS))
        periods = [days_of(chart, row, column, where) for column in ("Candidates", "Voting")]
        candidates, voting = (days or 0 for days in periods)
        if min(candidates, voting) < _SHORTEST:
            wanted = "at least one day to stand, and one to vote"
            fewest, place = str(min(candidates, voting)), f" under Candidates or Voting{where}"
            raise chart.unfit(fewest, place, wanted)
        by_itself = cell_of(row, _VACANT).casefold()
        if by_itself not in EMPTY_CELLS and by_itself not in ("yes", "no"):
            raise chart.unfit(by_itself, f" under {_VACANT}{where}", "yes or no")
        on_tie, unopposed = (_way(chart, cell_of(row, it), it, where) for it in (_TIE, _NOBODY))
        if unopposed == EARLIEST:
            raise chart.unfit("earliest candidate", f" under {_NOBODY}{where}", "who stays")
        called_by = whom_of(chart, cell_of(row, "Called by"), f" under Called by{where}")
        periods_and_count = candidates, voting, count
        yield DeclaredElection(
            office, called_by, method, by_itself == "yes", *periods_and_count, on_tie, unopposed
        )


def _way(chart: RuleTable, cell: str, column: str, where: str) -> str:
    if cell in EMPTY_CELLS:
        return INCUMBENT
    if cell.casefold() not in _WAYS:
        wanted = "the incumbent stays, the earliest candidate or nobody"
        raise chart.unfit(cell, f" under {column}{where}", wanted)
    return _WAYS[cell.casefold()]
