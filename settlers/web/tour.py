"""The newcomer's first step on the isle."""

from collections.abc import Iterator

from nomic.engine.subgames import QuickAct, TourStep
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.web.game_page import address_of
from settlers.actions.settlers import Harvest, Join
from settlers.state.reading import state_of
from settlers.web.page import gains


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """The step of harvesting, or of joining first; none for the Onlooker, who is no Settler."""
    state = state_of(table)
    if not state.is_on or state.is_onlooker(player):
        return
    own = state.settler(player)
    acts: tuple[QuickAct, ...] = ()
    if own is None:
        says = "Become a Settler first: the dice give you five Domains."
        acts = (QuickAct("Become a Settler", Join.name),)
    elif gains(state, own):
        says = "Your Domains yielded. Harvest before the next Production."
        acts = (QuickAct("Harvest", Harvest.name),)
    else:
        says = "Wait for the dice to show a number of one of your Domains: then you can harvest."
    url = address_of("settlers", table.game.slug)
    yield TourStep(3, "Harvest", says, url, table.has_done(player, Harvest.name), acts)
