"""Bringing the rules of a game that lived elsewhere into a new one."""

from typing import Any

from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.presets import Preset
from nomic.record.models import Entry, Kind
from nomic.rulebook.book import BY_PEOPLE
from nomic.rulebook.errors import NoSuchRule
from nomic.rulebook.outside.values import Brought
from nomic.rulebook.text_cache import BEGINS
from nomic.web.hosting.starting import BadSetup

BRING_RULES = "games.bring_rules"
_MOST_TOLD = 5


def check_brought(brought: Brought | None, preset: Preset) -> Preset:
    """The preset; raises BadSetup where these rules cannot come into a game of it."""
    if brought is None:
        return preset
    if not preset.settings.get(BY_PEOPLE):
        raise BadSetup(
            f"A game of the preset “{preset.name}” begins with its own rules: those of a game that"
            " lives elsewhere come into one of the preset “nomic”."
        )
    if brought.faults:
        more = len(brought.faults) - _MOST_TOLD
        behind = [f"And {more:,} more."] if more > 0 else []
        raise BadSetup(" ".join([*brought.faults[:_MOST_TOLD], *behind]))
    if not brought.rules:
        raise BadSetup("No rule was found in it.")
    return preset


def bring_rules(table: Table, inputs: dict[str, Any]) -> Entry:
    """Let the rules that lived elsewhere be in force, at a locked table, as the second entry of a
    game; a replay calls this as well. Raises BadSetup, and LookupError where it is another entry
    or game."""
    if table.seq != BEGINS + 1 or not table.game.setting(BY_PEOPLE):
        raise LookupError("rules come in from outside right after a game of people's rules begins")
    try:
        in_force = table.rules.bring(inputs["rules"], inputs["repealed"])
    except (ValueError, NoSuchRule) as wrong:
        raise BadSetup(str(wrong)) from wrong
    few = "1 rule is" if in_force == 1 else f"{in_force:,} rules are"
    text = (
        f"{few} brought in from a game that lived elsewhere. They are kept by people, as before"
        " this game; what their histories tell was not played here."
    )
    if gone := len(inputs["repealed"]):
        text += f" {gone:,} that were repealed before stay to be read."
    return table.write(Kind.SYSTEM, BRING_RULES, None, inputs, Outcome(text))
