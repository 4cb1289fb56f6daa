"""Acts of a horse's owner through its power (Horse Powers). Alexia's is in turns.py."""

from horses.actions.fields import HorseField, StakeField
from horses.actions.turns import RaceAction, WeeklyForm, WeeklyRaceAction
from horses.models import GearKind
from horses.rules import legality
from horses.rules.legality import BACK, CANNON, DESTRUCTOR, FARGO, FORWARD, NACHO, RUBERT, SUGAR
from horses.rules.payouts import DOLLARY, HOOF
from horses.rules.race import has_lowest
from horses.rules.titles import POWERS, as_dollaries, as_steps
from horses.state import State
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Pay, Verdict
from nomic.engine.forms import ActionForm
from nomic.games.models import Player


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

    def judge(self, race: State, player: Player, horse: str | None) -> Verdict:
        power, which = race.charts.power(FARGO), horse or "the horse"
        bet = as_dollaries(power.dollaries)
        return legality.fargo_refusal(race.field, race.seat(player), horse) or Effects(
            Pay(player, power.fee, HOOF, "Fargo's power"),
            race.gear(player, GearKind.HELMET, horse),
            *([race.bet(player, horse, power.dollaries)] if power.dollaries else []),
            say=f"{player} gets a helmet for {horse} and bets {bet} on it, by Fargo's power.",
            outlook=(
                f"You get a helmet for {which} and a bet of {bet} on it.",
                lambda: race.charts.describe_payoff(horse, None) if horse else "",
            ),
        )


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

    def judge(
        self,
        race: State,
        player: Player,
        horse: str | None,
        pulling_horse: str | None,
        added_pull: str | None,
    ) -> Verdict:
        fee, (joins, pulls) = race.charts.power(NACHO).fee, race.pulled(pulling_horse, added_pull)
        return legality.nacho_refusal(
            race.field, race.seat(player), horse, pulling_horse
        ) or Effects(
            Pay(player, fee, HOOF, "Nacho's power"),
            race.gear(player, GearKind.JERSEY, horse),
            *pulls,
            say=f"{player} gets a jersey for {horse} by Nacho's power, and {joins}.",
            outlook=(
                lambda: race.charts.describe_pull(pulling_horse, added_pull),
                race.charts.describe_outfit,
            ),
        )


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

    def judge(
        self, race: State, player: Player, horse: str | None, dollaries: int | None
    ) -> Verdict:
        charts, far = race.charts, race.charts.power(RUBERT).steps
        refusal = legality.rubert_refusal(
            race.field, charts, race.seat(player), horse
        ) or legality.stake_refusal(charts, dollaries)
        if refusal:
            return refusal
        # Never refused for want of a step: it is a bet first, and the steps come with it “if”.
        is_last = horse is not None and has_lowest(race.field, horse)
        moves, steps = race.stepped(horse, FORWARD, far if is_last else 0)
        goes = f"If no horse is behind {horse or 'the horse'}, it goes {as_steps(far)} forward."
        bets = f"{player} bets {as_dollaries(dollaries)} on {horse} by Rubert's power"
        return Effects(
            Pay(player, charts.bet_fees(dollaries), DOLLARY, "Rubert's power"),
            race.bet(player, horse, dollaries),
            *steps,
            say=f"{bets}; {moves}." if steps else f"{bets}.",
            outlook=(lambda: charts.describe_payoff(horse, dollaries), goes),
        )


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

    def judge(self, race: State, player: Player, horse: str | None) -> Verdict:
        power, which = race.charts.power(SUGAR), horse or "the horse"
        moves, steps = race.stepped(horse, FORWARD, power.steps)
        far = as_steps(power.steps)
        return legality.sugar_refusal(race.field, race.seat(player), horse) or Effects(
            Pay(player, power.fee, HOOF, "Sugar's power"),
            race.gear(player, GearKind.HELMET, horse),
            *steps,
            say=f"{player} gets a helmet for {horse} by Sugar's power; {moves}.",
            outlook=f"You get a helmet for {which}, which goes {far} forward.",
        )


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

    def judge(self, race: State, player: Player) -> Verdict:
        moves, steps = race.stepped(CANNON, FORWARD, race.charts.power(CANNON).steps)
        return legality.cannon_refusal(race.field, race.seat(player)) or Effects(
            race.turn(player, CANNON),
            *steps,
            say=f"{player} uses Cannon's power: {moves}.",
            outlook=lambda: race.charts.describe_power(CANNON),
        )


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

    def judge(self, race: State, player: Player, horse: str | None) -> Verdict:
        moves, steps = race.stepped(horse, BACK, race.charts.power(DESTRUCTOR).steps)
        return legality.destructor_refusal(race.field, race.seat(player), horse) or Effects(
            race.turn(player, DESTRUCTOR),
            *steps,
            say=f"{player} uses Destructor's power: {moves}.",
            outlook=lambda: race.charts.describe_power(DESTRUCTOR),
        )
