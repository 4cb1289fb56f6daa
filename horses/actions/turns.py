"""The base of every action at the races: the rules in force, and the week's one turn."""

from horses.models import WEEKLY
from horses.rules import legality
from horses.rules.legality import ALEXIA
from horses.rules.titles import ACTIONS, HORSES
from horses.state import State, state_of
from nomic.engine.actions import Action, Inputs
from nomic.engine.effects import Effects
from nomic.engine.forms import ActionForm, Flag
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.rulebook.tables import TableBroken


class RaceAction(Action):
    """An action that the running race's rules allow."""

    rule = HORSES
    State = State

    def absence(self, table: Table) -> Refusal | None:
        in_force = table.rules.in_force(HORSES, self.rule)
        return self.needs(in_force and state_of(table).race is not None)


class WeeklyForm(ActionForm):
    """The inputs that every weekly race action has besides its own."""

    may_follow = (
        "[by announcement] (via|through|using|by|with) Alexia's power{via_alexia:on}",
        "(by announcement|as weekly race action|as race action this week|this week)",
    )
    via_alexia = Flag(label="Through Alexia's power")


class WeeklyRaceAction(RaceAction):
    """One a week for each player, and one more a month through Alexia's power (Horse Powers)."""

    rule = ACTIONS
    Form = WeeklyForm

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.rules.in_force(ACTIONS)) or super().absence(table)

    def verdict(self, table: Table, player: Player, data: Inputs) -> Refusal | Effects:
        """The act's effects with the turn that it uses up; a refusal if the player has no turn."""
        race, chosen = state_of(table), data.get("via_alexia")
        seat = race.seat(player)
        used = refusal = legality.weekly_refusal(seat, False)
        via_alexia = bool(used) if chosen is None else chosen
        if via_alexia:
            try:
                race.charts.power(ALEXIA)
                refusal = legality.weekly_refusal(seat, True)
            except TableBroken as broken:
                refusal = broken.refusal
            if refusal and chosen is None:
                refusal = used
        effects = refusal or super().verdict(table, player, data)
        if isinstance(effects, Refusal):
            return effects
        if not via_alexia:
            turn = "This is your race action of the week."
            return effects.also(race.turn(player, WEEKLY), outlook=(*effects.outlook, turn))
        turn, how = (
            "It uses Alexia's power, which you have once a month.",
            ", through Alexia's power",
        )
        return effects.also(race.turn(player, ALEXIA), outlook=(*effects.outlook, turn), ending=how)
