"""Ceasing to be a contestant (Regulations 102, 124)."""

from aceofspades.events.alliances import decline, leave
from aceofspades.events.decisions import decide_what_is_ripe
from aceofspades.models import Contestant, Offer
from aceofspades.secrecy import reader
from aceofspades.state.reading import TABLED_ACT, forget, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.standard.motions import settle_all


def depart(table: Table, player: Player) -> None:
    """The player is a contestant no longer: their offers are withdrawn, their alliances left.

    Those without their name only fail while they are away: an end at this moment would name them.
    """
    state = state_of(table)
    own = state.contestant(player)
    if own is None or state.is_reckoned:
        return
    pacts, alliances = reader.pacts_of(state, own), reader.alliances_of(state, own)
    if pacts:
        decline(table, own, pacts)
    if alliances:
        leave(table, own, alliances)
    named = Offer.objects.filter(by=own, end="", anonymous=False)
    named.update(end=Offer.End.WITHDRAWN, ended_at=table.now)
    Contestant.objects.filter(pk=own.pk).update(active=False)
    forget(table, "everybody")
    decide_what_is_ripe(table)
    settle_all(table, TABLED_ACT)
