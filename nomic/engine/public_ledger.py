"""What of the ledger everybody may see: nothing of a private asset, nor of an act that is sealed.

Each list of holders, transfers or postings asks here, and leaves the others out as if they were
not there.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from nomic.games.models import Game
from nomic.ledger.models import Balance, Holder, HolderKind, Posting, Visibility
from nomic.record.models import SealedEntry

_OPENED = SealedEntry.objects.filter(opened_in__isnull=False)
_OPENED_TRANSFER = _OPENED.filter(game=OuterRef("game"), seq=OuterRef("sealed"))
_OPENED_POSTING = _OPENED.filter(game=OuterRef("transfer__game"), seq=OuterRef("transfer__sealed"))
_MOVES_SOMETHING_PUBLIC = Exists(
    Posting.objects.filter(transfer=OuterRef("pk"), asset__visibility=Visibility.PUBLIC)
)
_HAD_SOMETHING_PUBLIC = Exists(
    Balance.objects.filter(holder=OuterRef("pk"), asset__visibility=Visibility.PUBLIC)
)
_HIDDEN_AT_FIRST = (HolderKind.DECK, HolderKind.ESCROW)

OPEN_TRANSFERS = Q(_MOVES_SOMETHING_PUBLIC) & (Q(entry__isnull=False) | Q(Exists(_OPENED_TRANSFER)))
OPEN_POSTINGS = Q(asset__visibility=Visibility.PUBLIC) & (
    Q(transfer__entry__isnull=False) | Q(Exists(_OPENED_POSTING))
)


def open_postings(game: Game) -> QuerySet[Any]:
    """The postings that everybody may see, each with the number of the entry that told of it.

    `told_in` is the transfer's own entry, or that which opened its sealed one.
    """
    told_in = Coalesce("transfer__entry", Subquery(_OPENED_POSTING.values("opened_in")))
    found = Posting.objects.filter(OPEN_POSTINGS, transfer__game=game)
    return found.annotate(told_in=told_in)


def open_holders(game: Game) -> QuerySet[Holder]:
    """All who can own, the mint among them; a deck once it has had something public."""
    return game.holders.filter(~Q(kind__in=_HIDDEN_AT_FIRST) | Q(_HAD_SOMETHING_PUBLIC))
