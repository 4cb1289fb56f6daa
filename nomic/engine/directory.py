"""Who has a name in a game, each kind read once: its players, its offices, its holders; and what of
the ledger everybody may see: nothing of a private asset, nor of an act that is sealed.

Each list of holders, transfers or postings asks here, and leaves the others out as if they were
not there.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Exists, F, OuterRef, PositiveIntegerField, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from nomic.games.models import FormerName, Game, Office, Player
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.ledger.models import AssetVisibility, Balance, Holder, HolderKind, Posting
from nomic.record.models import SealedEntry

_NEVER = Value(None, output_field=PositiveIntegerField())


@dataclass(frozen=True)
class Directory:
    """The active players' names, and each office with its holder's name, "" where it is vacant.

    `since` has the entry in which each office's holder came to it, `former` by each name that a
    player had before the one by which they go now.
    """

    game: Game
    players: list[str]
    offices: dict[str, str]
    since: dict[str, int]
    former: dict[str, str]

    @property
    def holders(self) -> list[str]:
        """All who can own: players, those who left too, and the game's departments.

        A deck is among them once something public was in it.
        """
        return list(self._are_here)

    @property
    def receivers(self) -> list[str]:
        """All who can be given something: the active players and the game's departments."""
        return [name for name, is_here in self._are_here.items() if is_here is not False]

    @cached_property
    def _are_here(self) -> dict[str, bool | None]:
        """Every holder's name, and whether that player is active; None for a department."""
        return dict(open_holders(self.game).values_list("name", "player__active"))

    def held_by(self, player: Player) -> list[str]:
        """The offices that the player holds."""
        return [office for office, holder in self.offices.items() if holder == player.name]

    def since_when(self, player: Player | None, office: str) -> int | None:
        """The entry since which that player holds the office without a break; None where they do
        not hold it."""
        if player is None or self.offices.get(office) != player.name:
            return None
        return self.since[office]


def _names(game: Any) -> QuerySet[Any, Any]:
    offices = Office.objects.filter(game=game).order_by()
    players = Player.objects.filter(game=game, active=True).order_by()
    columns = ("kind", "name", "holder_name", "since")
    vacant = Value("")
    held = offices.annotate(kind=Value("office"), holder_name=Coalesce(F("holder__name"), vacant))
    seats = players.annotate(kind=Value("player"), holder_name=vacant, since=_NEVER)
    former_names = FormerName.objects.filter(game=game).order_by()
    former = former_names.annotate(
        kind=Value("former"), holder_name=F("player__name"), since=_NEVER
    )
    parts = (rows.values_list(*columns) for rows in (held, seats, former))
    parts_together = next(parts).union(*parts, all=True)
    return parts_together.order_by("kind", "name")


_NAMES = CompiledValues(_names)


def read_directory(game: Game) -> Directory:
    """The directory as the database has it now, in the order of the names."""
    rows = _NAMES.all(game=game.pk)
    return Directory(
        game,
        players=[name for kind, name, *_ in rows if kind == "player"],
        offices={name: holder for kind, name, holder, _ in rows if kind == "office"},
        since={name: since for _, name, _, since in rows if since is not None},
        former={name: now for kind, name, now, _ in rows if kind == "former"},
    )


# What of the ledger everybody may see

_OPENED = SealedEntry.objects.filter(opened_in__isnull=False)
_OPENED_TRANSFER = _OPENED.filter(game=OuterRef("game"), seq=OuterRef("sealed"))
_OPENED_POSTING = _OPENED.filter(game=OuterRef("transfer__game"), seq=OuterRef("transfer__sealed"))
_MOVES_SOMETHING_PUBLIC = Exists(
    Posting.objects.filter(transfer=OuterRef("pk"), asset__visibility=AssetVisibility.PUBLIC)
)
_HAD_SOMETHING_PUBLIC = Exists(
    Balance.objects.filter(holder=OuterRef("pk"), asset__visibility=AssetVisibility.PUBLIC)
)
_HIDDEN_AT_FIRST = (HolderKind.DECK, HolderKind.ESCROW)

OPEN_TRANSFERS = Q(_MOVES_SOMETHING_PUBLIC) & (Q(entry__isnull=False) | Q(Exists(_OPENED_TRANSFER)))
OPEN_POSTINGS = Q(asset__visibility=AssetVisibility.PUBLIC) & (
    Q(transfer__entry__isnull=False) | Q(Exists(_OPENED_POSTING))
)


def open_postings(game: Game) -> QuerySet[Any]:
    """The postings that everybody may see, each with the number of the entry that told of it.

    `told_in` is the transfer's own entry, or that which opened its sealed one.
    """
    told_in = Coalesce("transfer__entry", Subquery(_OPENED_POSTING.values("opened_in")))
    postings = Posting.objects.filter(OPEN_POSTINGS, transfer__game=game)
    return postings.annotate(told_in=told_in)


def open_holders(game: Game) -> QuerySet[Holder]:
    """All who can own, the mint among them; a deck once it has had something public."""
    return game.holders.filter(~Q(kind__in=_HIDDEN_AT_FIRST) | Q(_HAD_SOMETHING_PUBLIC))
