"""Finalists become Semigenius one after the other, until somebody wins the game (121)."""

from aceofspades.models import Contestant
from aceofspades.state.reading import State, state_of
from nomic.engine.events import appointment
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table

NEXT_FINALIST = "aceofspades.next_finalist"
R121 = "Regulation 121"
TITLE = "Semigenius"


@appointment(NEXT_FINALIST, title="A Finalist becomes Semigenius", priority=40, rule=R121)
def a_finalist_becomes_semigenius(table: Table, subject: str) -> Outcome:
    """One of the Finalists who have not been chosen yet, all of them being equally likely.

    Raises ChartBroken.
    """
    state = state_of(table)
    why_not = why_nobody(table, state)
    if why_not:
        return Outcome(why_not)
    left = waiting_finalists(state)
    name = table.dice.choose(TITLE, [each.player.name for each in left])
    chosen = next(each for each in left if each.player.name == name)
    Contestant.objects.filter(pk=chosen.pk).update(semigenius_in=table.seq, semigenius_at=table.now)
    expect_another(table, len(left) - 1)
    figures = {"semigenius": name, "among": [each.player.name for each in left]}
    whom = f"chosen by the dice among {len(left)} Finalists" if len(left) > 1 else "a Finalist"
    text = (
        f"Notice of SemiGeniosity: {chosen}, {whom} of the Ace of Spades, is hereby awarded the"
        f" Patent Title {TITLE}."
    )
    return Outcome(text, figures)


def expect_another(table: Table, left: int) -> None:
    """Appoint the choice of the next Finalist, if any is left; real hours, as the regulation
    counts them. Raises ChartBroken."""
    wait = state_of(table).charts.next_finalist_after
    if left and wait is not None:
        table.appointments.make(NEXT_FINALIST, table.now + wait, counted_in=CountedIn.HOURS)


def waiting_finalists(state: State) -> list[Contestant]:
    """The Finalists who have not become Semigenius, in the order of their first joining."""
    return [each for each in state.everybody if each.finalist and each.semigenius_in is None]


def why_nobody(table: Table, state: State) -> str:
    """Why no Finalist becomes Semigenius now, in a sentence; empty where one does."""
    if not state.is_on:
        return f"The contest is not played any more: nobody becomes {TITLE}."
    if state.charts.next_finalist_after is None:
        return f"No regulation in force awards the title of {TITLE}."
    last = next(reversed(state.semigenius), None)
    if last is not None and table.game.wins.filter(entry__gt=last.semigenius_in).exists():
        return f"The game has been won since {last} became {TITLE}: no other Finalist becomes it."
    return "" if waiting_finalists(state) else f"Every Finalist is {TITLE} already."
