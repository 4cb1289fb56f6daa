"""What a newcomer tries first in the contest."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.http import urlencode

from aceofspades.actions.members import Join
from aceofspades.actions.offers import AcceptOffer, MakeOffer
from aceofspades.rules.contest import missing
from aceofspades.secrecy.view import View
from nomic.engine.subgames import Step, Way
from nomic.engine.table import Table
from nomic.games.models import Player

_MOST_OFFERS = 20  # that are looked at


def tour(table: Table, player: Player) -> Iterator[Step]:
    """An exchange of cards."""
    view = View(table, player)
    if not view.state.is_on:
        return
    page = reverse("aceofspades", args=[table.game.slug])
    says, url = "", f"{page}#private"
    ways: tuple[Way, ...] = ()
    if view.state.is_reckoned:
        says = "This contest is over. Look at how it ended, and join the next one."
    elif view.own is None:
        says = "Join the contest first: you are dealt a hand of cards."
        ways = (Way("Join the contest", Join.name),)
    else:
        says, url, ways = _exchange(table, view, url)
    yield Step(4, "Exchange a card", says, url, view.has_exchanged, ways)


def _exchange(table: Table, view: View, page: str) -> tuple[str, str, tuple[Way, ...]]:
    """How a contestant comes to exchange a card now."""
    hand, offers = view.own_hand() or {}, view.offers(_MOST_OFFERS, only_open=True)
    for offer in offers:
        if any(map(view.is_viewer, offer.to)) and not missing(hand, offer.takes):
            says = f"{offer.by or 'Somebody'} offers you {offer.given} for {offer.taken}."
            accept = Way("Accept", AcceptOffer.name, {"offer": offer.code})
            return says, page, (accept,)
    if any(offer.by and view.is_viewer(offer.by) for offer in offers):
        return "You have made an offer. Wait until somebody accepts it.", page, ()
    back = urlencode({"back": page.partition("#")[0]})
    form = reverse("act", args=[table.game.slug, MakeOffer.name])
    return "Offer the others a card for one of theirs, or wait for an offer.", f"{form}?{back}", ()
