"""Who and what has a name in a game, read in one query: its players, its offices."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, Value
from django.db.models.functions import Coalesce

from nomic.games.models import Game, Player


@dataclass(frozen=True, slots=True)
class Directory:
    """The active players' names, and each office with its holder's name, "" where it is vacant."""

    players: list[str]
    offices: dict[str, str]

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
        players=[name for kind, name, _ in rows if kind == "player"],
        offices={name: holder for kind, name, holder in rows if kind == "office"},
    )
