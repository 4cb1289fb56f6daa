"""When things happen on the isle: the next Production (The Dice Deck), the next Visitor
Arrival (Visitors)."""

from datetime import datetime

from nomic.engine.table import Table
from nomic.rulebook.charts import unless_off
from settlers.rules.titles import VISITORS
from settlers.state.reading import ARRIVAL, PRODUCTION, State, state_of


def may_produce_from(state: State) -> datetime:
    """The game moment from which a Production may happen though not every Settler is Ready.

    Raises TableBroken.
    """
    isle = state.isle
    return isle.produced_at + state.charts.may_after if isle.produced_at else isle.begun_at


def produces_by(state: State) -> datetime:
    """The game moment at which the next Production happens at the latest. Raises TableBroken."""
    isle = state.isle
    return (isle.postponed_at or isle.produced_at or isle.begun_at) + state.charts.at_latest


def arrives_by(state: State) -> datetime | None:
    """The game moment of the Visitor Arrival after the most recent Production, at the latest.

    None where it has been, before the first Production, and where no rule says it. Raises
    TableBroken.
    """
    isle = state.isle
    began = isle.produced_at
    if began is None or isle.arrived_for == isle.production:
        return None
    return unless_off(lambda: began + state.charts.arrival_after, None)


def schedule_production(table: Table) -> None:
    """Let the next Production stand in the schedule: at once if all are Ready, else at the latest
    moment that the rule has. Where it has none, nothing is expected. Raises TableBroken."""
    state = state_of(table)
    isle, latest = state.isle, unless_off(lambda: produces_by(state), None)
    # Not at the moment at which an officer skipped it: it would be due again at once.
    at_once = state.all_are_ready and table.now != isle.postponed_at
    due = table.now if at_once else latest
    if due is None:
        table.appointments.cancel_all(PRODUCTION)
    else:
        table.appointments.expect(PRODUCTION, due, str(isle.production + 1))


def schedule_arrival(table: Table) -> None:
    """Let the Visitor Arrival after the most recent Production stand in the schedule, unless one
    waits still since an earlier Production. Raises TableBroken."""
    if not table.rules.in_force(VISITORS):
        table.appointments.cancel_all(ARRIVAL)
        return
    state = state_of(table)
    isle = state.isle
    # An Arrival that waits serves the latest Production: one comes, and not two in a row.
    waits_longer = table.appointments.subjects(ARRIVAL) - {str(isle.production)}
    due = arrives_by(state)
    if due is None and isle.arrived_for != isle.production:
        table.appointments.cancel_all(ARRIVAL)
    elif due is not None and not waits_longer:
        table.appointments.expect(ARRIVAL, due, str(isle.production))
