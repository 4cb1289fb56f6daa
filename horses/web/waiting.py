"""The race action that waits for a player, and the newcomer's first step at the races."""

from collections.abc import Iterator

from horses.actions.betting import Bet
from horses.rules.legality import weekly_refusal
from horses.rules.payouts import DOLLARY
from horses.rules.titles import ACTIONS, HORSES
from horses.state import state_of
from nomic.engine.subgames import TourStep, Waiting
from nomic.engine.table import Table
from nomic.games.calendars import next_week
from nomic.games.models import Player
from nomic.web.game_context import address_of


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """The race action of this week, until it is taken."""
    state = state_of(table)
    if state.race is None or not table.rules.in_force(HORSES, ACTIONS):
        return
    if weekly_refusal(state.seat(player), False) is None:
        sentence = (
            "Your race action of this week: bet on a horse, nudge one, buy one, get gear for one,"
            " or gain dollaries"
        )
        url = address_of("horses", table.game.slug) + "#race-acts"
        yield Waiting(sentence, url, next_week(table.now))


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """The step of placing a bet; none while there is no race."""
    state = state_of(table)
    if state.race is None:
        return
    says = "Tap a horse and put some dollaries on it. If it comes in, you win a multiple."
    if state.seat(player).acted:
        says = "You have used your race action of this week. Bet as soon as the next week begins."
    elif not table.ledger.balance(player, DOLLARY):
        says = "You have no dollaries yet: gain some this week, and bet next week."
    url = address_of("horses", table.game.slug) + "#picture"
    yield TourStep(2, "Bet on a horse", says, url, table.has_done(player, Bet.name))
