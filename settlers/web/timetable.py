"""When the next Production and the next Visitor Arrival are, for who looks at the isle."""

from datetime import datetime

from nomic.rulebook.charts import ChartBroken
from nomic.web.game_page import Coming, GamePage
from settlers.events.clock import arrives_by, may_produce_from, produces_by
from settlers.rules.titles import VISITORS
from settlers.state.reading import State


def timetable(game_page: GamePage, state: State) -> dict[str, Coming] | None:
    """The next Production and, where a rule brings visitors, Visitor Arrival, each with its moment;
    None while their rules cannot be read. `may_produce` is left out once a Production may happen.
    """

    def coming(title: str, due: datetime) -> Coming:
        return Coming(title, due, game_page.wall_of(due))

    try:
        earliest, latest, visitor = may_produce_from(state), produces_by(state), next_arrival(state)
    except ChartBroken:
        return None
    found: dict[str, Coming] = {}
    if earliest > game_page.now:
        found["may_produce"] = coming("It may happen as early as", earliest)
    found["production"] = coming("It happens no later than", latest)
    if visitor:
        found["arrival"] = coming("The Visitor arrives no later than", visitor)
    return found


def next_arrival(state: State) -> datetime | None:
    """The game moment of the next Visitor Arrival at the latest: that which is due still, or that
    after the next Production. None while no rule brings visitors. Raises ChartBroken."""
    if not state.table.rules.in_force(VISITORS):
        return None
    return arrives_by(state) or produces_by(state) + state.charts.arrival_after
