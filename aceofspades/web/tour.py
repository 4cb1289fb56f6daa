"""What a newcomer tries first in the contest."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from aceofspades.actions.members import Join
from aceofspades.secrecy.view import View
from nomic.engine.subgames import Step, Way
from nomic.engine.table import Table
from nomic.games.models import Player


def tour(table: Table, player: Player) -> Iterator[Step]:
    """An exchange of cards."""
    view = View(table, player)
    if view.state.found is None or not view.state.is_on:
        return
    ways: tuple[Way, ...] = ()
    says = "Offer somebody a card for one of theirs, or accept an offer that was made to you."
    if view.state.is_reckoned:
        says = "This contest is over. Look at how it ended, and join the next one."
    elif view.own is None:
        says = "Join the contest first: you are dealt a hand of cards."
        ways = (Way("Join the contest", Join.name),)
    url = reverse("aceofspades", args=[table.game.slug]) + "#private"
    yield Step(4, "Exchange a card", says, url, view.has_exchanged, ways)
