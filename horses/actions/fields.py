"""Inputs of the races' actions that take their choices from the running race."""

from typing import Any

from horses.state import AGORA, state_of
from nomic.engine.forms import IntegerChoice, PlayerField, TextChoice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.charts import ChartBroken


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
    """One of the stakes in the rule's table of bets, in dollaries.

    Where the table cannot be read any stake passes here, and the action is refused with the reason.
    """

    is_broken = False

    def offer(self, table: Table, player: Player | None) -> None:
        try:
            self.numbers = tuple(sorted(state_of(table).charts.bets))
        except ChartBroken:
            self.numbers, self.is_broken = (), True
        self.choices = [(number, str(number)) for number in self.numbers]
        listed = ", ".join(map(str, self.numbers))
        self.error_messages["invalid_choice"] = f"A bet is of one of {listed} dollaries."

    def valid_value(self, value: Any) -> bool:
        return self.is_broken or super().valid_value(value)
