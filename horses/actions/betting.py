"""What a player can do at the races (Agora, Proposal 8822). Horse Powers are in powers.py."""

from horses.actions.fields import HorseField, OwnerField, StakeField
from horses.actions.turns import RaceAction, WeeklyForm, WeeklyRaceAction, fee_refusal
from horses.events.starting import LAST_HOUR
from horses.models import GearKind
from horses.rules import legality, worth
from horses.rules.charts import Charts
from horses.rules.legality import BACK, FORWARD, STEP_BY
from horses.rules.payouts import DOLLARY, HOOF
from horses.rules.race import step
from horses.rules.titles import HORSES, MOTIVATING
from horses.rules.worth import dollaries, steps
from horses.state import (
    AGORA,
    State,
    describe_moves,
    motivator,
    save_bet,
    save_field,
    save_gear,
    save_motivation,
    state_of,
)
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.decisions import MOST_DECIDED, decided, publish
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.ledger.models import Holder


def stake_refusal(state: State, player: Player, stake: int | None) -> Refusal | None:
    """Why the player cannot bet that stake; with none chosen, why none at all."""
    bets = state.charts.bets
    if refusal := legality.stake_refusal(state.charts, stake):
        return refusal
    fee = min(bets.values()) if stake is None else bets[stake]
    return fee_refusal(state, player, fee, DOLLARY)


@action
class Bet(WeeklyRaceAction):
    """Bet dollaries on a horse."""

    name = "horses.bet"
    title = "Bet on a horse"
    sentence = "Bet {dollaries} dollaries on {horse}"
    also_said = (
        "Bet {dollaries} [dollaries] on {horse} [by paying [fee of] {} dollaries]",
        "(Place|Make|Put) [bet of] {dollaries} dollaries on {horse}",
        "Pay [fee of] {} dollaries to bet {dollaries} dollaries on {horse}",
        "Bet on {horse}",
    )

    class Form(WeeklyForm):
        horse = HorseField()
        dollaries = StakeField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_a_bet(charts, data.get("horse"), data.get("dollaries"))

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        seat = state.seat(player)
        return legality.bet_refusal(
            state.field, state.charts, seat, data.get("horse")
        ) or stake_refusal(state, player, data.get("dollaries"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, stake = data["horse"], data["dollaries"]
        table.ledger.destroy(player, state.charts.bets[stake], DOLLARY, f"bet on {horse}")
        save_bet(table, player, horse, stake)
        return f"{player} bets {dollaries(stake)} on {horse}"


@action
class GetJersey(WeeklyRaceAction):
    """Get a jersey for a horse, and add a horse to its pulls."""

    name = "horses.get_jersey"
    title = "Get a jersey"
    sentence = "Get a jersey for {horse} and add {added_pull} to its pulls"
    also_said = (
        "[Pay {} hoof to] (get|buy) jersey for {horse} [by paying {} hoof]",
        "[Pay {} hoof to] (get|buy) jersey for {horse} [and] (add|adding) {added_pull} to"
        " (its|horse's) pull [by paying {} hoof]",
        "[Pay {} hoof to] (get|buy) jersey for {horse} specifying {added_pull} [to be added to its"
        " pull] [by paying {} hoof]",
    )
    button = "Get it"

    class Form(WeeklyForm):
        horse = HorseField()
        added_pull = HorseField(label="Added pull")

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_a_jersey(charts, data.get("horse"), data.get("added_pull"))

    def hooves(self, state: State) -> int:
        return state.charts.jersey_fee

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return legality.jersey_refusal(state.field, state.seat(player), data.get("horse"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, added = data["horse"], data["added_pull"]
        table.ledger.destroy(player, state.charts.jersey_fee, HOOF, f"jersey for {horse}")
        save_gear(table, player, GearKind.JERSEY, horse)
        save_field(table, state.field.with_pull(horse, added))
        return f"{player} gets a jersey for {horse}, and {describe_pull(state, horse, added)}"


def describe_pull(state: State, horse: str, added: str) -> str:
    """What adding a pull does, in words."""
    if added in state.field[horse].pulls:
        return f"{added} is among {horse}'s pulls already"
    return f"{added} joins {horse}'s pulls"


@action
class GetHelmet(WeeklyRaceAction):
    """Get a helmet for a horse."""

    name = "horses.get_helmet"
    title = "Get a helmet"
    sentence = "Get a helmet for {horse}"
    also_said = (
        "(Get|Buy|Take) helmet for {horse} [(by paying|for) {} hoof]",
        "Pay {} hoof (to get|for) helmet for {horse}",
    )
    button = "Get it"

    class Form(WeeklyForm):
        horse = HorseField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_a_helmet(charts, data.get("horse"))

    def hooves(self, state: State) -> int:
        return state.charts.helmet_fee

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return legality.helmet_refusal(state.field, state.seat(player), data.get("horse"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse = data["horse"]
        table.ledger.destroy(player, state.charts.helmet_fee, HOOF, f"helmet for {horse}")
        save_gear(table, player, GearKind.HELMET, horse)
        return f"{player} gets a helmet for {horse}"


@action
class Buy(WeeklyRaceAction):
    """Buy a horse from Agora at its cost."""

    name = "horses.buy"
    title = "Buy a horse"
    sentence = "Buy {horse} from Agora"
    also_said = (
        "(Buy|Purchase) {horse} [from Agora] [for {} dollaries]",
        "Transfer {horse} [(owned by|from) Agora] to (myself|me|emself) [by paying [fee of] {}"
        " dollaries]",
        "Pay {} dollaries (for|to buy) {horse}",
    )

    class Form(WeeklyForm):
        horse = HorseField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_buying(charts, data.get("horse"))

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        owners, horse = state.owners, data.get("horse")
        if refusal := legality.buy_refusal(state.field, owners, horse):
            return refusal
        if horse and state.keeper_of(horse) is None:
            sentence = f"Nobody has {horse}: an officer's correction has to bring it back."
            return Refusal("horse_missing", sentence, HORSES)
        for_sale = [name for name in state.names if name not in owners]
        cost = min(map(state.charts.cost, [horse] if horse else for_sale))
        return fee_refusal(state, player, cost, DOLLARY)

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, cost = data["horse"], state.charts.cost(data["horse"])
        table.ledger.destroy(player, cost, DOLLARY, f"{horse} bought")
        table.ledger.transfer(
            Holder(pk=state.keeper_of(horse)), player, 1, horse, f"{horse} bought"
        )
        return f"{player} buys {horse} for {dollaries(cost)}"


@action
class Nudge(WeeklyRaceAction):
    """Move a Running horse forward or back, a step at a time."""

    name = "horses.nudge"
    title = "Nudge a horse"
    sentence = "Nudge {horse} {direction}"
    also_said = (
        "(Nudge|Move) {horse} {direction} [twice] [(by paying|for) {} hooves]",
        "[Pay {} hooves to] increase {horse}'s Race Position by {} twice{direction:forward}"
        " [by paying {} hooves]",
        "[Pay {} hooves to] decrease {horse}'s Race Position by {} twice{direction:back}"
        " [by paying {} hooves]",
        "[Pay {} hooves to] increase Race Position of {horse} by {} twice{direction:forward}"
        " [by paying {} hooves]",
        "[Pay {} hooves to] decrease Race Position of {horse} by {} twice{direction:back}"
        " [by paying {} hooves]",
        "Nudge {horse}",
    )

    needs = ("nudge_steps",)

    class Form(WeeklyForm):
        horse = HorseField()
        direction = TextChoice(FORWARD, BACK)

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_a_nudge(charts, data.get("horse"), data.get("direction"))

    def hooves(self, state: State) -> int:
        return state.charts.nudge_fee

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return legality.nudge_refusal(state.field, data.get("horse"), data.get("direction"))

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        horse, charts = data["horse"], state.charts
        table.ledger.destroy(player, charts.nudge_fee, HOOF, f"{horse} nudged")
        moves, field = step(state.field, horse, STEP_BY[data["direction"]], charts.nudge_steps)
        save_field(table, field)
        return f"{player} nudges {horse} {data['direction']}: {describe_moves(moves)}"


GAIN = publish(
    "horses.gain",
    "int",
    "How many dollaries a player gains by announcement.",
    {"player": "Player"},
    lambda table, gain: 0 <= gain <= MOST_DECIDED,
)


@action
class GainDollaries(WeeklyRaceAction):
    """Gain dollaries by announcement."""

    name = "horses.gain_dollaries"
    title = "Gain dollaries"
    sentence = "Gain dollaries"
    also_said = ("(Gain|Get|Take|Earn) [{}] dollaries",)
    needs = ("gain",)

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_gaining(charts)

    def race_refusal(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return None

    def do(self, table: Table, state: State, player: Player, data: Inputs) -> str:
        gain = decided(table, GAIN, state.charts.gain, player=player.name)
        table.ledger.create(player, gain, DOLLARY, "gained by announcement")
        return f"{player} gains {dollaries(gain)}"


@action
class Motivate(RaceAction):
    """Any player may do it: the dice choose which horse gallops, and how far."""

    name = "horses.motivate"
    title = "Motivate the horses"
    sentence = "Motivate the horses"
    also_said = ("Motivate [all] horses [(by announcement|this week)]",)
    rule = MOTIVATING
    needs = ("distances", "pull_steps")

    def worth(self, charts: Charts, data: Inputs) -> str:
        return worth.of_motivating(charts)

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        motivated = state.motivation
        by = motivator(motivated) if motivated else None
        return legality.motivate_refusal(by)

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        return motivate(table, player)


def motivate(table: Table, by: Player | None) -> Outcome:
    """Let the dice choose this week's galloper and distance (Motivating Horses)."""
    state = state_of(table)
    galloper: str = table.dice.choose("galloper", state.names)
    distance: int = table.dice.choose("distance", list(state.charts.distances))
    save_motivation(table, galloper, distance, by)
    if by is not None:
        table.appointments.cancel(LAST_HOUR)
    who = by.name if by else "Nobody has yet, so the system, for the Horsened,"
    text = f"{who} motivates the horses: {galloper} will gallop {steps(distance)}."
    return Outcome(text, {"galloper": galloper, "distance": distance})


@action
class Transfer(RaceAction):
    """Give a horse that you own to another player, or to Agora."""

    name = "horses.transfer"
    title = "Give a horse away"
    sentence = "Give {horse} to {to}"
    also_said = ("(Give|Transfer|Hand) [horse] {horse} to {to}", "(Give|Hand) {to} [horse] {horse}")
    confirm = "Whoever gets the horse gets its power, and nothing is paid for it. Give it away?"

    class Form(ActionForm):
        horse = HorseField()
        to = OwnerField()

    def worth(self, charts: Charts, data: Inputs) -> str:
        return "Costs nothing. Its power and its prizes are the new owner's."

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        horse = data.get("horse")
        refusal = legality.transfer_refusal(
            state.field, state.seat(player), player.name, horse, data.get("to")
        )
        if refusal or horse is None:
            return refusal
        return state.table.ledger.cannot_transfer(player, 1, horse)

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        horse, to = data["horse"], data["to"]
        owner = table.ledger.agora if to == AGORA else table.seat(to)
        table.ledger.transfer(player, owner, 1, horse, f"given by {player}")
        return f"{player} gives {horse} to {to}."
