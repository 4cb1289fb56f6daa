"""Acts of any player at the races (Agora, Proposal 8822). Horse Powers are in powers.py."""

from horses.actions.fields import HorseField, OwnerField, StakeField
from horses.actions.turns import RaceAction, WeeklyForm, WeeklyRaceAction
from horses.events import GAIN, motivate
from horses.models import GearKind
from horses.rules import legality
from horses.rules.legality import BACK, FORWARD
from horses.rules.payouts import DOLLARY, HOOF
from horses.rules.titles import HORSES, MOTIVATING, as_dollaries, as_steps
from horses.state import State, motivator
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Gain, Give, Pay, Then, Verdict
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.programs.hooks import decided
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.ledger.models import AGORA, Holder


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

    def judge(
        self, race: State, player: Player, horse: str | None, dollaries: int | None
    ) -> Verdict:
        seat, charts = race.seat(player), race.charts
        return (
            legality.bet_refusal(race.field, charts, seat, horse)
            or legality.stake_refusal(charts, dollaries)
            or Effects(
                Pay(player, charts.bet_fees(dollaries), DOLLARY, f"bet on {horse}"),
                race.bet(player, horse, dollaries),
                say=f"{player} bets {as_dollaries(dollaries)} on {horse}.",
                outlook=lambda: charts.describe_payoff(horse, dollaries),
            )
        )


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

    def judge(
        self, race: State, player: Player, horse: str | None, added_pull: str | None
    ) -> Verdict:
        joins, pulls = race.pulled(horse, added_pull)
        return legality.jersey_refusal(race.field, race.seat(player), horse) or Effects(
            Pay(player, race.charts.jersey_fee, HOOF, f"jersey for {horse}"),
            race.gear(player, GearKind.JERSEY, horse),
            *pulls,
            say=f"{player} gets a jersey for {horse}, and {joins}.",
            outlook=(
                lambda: race.charts.describe_pull(horse, added_pull),
                race.charts.describe_outfit,
            ),
        )


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

    def judge(self, race: State, player: Player, horse: str | None) -> Verdict:
        return legality.helmet_refusal(race.field, race.seat(player), horse) or Effects(
            Pay(player, race.charts.helmet_fee, HOOF, f"helmet for {horse}"),
            race.gear(player, GearKind.HELMET, horse),
            say=f"{player} gets a helmet for {horse}.",
            outlook=(lambda: race.charts.describe_helmet(horse), race.charts.describe_outfit),
        )


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

    def judge(self, race: State, player: Player, horse: str | None) -> Verdict:
        if refusal := legality.buy_refusal(race.field, race.owners, horse):
            return refusal
        keeper = race.keepers.get(horse or "")
        if horse and keeper is None:
            sentence = f"Nobody has {horse}: an officer's correction has to bring it back."
            return Refusal("horse_missing", sentence, HORSES)
        for_sale = [horse] if horse else {*race.names} - race.owners.keys()
        costs, reason = [race.charts.cost(name) for name in for_sale], f"{horse} bought"
        return Effects(
            Pay(player, costs, DOLLARY, reason),
            Give(keeper or Holder(), player, 1, horse, reason),
            say=f"{player} buys {horse} for {as_dollaries(costs[0])}.",
            outlook=lambda: race.charts.describe_horse(horse),
        )


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

    class Form(WeeklyForm):
        horse = HorseField()
        direction = TextChoice(FORWARD, BACK)

    def judge(
        self, race: State, player: Player, horse: str | None, direction: str | None
    ) -> Verdict:
        far = race.charts.nudge_steps
        moves, steps = race.stepped(horse, direction, far)
        goes = f"{horse or 'The horse'} goes {as_steps(far)} {direction or 'forward or back'}."
        return legality.nudge_refusal(race.field, horse, direction) or Effects(
            Pay(player, race.charts.nudge_fee, HOOF, f"{horse} nudged"),
            *steps,
            say=f"{player} nudges {horse} {direction}: {moves}.",
            outlook=goes,
        )


@action
class GainDollaries(WeeklyRaceAction):
    """Gain dollaries by announcement."""

    name = "horses.gain_dollaries"
    title = "Gain dollaries"
    sentence = "Gain dollaries"
    also_said = ("(Gain|Get|Take|Earn) [{}] dollaries",)

    def judge(self, race: State, player: Player) -> Verdict:
        usual = race.charts.gain

        def gained(gain: int) -> Effects:
            paid = Gain(player, gain, DOLLARY, "gained by announcement")
            return Effects(paid, say=f"{player} gains {as_dollaries(gain)}.")

        def decide(table: Table) -> Effects:
            return gained(decided(table, GAIN, usual, player=player.name))

        return Effects(Then(decide, likely=gained(usual)))


@action
class Motivate(RaceAction):
    """Any player may do it: the dice choose which horse gallops, and how far."""

    name = "horses.motivate"
    title = "Motivate the horses"
    sentence = "Motivate the horses"
    also_said = ("Motivate [all] horses [(by announcement|this week)]",)
    rule = MOTIVATING

    def judge(self, race: State, player: Player) -> Verdict:
        _ = race.charts.pull_steps  # which the run reads
        by = motivator(race.motivation) if race.motivation else None
        return legality.motivate_refusal(by) or motivate(race, player)


@action
class TransferHorse(RaceAction):
    """Give a horse that you own to another player, or to Agora."""

    name = "horses.transfer"
    title = "Give a horse away"
    sentence = "Give {horse} to {to}"
    also_said = ("(Give|Transfer|Hand) [horse] {horse} to {to}", "(Give|Hand) {to} [horse] {horse}")
    confirm = "Whoever gets the horse gets its power, and nothing is paid for it. Give it away?"

    class Form(ActionForm):
        horse = HorseField()
        to = OwnerField()

    def judge(self, race: State, player: Player, horse: str | None, to: str | None) -> Verdict:
        # Without a horse a page only asks what may be chosen, for which nothing need be read.
        is_agoras = horse is not None and to == AGORA
        owner = race.table.ledger.agora if is_agoras else to
        return legality.transfer_refusal(
            race.field, race.seat(player), player.name, horse, to
        ) or Effects(
            Give(player, owner, 1, horse, f"given by {player}"),
            say=f"{player} gives {horse} to {to}.",
            outlook="Its power and its prizes are the new owner's, and nothing is paid for it.",
        )
