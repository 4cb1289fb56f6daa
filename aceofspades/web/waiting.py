"""The acts that wait for a player in the contest."""

from collections.abc import Iterator

from aceofspades.models import Vote
from aceofspades.secrecy.view import View
from nomic.engine.subgames import QuickAct, Waiting
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.web.game_page import address_of

_MOST_OFFERS = 20


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """Regulations to vote on, offers of cards, and alliances that wait for the player's word."""
    view = View(table, player)
    state = view.state
    if not state.is_on or state.is_over or view.own is None:
        return
    page = address_of("aceofspades", table.game.slug)
    for proposal in state.up_for_vote:
        if proposal.number not in view.own_votes:
            acts = tuple(
                QuickAct(way, "aceofspades.vote", {"proposal": proposal.number, "vote": way})
                for way in Vote.Choice.values
            )
            what = f"Vote on Regulation {proposal.regulation_number} of the contest of cards"
            yield Waiting(what, f"{page}#ballots", None, acts)
    for offer in view.offers(_MOST_OFFERS, only_open=True):
        if any(map(view.is_viewer, offer.to)):
            accept = QuickAct("Accept", "aceofspades.accept_offer", {"offer": offer.code})
            what = f"{offer.by or 'Somebody'} offers you {offer.given} for {offer.taken}"
            yield Waiting(what, f"{page}#private", None, (accept,))
    for pact in view.pacts:
        if any(map(view.is_viewer, set(pact.members) - set(pact.agreed))):
            what = f"An alliance waits for your word: {', '.join(pact.members)}"
            yield Waiting(what, f"{page}#private")
