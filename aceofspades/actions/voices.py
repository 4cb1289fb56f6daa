"""Objections and support, and what they make of acts that were announced first (103, 114, 250)."""

from contextlib import suppress

from django.db.models import Count, Q, QuerySet

from aceofspades.models import Tabled, Voice
from aceofspades.rules.charts import Charts
from aceofspades.state.reading import State, state_of
from nomic.engine.table import Table
from nomic.rulebook.charts import ChartBroken
from nomic.standard import rules
from nomic.standard.rules import Terms

TABLED = "aceofspades.tabled"
WITHOUT_OBJECTION = (Tabled.Kind.PUBLISH, Tabled.Kind.HINT)


def acts(state: State) -> QuerySet[Tabled]:
    """The tabled acts, each with the `objections` of current contestants, and the `supports` of
    those of them who may vote in the game: nobody's number makes anything happen against them."""
    heard = Q(voices__contestant__active=True)
    counted = Q(voices__contestant__in=state.voters)
    return state.contest.tabled.annotate(
        objections=Count("voices", heard & Q(voices__way=Voice.Way.OBJECTS)),
        supports=Count("voices", counted & Q(voices__way=Voice.Way.SUPPORTS)),
    )


def open_numbers(state: State) -> list[int]:
    """The numbers of the acts that are not done or prevented yet."""
    return [each.number for each in state.open_acts]


def terms_of(state: State, kind: str, charts: Charts | None = None) -> Terms | None:
    """What an act of that kind takes, perhaps by other charts; None where no regulation says so.
    Raises ChartBroken."""
    charts = charts or state.charts
    return charts.without_objection if kind in WITHOUT_OBJECTION else charts.remedy


def fate(state: State, act: Tabled, *, days_over: bool) -> str | None:
    """`done`, `prevented`, or None while neither; for an act out of `acts`. Raises ChartBroken."""
    terms = terms_of(state, act.kind)
    if terms is None:
        return None
    objections, supports = act.objections, act.supports  # type: ignore[attr-defined]
    return rules.fate(objections, supports, len(state.voters), days_over, terms)


def look_at_tabled_acts(table: Table) -> None:
    """Let what enough contestants support be done at once, and what they prevent end: after a
    voice, a joining or a leaving. What a table cannot be read for waits."""
    state = state_of(table)
    subjects = []
    for act in acts(state).filter(end=""):
        with suppress(ChartBroken):
            if fate(state, act, days_over=table.now >= act.due):
                # The entry tells this from the moment when the days are over.
                subjects.append(f"{act.number}/{table.seq}")
    if subjects:
        table.appointments.make_several(TABLED, table.now, subjects)
