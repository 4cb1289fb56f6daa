"""Ceasing to be a contestant (Regulations 102, 124)."""

from aceofspades.events.alliances import decline, leave
from aceofspades.events.decisions import decide_ripe_proposals
from aceofspades.models import Contestant, Offer
from aceofspades.secrecy import reader
from aceofspades.state.reading import TABLED_ACT, drop_state, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.motions import settle_all


def depart(table: Table, player: Player) -> None:
    """The player is a contestant no longer: their offers are withdrawn, their alliances left.

    Those without their name only fail while they are away: an end at this moment would name them.
    """
    state = state_of(table)
    contestant = state.contestant(player)
    if contestant is None or state.is_reckoned:
        return
    pacts, alliances = reader.pacts_of(state, contestant), reader.alliances_of(state, contestant)
    if pacts:
        decline(table, contestant, pacts)
    if alliances:
        leave(table, contestant, alliances)
    # An unnamed offer that ended at this moment would tell its parties who made it.
    named = Offer.objects.filter(by=contestant, end="", anonymous=False)
    named.update(end=Offer.End.WITHDRAWN, ended_at=table.now)
    Contestant.objects.filter(pk=contestant.pk).update(active=False)
    drop_state(table, "everybody")
    # Of fewer contestants some votes may be a majority now, and so may support of a tabled act.
    decide_ripe_proposals(table)
    settle_all(table, TABLED_ACT)
