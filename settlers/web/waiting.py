"""The acts that wait for a player on the isle, and the newcomer's first step there."""

from collections.abc import Iterator

from nomic.engine.subgames import QuickAct, TourStep, Waiting
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.charts import unless_broken
from nomic.web.game_context import address_of
from settlers.actions.settlers import Harvest, Join
from settlers.events.clock import produces_by
from settlers.rules.isle import describe_items
from settlers.state.reading import state_of
from settlers.web.page import gains


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """The harvest, until the next Production; trades that were offered to the player."""
    state = state_of(table)
    settler = state.settler(player) if state.is_on else None
    if settler is None:
        return
    url = address_of("settlers", table.game.slug)
    if crop := gains(state, settler):
        due = unless_broken(lambda: produces_by(state), None)
        harvest = QuickAct("Harvest", "settlers.harvest")
        yield Waiting(f"Your harvest: {describe_items(crop)}", f"{url}#harvest", due, (harvest,))
    for offer in state.offers_got(player.name):
        gives, takes = describe_items(offer.gives), describe_items(offer.takes)
        acts = (
            QuickAct("Accept", "settlers.accept_trade", {"offer": offer.number}),
            QuickAct("Decline", "settlers.cancel_trade", {"offer": offer.number}),
        )
        sentence = f"{offer.by.player.name} offers you {gives} for {takes}"
        yield Waiting(sentence, f"{url}#offers", None, acts)


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """The step of harvesting, or of joining first; none for the Onlooker, who is no Settler."""
    state = state_of(table)
    if not state.is_on or state.is_onlooker(player):
        return
    settler = state.settler(player)
    acts: tuple[QuickAct, ...] = ()
    if settler is None:
        says = "Become a Settler first: the dice give you five Domains."
        acts = (QuickAct("Become a Settler", Join.name),)
    elif gains(state, settler):
        says = "Your Domains yielded. Harvest before the next Production."
        acts = (QuickAct("Harvest", Harvest.name),)
    else:
        says = "Wait for the dice to show a number of one of your Domains: then you can harvest."
    url = address_of("settlers", table.game.slug)
    yield TourStep(3, "Harvest", says, url, table.has_done(player, Harvest.name), acts)
