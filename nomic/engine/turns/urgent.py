"""Urgent acts, done before what is due, at the moment up to which all has happened."""

from nomic.engine.actions import find_action
from nomic.engine.catch_up import set_back
from nomic.engine.outcomes import UnknownAction
from nomic.engine.table import Table


def is_urgent(name: str) -> bool:
    """Whether the action of that name is done in a game however far behind it is."""
    try:
        return find_action(name).urgent
    except UnknownAction:
        return False


def settled(table: Table, name: str) -> Table:
    """The locked table at the moment up to which all that is due has happened: nothing is judged
    in a past that is not settled. What is due happens after it. An act that lets time stand still
    sets the clock back to that moment first, and the record says so.
    """
    game, wall = table.game, table.wall
    moment = game.clock.moment(wall)
    if game.paused_at or game.next_due is None or game.next_due > moment:
        return table
    at = max(game.next_due, game.last_at) if game.last_at else game.next_due
    if find_action(name).stops_time and at < moment:
        set_back(game, wall, moment - at, at)
    return Table(game, at, wall, locked=True)
