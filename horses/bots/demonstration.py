"""The demonstration's races: each player would like to own some horses more than others."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

from horses.bots.practice import practice
from horses.state import state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.simulation.bots import Act, Demonstration, take_first

_FILE = Path(__file__).with_name("demonstration.toml")
_FAVOURITES: dict[str, list[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["favourites"]


class DemonstrationRaces(Demonstration):
    """Bets and powers of each week; whoever acts first motivates the horses."""

    def play(self, player: Player, week: int, chance: Random) -> None:
        take_first(player, lambda *_: [("horses.motivate", {})])
        take_first(player, lambda table, player: _moves(table, player, chance))


def _moves(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """A horse that they would like to own, then what makes sense for anybody."""
    if player.name not in state_of(table).owners.values():
        for horse in _FAVOURITES[player.name]:
            yield "horses.buy", {"horse": horse}
    yield from practice(table, player, chance)
