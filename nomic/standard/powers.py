"""How a game fills its offices, and how long its officers' corrections wait for objections.

Both stand in the game's settings from its beginning. A game that began before there were such
settings gets them by an entry of its record, before anything else is done in it.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from nomic.engine.fitting import know
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import all_subgames
from nomic.engine.table import Follower, Table, follow
from nomic.games.offices import OFFICES, Offices, has_powers, usual_offices
from nomic.games.readings import played_by
from nomic.record.models import Entry, Kind
from nomic.rulebook.charts import ChartBroken, ChartMissing, RuleTables
from nomic.rulebook.earlier import earlier_texts
from nomic.rulebook.last_readable import faults, last_readable
from nomic.rulebook.shipped import ShippedRule, shipped_rules
from nomic.rulebook.tables import TableBroken

OBJECTION_HOURS = "objection_hours"
SET_POWERS = "games.set_powers"
OFFICES_AND_CORRECTIONS = "Offices and Corrections"
_COLUMNS = ("CORRECTION", "HOURS")
_WAITS = "Waits for objections"
_MOST_HOURS = 10_000
_RULEBOOK = Path(__file__).parent / "rulebook"


@cache
def shipped() -> tuple[ShippedRule, ...]:
    """The rule with which every game begins whose offices are not open."""
    return shipped_rules(_RULEBOOK, "standard")


def powers_of(pace: str, offices: str = "") -> dict[str, Any]:
    """The settings of a game of that pace; practice games have open offices unless told."""
    mode = Offices(offices or usual_offices(pace))
    if mode is Offices.OPEN:
        return {OFFICES: str(mode), OBJECTION_HOURS: 0}
    return {OFFICES: str(mode), OBJECTION_HOURS: _shipped_hours()}


class _SetsPowers(Follower):
    def bring_up_to_date(self, table: Table) -> bool:
        if has_powers(table.game):
            return False
        set_powers(table)
        return True


follow(_SetsPowers())
know(_RULEBOOK)


def set_powers(table: Table, powers: dict[str, Any] | None = None) -> Entry:
    """Write the settings into the record, at a locked table, of a game that has none of them yet.

    They are those of a new game of its pace; a replay calls this with what the record says.
    """
    game = table.game
    powers = powers or powers_of(game.pace)
    game.settings = {**game.settings, **powers}
    game.save(update_fields=["settings"])
    for office, holder in table.directory.offices.items():
        if not holder:
            table.office_changed(office)
    for subgame in all_subgames():
        subgame.brought_up_to_date(table)
    hours = powers[OBJECTION_HOURS]
    wait = f"wait {hours} hours for objections" if hours else "happen at once"
    how = Offices(powers[OFFICES]).label
    text = f"From now on offices are filled {how}. Officers' corrections {wait}."
    return table.write(Kind.SYSTEM, SET_POWERS, None, powers, Outcome(text))


def objection_time(table: Table) -> timedelta:
    """How long a correction waits for objections, in game time; nothing where it does not wait.

    The rule “Offices and Corrections” says it while it is in force, or the last version of it that
    can be read; else the game's setting.
    """
    hours = int(table.game.setting(OBJECTION_HOURS, 0))
    if table.rules.in_force(OFFICES_AND_CORRECTIONS):
        with suppress(TableBroken):
            hours = _hours(_text_to_play_by(table), shipped=not played_by(table.game, 4))
    return timedelta(hours=hours)


def broken(table: Table) -> str:
    """What is wrong with the table of “Offices and Corrections”, as a sentence; "" if nothing."""
    if table.rules.in_force(OFFICES_AND_CORRECTIONS):
        try:
            shipped = not played_by(table.game, 4)
            _hours(table.rules.text(OFFICES_AND_CORRECTIONS), shipped=shipped)
        except ChartMissing:
            return ""
        except TableBroken as wrong:
            return wrong.sentence
    return ""


def _text_to_play_by(table: Table) -> str:
    """The rule's text, or in games of the fourth readings its last one that can be read."""
    text = table.rules.text(OFFICES_AND_CORRECTIONS)
    if not played_by(table.game, 4):
        return text

    def faults_in(texts: Mapping[str, str]) -> list[ChartBroken]:
        return faults([partial(_hours, texts[OFFICES_AND_CORRECTIONS])])

    found, _ = last_readable({OFFICES_AND_CORRECTIONS: text}, faults_in, earlier_texts(table.rules))
    return found[OFFICES_AND_CORRECTIONS]


def _hours(text: str, *, shipped: bool = False) -> int:
    tables = RuleTables(
        {OFFICES_AND_CORRECTIONS: text},
        {OFFICES_AND_CORRECTIONS: (_COLUMNS,)},
        _shipped_texts if shipped else None,
    )
    return tables.table(OFFICES_AND_CORRECTIONS, _COLUMNS[0]).whole(
        _WAITS, _COLUMNS[1], 0, _MOST_HOURS
    )


def _shipped_texts() -> dict[str, str]:
    return {rule.title: rule.text for rule in shipped()}


@cache
def _shipped_hours() -> int:
    return _hours(_shipped_texts()[OFFICES_AND_CORRECTIONS])
