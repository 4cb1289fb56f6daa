"""Entries that the site writes into a record by itself, written again from their inputs.

The sentence and the outcome come from the code that wrote them; the inputs have to be such as it
could have had.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from nomic.engine.catch_up import moment_of, set_back, shift, shifted, told_of_shift
from nomic.engine.outcomes import Outcome
from nomic.engine.schedule import oldest_appointment
from nomic.engine.table import Table
from nomic.games.bounds import BOUNDS, usual_bounds
from nomic.games.models import AfterOutage
from nomic.operations.moving_in import BRING_RULES, bring_rules
from nomic.operations.order import is_timed
from nomic.operations.recording import Act
from nomic.operations.setup import change_pace
from nomic.record.game_file import PUBLISHED, of_the_clock
from nomic.record.models import Entry, Kind
from nomic.standard.hosting.bounds import GET_BOUNDS, get_bounds
from nomic.standard.powers import SET_POWERS, powers_of, set_powers

type Written = Callable[[Table, Act, list[str]], Entry]


def by_itself(table: Table, act: Act, otherwise: list[str]) -> Entry:
    """Write the entry again; adds to `otherwise` what would be given otherwise today. Raises
    LookupError where this program writes no such entry, or not with these inputs there."""
    if act.name not in WRITTEN:
        raise LookupError(f"this program writes no entry “{act.name}” by itself")
    return WRITTEN[act.name](table, act, otherwise)


def _set_powers(table: Table, act: Act, otherwise: list[str]) -> Entry:
    usual = powers_of(table.game.pace)
    if table.game.has_powers:
        raise LookupError("the game has these settings already")
    if _shape(act.inputs) != _shape(usual):
        raise LookupError("these are not the settings of offices")
    if act.inputs != usual:
        otherwise.append("a game of its pace gets other settings of offices today.")
    return set_powers(table, act.inputs)


def _get_bounds(table: Table, act: Act, otherwise: list[str]) -> Entry:
    usual, known = usual_bounds(), table.game.setting(BOUNDS, {})
    are_bounds = act.inputs and all(type(most) is int for most in act.inputs.values())
    if not are_bounds or act.inputs.keys() & known.keys():
        raise LookupError("these are not bounds that the game has not got")
    if act.inputs != {name: usual.get(name) for name in act.inputs}:
        otherwise.append("a game gets other bounds today.")
    return get_bounds(table, act.inputs)


def _shape(values: dict[str, Any]) -> dict[str, type]:
    return {name: type(value) for name, value in values.items()}


def _shift(table: Table, act: Act, otherwise: list[str]) -> Entry:
    """Set the clock back again: by what was late as the entry was recorded, and by what the entry
    says where nothing else tells how the clock went."""
    game, wall, oldest = table.game, act.recorded_at, oldest_appointment(table.game)
    behind = act.inputs.get("behind", False) is True
    nothing_late = LookupError("nothing was late that is shifted in this game")
    if is_timed(game):
        made = None
        if oldest and not behind:
            made = shifted(game, oldest, wall)
        elif oldest and (late := game.clock.moment(wall) - table.now) > timedelta():
            made = set_back(game, wall, late, moment_of(game, oldest))
        if made is None:
            raise nothing_late
        return made
    if "to" not in act.inputs and not game.has_readings(2):  # older ones left the hours alone
        told = told_of_shift(timedelta(seconds=act.inputs["seconds"]))
        return table.write(Kind.SYSTEM, act.name, None, act.inputs, told)
    to = datetime.fromisoformat(act.inputs["to"])
    late = timedelta(**{name: act.inputs[name] for name in ("seconds", "microseconds")})
    if behind:
        may_be = table.now == to
    else:
        may_be = bool(oldest and table.now == moment_of(game, oldest) and to >= oldest.due)
        may_be = may_be and game.after_outage == AfterOutage.SHIFT
    if not may_be or late <= timedelta():
        raise nothing_late
    return shift(table, late, to, behind=behind)


def _publish(table: Table, act: Act, otherwise: list[str]) -> Entry:
    """Say again that the game is public. Where a clock stood that is moved by hand, nothing else
    tells."""
    goes, told = of_the_clock(table.game), act.outcome["clock"]
    if not is_timed(table.game):
        goes["clock"] = {name: str(told[name]) for name in ("anchor_game", "anchor_wall")}
    return write_publication(table, act.inputs["reason"], goes)


def write_publication(table: Table, reason: str, clock: dict[str, Any]) -> Entry:
    """Say in the record, at a locked table, that the game is public, and how its time goes; a
    replay calls this as well."""
    closed = table.game.is_closed
    why = f": {reason.rstrip('.')}." if reason else "; it is over."
    text = f"The operator publishes the whole game with its master secret{why}"
    if not closed:
        text += " Whoever has it can foretell the dice from now on."
    return table.write(Kind.SYSTEM, PUBLISHED, None, {"reason": reason}, Outcome(text, clock))


WRITTEN: dict[str, Written] = {
    BRING_RULES: lambda table, act, _: bring_rules(table, act.inputs),
    "games.set_pace": lambda table, act, _: change_pace(
        table, act.inputs["pace"], act.inputs["rate"]
    ),
    SET_POWERS: _set_powers,
    GET_BOUNDS: _get_bounds,
    "games.shift": _shift,
    PUBLISHED: _publish,
}
