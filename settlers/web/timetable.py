"""When the next Production and the next Visitor Arrival are, for who looks at the isle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from nomic.rulebook.charts import ChartBroken
from nomic.web.game_page import Coming, GamePage
from settlers.events.clock import arrives_by, may_produce_from, produces_by
from settlers.rules.titles import VISITORS
from settlers.state.reading import State


@dataclass(frozen=True, slots=True)
class Timetable:
    """What is to come, each with its moment; `may_produce` is None once a Production may happen,
    `arrival` is the Visitor's, None where no rule brings visitors."""

    may_produce: Coming | None
    production: Coming
    arrival: Coming | None

    def __iter__(self) -> Iterator[Coming]:
        return iter([each for each in (self.may_produce, self.production, self.arrival) if each])


def timetable(game_page: GamePage, state: State) -> Timetable | None:
    """The next Production and Visitor Arrival; None while their rules cannot be read."""
    clock = game_page.game.clock

    def coming(title: str, due: datetime) -> Coming:
        return Coming(title, due, clock.wall(due) if clock.rate else None)

    try:
        earliest, latest, visitor = may_produce_from(state), produces_by(state), next_arrival(state)
    except ChartBroken:
        return None
    return Timetable(
        coming("It may happen from", earliest) if earliest > game_page.now else None,
        coming("It happens at the latest", latest),
        coming("The Visitor arrives at the latest", visitor) if visitor else None,
    )


def next_arrival(state: State) -> datetime | None:
    """The game moment of the next Visitor Arrival at the latest: that which is due still, or that
    after the next Production. None while no rule brings visitors. Raises ChartBroken."""
    if not state.table.rules.in_force(VISITORS):
        return None
    return arrives_by(state) or produces_by(state) + state.charts.arrival_after
