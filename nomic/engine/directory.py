"""Who has a name in a game, each kind read once: its players, its offices, its holders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.db.models import F, PositiveIntegerField, Value
from django.db.models.functions import Coalesce

from nomic.engine.public_ledger import open_holders
from nomic.games.models import Game, Player

_NEVER = Value(None, output_field=PositiveIntegerField())


@dataclass(frozen=True)
class Directory:
    """The active players' names, and each office with its holder's name, "" where it is vacant.

    `since` has the entry in which each office's holder came to it.
    """

    game: Game
    players: list[str]
    offices: dict[str, str]
    since: dict[str, int]

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


def read_directory(game: Game) -> Directory:
    """The directory as the database has it now, in the order of the names."""
    offices = game.offices.order_by().annotate(
        kind=Value("office"), holder_name=Coalesce(F("holder__name"), Value(""))
    )
    players = (
        game.players.filter(active=True)
        .order_by()
        .annotate(kind=Value("player"), holder_name=Value(""), since=_NEVER)
    )
    columns = ("kind", "name", "holder_name", "since")
    rows = list(
        offices.values_list(*columns)
        .union(players.values_list(*columns), all=True)
        .order_by("kind", "name")
    )
    return Directory(
        game,
        players=[name for kind, name, *_ in rows if kind == "player"],
        offices={name: holder for kind, name, holder, _ in rows if kind == "office"},
        since={name: since for _, name, _, since in rows if since is not None},
    )
