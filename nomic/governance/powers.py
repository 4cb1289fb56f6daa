"""How a game fills its offices, and how long its officers' corrections wait for objections.

Both stand in the game's settings from its beginning.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from nomic.engine.coverage import know, unread_tables
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.models import OFFICES
from nomic.games.powers import Offices, usual_offices
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.last_readable import Figure, RuleCharts, Unread, whole
from nomic.rulebook.shipped import ShippedRule, shipped_rules, texts_in
from nomic.rulebook.tables import TableBroken

OBJECTION_HOURS = "objection_hours"
OFFICES_AND_CORRECTIONS = "Offices and Corrections"
_MOST_HOURS = 10_000
_NEVER = -1
_RULEBOOK = Path(__file__).parent / "rulebook"


@cache
def shipped() -> tuple[ShippedRule, ...]:
    """The rule with which every game begins whose offices are not open."""
    return shipped_rules(_RULEBOOK, "governance")


def _duty(row: str) -> Figure[int]:
    """The hours of that row of the duties; `_NEVER` where no rule in force says them."""
    return whole(OFFICES_AND_CORRECTIONS, "DUTY", row, "HOURS", most=_MOST_HOURS, off=_NEVER)


class _Charts(RuleCharts):
    """The figures of the rule “Offices and Corrections”."""

    titles = (OFFICES_AND_CORRECTIONS,)
    known: ClassVar = {OFFICES_AND_CORRECTIONS: (("CORRECTION", "HOURS"), ("DUTY", "HOURS"))}
    hours = whole(
        OFFICES_AND_CORRECTIONS, "CORRECTION", "Waits for objections", "HOURS", most=_MOST_HOURS
    )

    answering = _duty("A doubt is answered within")
    deputising = _duty("A deputy may act when late by")

    shipped_texts = staticmethod(partial(texts_in, _RULEBOOK, "governance"))


def powers_of(pace: str, offices: str = "") -> dict[str, Any]:
    """The settings of a game of that pace; practice games have open offices unless told."""
    mode = Offices(offices or usual_offices(pace))
    if mode is Offices.OPEN:
        return {OFFICES: str(mode), OBJECTION_HOURS: 0}
    return {OFFICES: str(mode), OBJECTION_HOURS: _Charts.as_shipped().hours}


know(_RULEBOOK)


def objection_time(table: Table) -> timedelta:
    """How long a correction waits for objections, in game time; nothing where it does not wait.

    The rule “Offices and Corrections” says it while it is in force, or the last version of it that
    can be read; else the game's setting.
    """
    hours = int(table.game.setting(OBJECTION_HOURS, 0))
    with suppress(TableBroken):
        if charts := _charts(table):
            hours = charts.hours
    return timedelta(hours=hours)


def answer_time(table: Table) -> timedelta | None:
    """Within which game time a doubt is to be answered; None where no rule says it."""
    return _time_of(table, lambda charts: charts.answering)


def deputy_time(table: Table) -> timedelta | None:
    """How late a duty is, in game time, when a deputy may do it; None where nobody may."""
    return _time_of(table, lambda charts: charts.deputising)


def _time_of(table: Table, figure: Callable[[_Charts], int]) -> timedelta | None:
    charts = _charts(table)
    hours = unless_broken(lambda: figure(charts), _NEVER) if charts else _NEVER
    return None if hours == _NEVER else timedelta(hours=hours)


def broken(table: Table) -> str:
    """The fault of the table of “Offices and Corrections”, as a sentence; "" where it has none."""
    wrong = unread(table)
    return wrong[0].sentence if wrong else ""


def unread(table: Table) -> tuple[Unread, ...]:
    """The rule “Offices and Corrections”, where it is played as of an earlier version, and rules
    whose tables of switches or currencies are."""
    charts = _charts(table)
    return (*(charts.unread if charts else ()), *unread_tables(table))


def unread_rules(table: Table) -> list[Unread]:
    """The public rules that are played as of an earlier version, or not, since they cannot be
    read."""
    return [
        *unread(table),
        *(rule for subgame in in_play(table.game) for rule in subgame.unread(table)),
    ]


def is_about(table: Table, unread: Unread, rule: int) -> bool:
    """Whether that is told of the rule with this key."""
    if unread.pk:
        return unread.pk == rule
    rules = table.rules
    return rules.in_force(unread.rule) and rules.find(unread.rule).pk == rule


def _charts(table: Table) -> _Charts | None:
    """The figures of the rule; None while it is not in force."""
    rules = table.rules
    if not rules.in_force(OFFICES_AND_CORRECTIONS):
        return None
    return rules.figures(_Charts, rules.texts(_Charts.titles))
