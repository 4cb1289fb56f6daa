"""What a horse's owner can do through its power (Horse Powers). Alexia's is in betting.py."""

from horses.actions.betting import describe_pull, stake_refusal
from horses.actions.fields import HorseField, StakeField
from horses.actions.turns import RaceAction, WeeklyForm, WeeklyRaceAction
from horses.models import GearKind
from horses.rules import legality, worth
from horses.rules.charts import Charts
from horses.rules.legality import (
    BACK,
    CANNON,
    DESTRUCTOR,
    FARGO,
    FORWARD,
    NACHO,
    RUBERT,
    STEP_BY,
    SUGAR,
)
from horses.rules.payouts import DOLLARY, HOOF
from horses.rules.race import has_lowest, step
from horses.rules.titles import POWERS
from horses.rules.worth import dollaries
from horses.state import State, describe_moves, save_bet, save_field, save_gear, save_turn, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal


@action
class FargoPower(WeeklyRaceAction):
    """Get a helmet for a horse and bet on it, for one fee."""

    name = "horses.fargo_power"
    title = "Fargo's power"
    sentence = "Get a helmet for {horse} and bet on it, through Fargo's power"
    also_said = (
        "Use Fargo's power [(on|for) {horse}]",
        "Get helmet for and bet [{} dollaries] on {horse} [(via|through|using|by|with) Fargo's"
        " power] [by paying {} hoof]",
    )
    button = "Get it and bet"
    rule = POWERS

    class Form(WeeklyForm):
        horse = HorseField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_fargos_power(charts, data.get("horse"))

    def hooves(self, state: State) -> int:
        return state.charts.power(FARGO).fee

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return legality.fargo_refusal(state.field, state.seat(player), data.get("horse"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, power = data["horse"], state.charts.power(FARGO)
        table.ledger.destroy(player, power.fee, HOOF, "Fargo's power")
        save_gear(table, player, GearKind.HELMET, horse)
        if power.dollaries:
            save_bet(table, player, horse, power.dollaries)
        bet = dollaries(power.dollaries)
        return f"{player} gets a helmet for {horse} and bets {bet} on it, by Fargo's power"


@action
class NachoPower(WeeklyRaceAction):
    """Get a jersey for a horse, and add a horse to the pulls of another one."""

    name = "horses.nacho_power"
    title = "Nacho's power"
    sentence = (
        "Get a jersey for {horse} and add {added_pull} to the pulls of {pulling_horse}, "
        "through Nacho's power"
    )
    also_said = (
        "Use Nacho's power [(on|for) {horse}]",
        "Get jersey for {horse} [and] (add|adding) {added_pull} to {pulling_horse}'s pull"
        " (via|through|using|by|with) Nacho's power",
    )
    button = "Get it"
    rule = POWERS

    class Form(WeeklyForm):
        horse = HorseField()
        pulling_horse = HorseField(label="Pulling horse")
        added_pull = HorseField(label="Added pull")

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_nachos_power(charts, data.get("pulling_horse"), data.get("added_pull"))

    def hooves(self, state: State) -> int:
        return state.charts.power(NACHO).fee

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        horse, pulling = data.get("horse"), data.get("pulling_horse")
        return legality.nacho_refusal(state.field, state.seat(player), horse, pulling)

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, pulling, added = data["horse"], data["pulling_horse"], data["added_pull"]
        table.ledger.destroy(player, state.charts.power(NACHO).fee, HOOF, "Nacho's power")
        save_gear(table, player, GearKind.JERSEY, horse)
        save_field(table, state.field.with_pull(pulling, added))
        what = describe_pull(state, pulling, added)
        return f"{player} gets a jersey for {horse} by Nacho's power, and {what}"


@action
class RubertPower(WeeklyRaceAction):
    """Bet on a horse, which goes forward if no horse has a lower position."""

    name = "horses.rubert_power"
    title = "Rubert's power"
    sentence = "Bet {dollaries} dollaries on {horse}, through Rubert's power"
    also_said = (
        "Bet {dollaries} [dollaries] on {horse} (via|through|using|by|with) Rubert's power",
        "Use Rubert's power [to bet {dollaries} dollaries on {horse}]",
    )
    button = "Bet"
    rule = POWERS

    class Form(WeeklyForm):
        horse = HorseField()
        dollaries = StakeField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_ruberts_power(charts, data.get("horse"), data.get("dollaries"))

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        state.charts.power(RUBERT)
        seat = state.seat(player)
        return legality.rubert_refusal(
            state.field, state.charts, seat, data.get("horse")
        ) or stake_refusal(state, player, data.get("dollaries"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, stake = data["horse"], data["dollaries"]
        table.ledger.destroy(player, state.charts.bets[stake], DOLLARY, "Rubert's power")
        save_bet(table, player, horse, stake)
        bet = dollaries(stake)
        said = f"{player} bets {bet} on {horse} by Rubert's power"
        if not has_lowest(state.field, horse):
            return said
        moves, field = step(state.field, horse, 1, state.charts.power(RUBERT).steps)
        save_field(table, field)
        return f"{said}; {describe_moves(moves)}" if moves else said


@action
class SugarPower(WeeklyRaceAction):
    """Get a helmet for a horse and move it forward."""

    name = "horses.sugar_power"
    title = "Sugar's power"
    sentence = "Get a helmet for {horse} and move it forward, through Sugar's power"
    also_said = (
        "Use Sugar's power [(on|for) {horse}]",
        "Get helmet for and increase Race Position of {horse} by {} [(via|through|using|by|with)"
        " Sugar's power] [by paying {} hoof]",
    )
    button = "Get it"
    rule = POWERS

    class Form(WeeklyForm):
        horse = HorseField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_sugars_power(charts, data.get("horse"))

    def hooves(self, state: State) -> int:
        return state.charts.power(SUGAR).fee

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return legality.sugar_refusal(state.field, state.seat(player), data.get("horse"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, power = data["horse"], state.charts.power(SUGAR)
        table.ledger.destroy(player, power.fee, HOOF, "Sugar's power")
        save_gear(table, player, GearKind.HELMET, horse)
        moves, field = step(state.field, horse, STEP_BY[FORWARD], power.steps)
        save_field(table, field)
        return f"{player} gets a helmet for {horse} by Sugar's power; {describe_moves(moves)}"


@action
class CannonPower(RaceAction):
    """Once a month, move Cannon forward."""

    name = "horses.cannon_power"
    title = "Cannon's power"
    sentence = "Move Cannon forward, through its power"
    also_said = (
        "Use Cannon's power",
        "Increase Cannon's Race Position by {} [by announcement]"
        " [(via|through|using|by|with) (its|Cannon's) power]",
    )
    button = "Move"
    rule = POWERS

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_the_power(charts, CANNON)

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        state.charts.power(CANNON)
        return legality.cannon_refusal(state.field, state.seat(player))

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        state = state_of(table)
        moves, field = step(state.field, CANNON, STEP_BY[FORWARD], state.charts.power(CANNON).steps)
        save_turn(table, player, CANNON)
        save_field(table, field)
        return f"{player} uses Cannon's power: {describe_moves(moves)}."


@action
class DestructorPower(RaceAction):
    """Once a month, move a Running horse back, a step at a time."""

    name = "horses.destructor_power"
    title = "Destructor's power"
    sentence = "Move {horse} back, through Destructor's power"
    also_said = (
        "Use Destructor's power [(on|against) {horse}]",
        "Decrease {horse}'s Race Position by {} [twice] (via|through|using|by|with) Destructor's"
        " power",
    )
    button = "Move"
    rule = POWERS

    class Form(ActionForm):
        horse = HorseField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_the_power(charts, DESTRUCTOR)

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        state.charts.power(DESTRUCTOR)
        return legality.destructor_refusal(state.field, state.seat(player), data.get("horse"))

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        state = state_of(table)
        steps = state.charts.power(DESTRUCTOR).steps
        moves, field = step(state.field, data["horse"], STEP_BY[BACK], steps)
        save_turn(table, player, DESTRUCTOR)
        save_field(table, field)
        return f"{player} uses Destructor's power: {describe_moves(moves)}."
