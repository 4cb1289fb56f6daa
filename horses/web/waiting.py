"""The race action that waits for a player."""

from collections.abc import Iterator

from horses.rules.legality import weekly_refusal
from horses.rules.titles import ACTIONS, HORSES
from horses.state import state_of
from nomic.engine.subgames import Waiting
from nomic.engine.table import Table
from nomic.games.calendars import next_week
from nomic.games.models import Player
from nomic.web.game_page import address_of


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """The race action of this week, until it is taken."""
    state = state_of(table)
    if state.race is None or not table.rules.in_force(HORSES, ACTIONS):
        return
    if weekly_refusal(state.seat(player), False) is None:
        what = "Your race action of this week: bet, nudge a horse, get gear, buy a horse or gain"
        url = address_of("horses", table.game.slug) + "#page_forms"
        yield Waiting(what, url, next_week(table.now))
