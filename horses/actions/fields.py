"""Inputs of the races' actions that take their choices from the running race."""

from horses.state import state_of
from nomic.engine.forms import IntegerChoice, PlayerField, TextChoice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.ledger.models import AGORA


class HorseField(TextChoice):
    """A horse of the running race by name."""

    noun = "horse"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return state_of(table).names


class OwnerField(PlayerField):
    """Who can own a horse: a player, or Agora (Horses)."""

    noun = "owner"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [*super().options(table, player), AGORA]


class StakeField(IntegerChoice):
    """One of the stakes in the rule's table of bets, in dollaries."""

    unknown = "A bet is of one of {} dollaries."

    def options(self, table: Table, player: Player | None) -> list[int]:
        return sorted(state_of(table).charts.bets)
