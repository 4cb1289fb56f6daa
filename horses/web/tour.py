"""The newcomer's first step at the races."""

from collections.abc import Iterator

from horses.actions.betting import Bet
from horses.rules.payouts import DOLLARY
from horses.state import state_of
from nomic.engine.subgames import TourStep
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.web.game_page import address_of


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """The step of placing a bet; none while there is no race."""
    state = state_of(table)
    if state.race is None:
        return
    says = "Choose a horse and put some dollaries on it. If it comes in, you win a multiple."
    if state.seat(player).acted:
        says = "You have used your race action of this week. Bet as soon as the next week begins."
    elif not table.ledger.balance(player, DOLLARY):
        says = "You have no dollaries yet: gain some this week, and bet next week."
    url = address_of("horses", table.game.slug) + "#page_forms"
    yield TourStep(2, "Bet on a horse", says, url, table.has_done(player, Bet.name))
