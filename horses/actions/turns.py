"""What every action at the races has in common: the rules in force, the week's one turn, fees."""

from typing import ClassVar

from horses.rules import legality
from horses.rules.charts import Charts
from horses.rules.legality import ALEXIA
from horses.rules.payouts import HOOF
from horses.rules.titles import ACTIONS, HORSES
from horses.rules.worth import hooves as counted_hooves
from horses.state import WEEKLY, State, save_turn, state_of
from nomic.engine.actions import Action, Inputs
from nomic.engine.forms import ActionForm, Flag
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import ChartBroken, unless_broken


class RaceAction(Action):
    """An action that the running race's rules allow.

    `needs` are the charts that only performing it would read: one that cannot be read refuses it.
    """

    rule = HORSES
    needs: ClassVar[tuple[str, ...]] = ()

    def applies(self, table: Table) -> bool:
        return table.rules.in_force(HORSES, self.rule) and state_of(table).race is not None

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        state = state_of(table)
        for chart in self.needs:
            getattr(state.charts, chart)
        return self.why_not(state, player, data)

    def price(self, table: Table) -> str:
        fee = unless_broken(lambda: self.hooves(state_of(table)), 0)
        return counted_hooves(fee) if fee else ""

    def brings(self, table: Table, player: Player | None, data: Inputs) -> str:
        state = state_of(table)
        told = unless_broken(lambda: self.worth(state.charts, data), None)
        if told is None:
            return self.about
        return f"{told} {self.turn(state, player, data)}".rstrip()

    def worth(self, charts: Charts, data: Inputs) -> str:
        """What it brings and costs with the inputs chosen so far. Raises ChartBroken."""
        return self.about

    def turn(self, state: State, player: Player | None, data: Inputs) -> str:
        """Which of the player's turns it uses; "" if none."""
        return ""

    def hooves(self, state: State) -> int:
        """What it costs whatever is chosen, in hooves. Raises ChartBroken."""
        return 0

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        """Why this is not legal at the races; None if it is. Raises ChartBroken."""
        raise NotImplementedError


def _alexia_refusal(state: State, player: Player) -> Refusal | None:
    """Why the player takes no weekly race action more through Alexia's power."""
    try:
        state.charts.power(ALEXIA)
    except ChartBroken as broken:
        return broken.refusal
    return legality.weekly_refusal(state.seat(player), True)


class WeeklyForm(ActionForm):
    """The inputs that every weekly race action has besides its own."""

    via_alexia = Flag(label="Through Alexia's power")


class WeeklyRaceAction(RaceAction):
    """One a week for each player, and one more a month through Alexia's power (Horse Powers)."""

    rule = ACTIONS
    Form = WeeklyForm
    may_follow = (
        "[by announcement] (via|through|using|by|with) Alexia's power{via_alexia:on}",
        "(by announcement|as weekly race action|as race action this week|this week)",
    )

    def applies(self, table: Table) -> bool:
        return table.rules.in_force(ACTIONS) and super().applies(table)

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        own = legality.weekly_refusal(state.seat(player), False)
        if data.get("via_alexia"):
            own = _alexia_refusal(state, player)
        elif "via_alexia" not in data and own and not _alexia_refusal(state, player):
            own = None
        if own:
            return own
        fee = self.hooves(state)
        return self.race_refusal(state, player, data) or fee_refusal(state, player, fee, HOOF)

    def turn(self, state: State, player: Player | None, data: Inputs) -> str:
        if data.get("via_alexia") or (player is not None and state.seat(player).acted):
            return "It uses Alexia's power, which you have once a month."
        return "This is your race action of the week."

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        said = self.do(table, state_of(table), player, data)
        through_alexia = data["via_alexia"]
        save_turn(table, player, ALEXIA if through_alexia else WEEKLY)
        return f"{said}, through Alexia's power." if through_alexia else f"{said}."

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        """Why this is not legal apart from how often; None if it is. Raises ChartBroken."""
        raise NotImplementedError

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        """Do it, and return the announcement without its full stop."""
        raise NotImplementedError


def fee_refusal(state: State, player: Player, fee: int, asset: str) -> Refusal | None:
    """Why the player cannot pay that many dollaries or hooves."""
    return state.table.ledger.cannot_pay(player, fee, asset) if fee else None
