"""What happens to cases by itself: the system assigns a judge, and takes off one who is late."""

from nomic.cases.judging import assign, take_off
from nomic.cases.models import Assignment, Case
from nomic.cases.rules import CASES, DICE
from nomic.cases.state import LATE, WAITS, is_on, state_of
from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.rulebook.charts import unless_off

_NOTHING = "Nothing is to be done in Case {} any more."


@appointment(WAITS, title="A case is assigned to a judge", rule=CASES, at_once=True)
def a_case_is_assigned(table: Table, subject: str) -> Outcome:
    """By turns or by dice, whatever office has let its time pass; the case waits while nobody is
    eligible."""
    state, case = state_of(table), _open(table, subject)
    if case is None or case.judge is not None:
        return Outcome(_NOTHING.format(subject.partition("/")[0]))
    figures = {"case": case.number}
    if not (eligible := state.eligible(case)):
        return Outcome(f"Nobody is eligible to judge {case}: it waits until somebody is.", figures)
    judge = eligible[0]
    if unless_off(lambda: state.charts.assigned_by, "") == DICE:
        name = table.dice.choose("judge", sorted(player.name for player in eligible))
        judge = next(player for player in eligible if player.name == name)
    assign(table, case, judge)
    return Outcome(
        f"{case} is assigned to {judge}, who judges it.", {**figures, "judge": judge.name}
    )


@appointment(LATE, title="A judge's time is over", rule=CASES)
def a_judge_is_late(table: Table, subject: str) -> Outcome:
    """The judge is taken off the case, which is assigned anew."""
    case = _open(table, subject)
    if case is None or case.judge is None:
        return Outcome(_NOTHING.format(subject.partition("/")[0]))
    judge = case.judge
    take_off(table, case, Assignment.End.LATE)
    text = f"{judge} has not judged {case} in time, and is taken off it."
    return Outcome(text, {"case": case.number, "late": judge.name})


def _open(table: Table, subject: str) -> Case | None:
    number = subject.partition("/")[0]
    return state_of(table).open.filter(number=int(number)).first() if is_on(table) else None
