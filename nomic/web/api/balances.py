"""Who owns what, of all that is public."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from nomic.engine.directory import open_holders
from nomic.ledger.models import Asset, AssetKind, Balance, HolderKind, Visibility
from nomic.web.api import shapes
from nomic.web.api.answers import a_piece
from nomic.web.api.rooms import AFTER, GAME, reading, room, the_record_of

router = room("ledger")


@router.get(f"{GAME}/balances", response=reading(shapes.Balances))
def balances(request: HttpRequest, response: HttpResponse, slug: str, after: int = AFTER) -> Any:
    """What everybody has: holder, asset, amount.

    Each player has a figure for each public currency, 0 included; a unique thing stands only
    with its owner. “Agora” is the game itself.
    """
    game = the_record_of(request, slug)
    public = Asset.objects.filter(game=game, visibility=Visibility.PUBLIC)
    currencies = list(public.filter(kind=AssetKind.CURRENCY).values_list("name", flat=True))
    found: dict[str, dict[str, int]] = {}
    holders = open_holders(game).exclude(kind=HolderKind.MINT)
    for name, kind in holders.values_list("name", "kind"):
        found[name] = dict.fromkeys(currencies, 0) if kind == HolderKind.PLAYER else {}
    rows = Balance.objects.filter(asset__in=public, is_mint=False, amount__gt=0).order_by(
        "holder__name", "asset__name"
    )
    for holder, asset, amount in rows.values_list("holder__name", "asset__name", "amount"):
        found.setdefault(holder, {})[asset] = amount
    return a_piece(request, response, found, after)
