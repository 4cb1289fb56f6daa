"""Who has a name in a game, each kind read once: its players, its offices, its holders."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.db.models import F, Value
from django.db.models.functions import Coalesce

from nomic.games.models import Game, Player


@dataclass(frozen=True)
class Directory:
    """The active players' names, and each office with its holder's name, "" where it is vacant."""

    game: Game
    players: list[str]
    offices: dict[str, str]

    @cached_property
    def holders(self) -> list[str]:
        """All who can own: players, those who left too, and the game's departments."""
        return list(self.game.holders.values_list("name", flat=True))

    @cached_property
    def receivers(self) -> list[str]:
        """All who can be given something: the active players and the game's departments."""
        departments = self.game.holders.filter(player=None).values_list("name", flat=True)
        return sorted([*self.players, *departments])

    def held_by(self, player: Player) -> list[str]:
        """The offices that the player holds."""
        return [office for office, holder in self.offices.items() if holder == player.name]


def read_directory(game: Game) -> Directory:
    """The directory as the database has it now, in the order of the names."""
    offices = game.offices.order_by().annotate(
        kind=Value("office"), holder_name=Coalesce(F("holder__name"), Value(""))
    )
    players = (
        game.players.filter(active=True)
        .order_by()
        .annotate(kind=Value("player"), holder_name=Value(""))
    )
    columns = ("kind", "name", "holder_name")
    rows = list(
        offices.values_list(*columns)
        .union(players.values_list(*columns), all=True)
        .order_by("kind", "name")
    )
    return Directory(
        game,
        players=[name for kind, name, _ in rows if kind == "player"],
        offices={name: holder for kind, name, holder in rows if kind == "office"},
    )
