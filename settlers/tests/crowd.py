"""Many Settlers at once, written as rows: what thousands of acts would leave."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from settlers.models import Ally, Bribe, Offer, domain_fields
from settlers.models import Settler as Row
from settlers.rules.isle import RESOURCES
from tests.kit import at_the_table

NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)


def seat_many(game: Game, count: int) -> list[Player]:
    """Seat so many players without going through the door."""
    players = Player.objects.bulk_create(
        Player(game=game, name=f"settler {number:05}", joined_at=game.anchor_game)
        for number in range(1, count + 1)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=player.name, player=player)
        for player in players
    )
    return players


def settle_many(game: Game, count: int) -> list[Row]:
    """So many Settlers with Domains, a Farm, and three of everything each."""
    chance = Random(count)
    players, rows = seat_many(game, count), []
    for player in players:
        domains = domain_fields(dict(zip(RESOURCES, chance.sample(NUMBERS, 5), strict=True)))
        rows.append(Row(game=game, player=player, entry=1, buildings=["Farm"], **domains))
    settled = Row.objects.bulk_create(rows)
    holders = Holder.objects.filter(player__in=players).values_list("pk", flat=True)
    with at_the_table(game) as table:
        for resource in RESOURCES:
            table.ledger.pay_out(dict.fromkeys(holders, 3), resource)
    return settled


def let_them_deal(game: Game, settlers: Sequence[Row]) -> None:
    """Everybody names a bribe, has an ally, and offers somebody a trade."""
    chance = Random(len(settlers))
    Bribe.objects.bulk_create(
        Bribe(settler=settler, items={resource: chance.randint(1, 4) for resource in RESOURCES})
        for settler in settlers
    )
    Ally.objects.bulk_create(
        Ally(settler=settler, other=ally) for settler, ally in pairwise(settlers)
    )
    last = game.trade_offers.count()
    Offer.objects.bulk_create(
        Offer(
            game=game,
            number=number,
            by=offerer,
            to=receiver,
            gives={"wood": 1},
            takes={"brick": 1},
            entry=1,
        )
        for number, (offerer, receiver) in enumerate(pairwise(settlers), last + 1)
    )
