"""The entry by which the operator publishes a whole game."""

from typing import Any

from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.record.game_file import PUBLISHED
from nomic.record.models import Entry, Kind


def write_publication(table: Table, reason: str, clock: dict[str, Any]) -> Entry:
    """Say in the record, at a locked table, that the game is public, and how its time goes; a
    replay calls this as well."""
    closed = table.game.is_closed
    why = f": {reason.rstrip('.')}." if reason else "; it is over."
    text = f"The operator publishes the whole game with its master secret{why}"
    if not closed:
        text += " Whoever has it can foretell the dice from now on."
    return table.write(Kind.SYSTEM, PUBLISHED, None, {"reason": reason}, Outcome(text, clock))
