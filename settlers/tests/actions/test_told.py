"""Whom the site tells of an offer on the isle."""

from __future__ import annotations

from nomic.games.models import Game, Player
from nomic.notices.models import Outgoing
from settlers.tests.stage import give
from tests.kit import Take, at_the_table


def test_an_offer_is_told_to_who_got_it(
    game: Game, settled: tuple[Player, Player], act: Take
) -> None:
    murphy, madrid = settled
    with at_the_table(game) as table:
        give(table, murphy, wheat=1)
    Outgoing.objects.all().delete()
    act(murphy, "settlers.offer_trade", to="Madrid", give={"wheat": 1}, take={"wood": 1})
    told = Outgoing.objects.get()
    assert (told.kind, told.to, told.url) == ("offer", [madrid.pk], "/g/table/settlers/")
    assert told.text.startswith("Murphy offers Madrid")
