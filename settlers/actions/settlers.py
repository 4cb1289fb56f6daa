"""Acts of a Settler by themselves: come, harvest, build, be Ready, deal with Merchant and Thug."""

from collections.abc import Sequence
from typing import Any, ClassVar

from nomic.engine.actions import Action, Inputs, PrivateAction, action
from nomic.engine.effects import Effects, Gain, Pay, Roll, Set, Then, Together, Verdict
from nomic.engine.forms import ActionForm
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal, first_refusal
from nomic.games.wording import enumerated
from settlers.actions.fields import (
    BonusesField,
    BuildingField,
    ChangeField,
    ItemsField,
    ResourceField,
)
from settlers.events.clock import schedule_production
from settlers.events.victory import settle_victories
from settlers.models import Settler as Row
from settlers.models import domain_fields
from settlers.rules import isle as rules
from settlers.rules import legality
from settlers.rules.isle import Bonus, Change, Items, Shift, Swap, describe_items
from settlers.rules.titles import DECK, GIFT, MERCHANT, THUG
from settlers.secrecy import save_bribe
from settlers.state.decisions import buildings_for, harvest
from settlers.state.reading import State, state_of


class IsleAction(Action):
    """An action that the isle's rules allow."""

    rule = GIFT
    State = State

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.rules.in_force(self.rule) and state_of(table).is_on)


class SettlerAction(IsleAction):
    """An action for Settlers only."""

    def verdict(self, table: Table, player: Player, data: Inputs) -> Refusal | Effects:
        state = state_of(table)
        if state.settler(player) is None:
            return no_settler(state, player)
        return super().verdict(table, player, data)


def no_settler(state: State, player: Player) -> Refusal:
    """The refusal for somebody who is not on the isle."""
    if state.is_onlooker(player):
        sentence = "The Onlooker is not a Settler while in office. Resign the office first."
        return Refusal("is_onlooker", sentence, GIFT)
    return Refusal("no_settler", "You are not a Settler yet. Join the isle first.", GIFT)


@action
class Join(IsleAction):
    """Costs nothing. The dice give you a Domain of each resource, each with a number."""

    name = "settlers.join"
    title = "Become a Settler"
    sentence = "Become a Settler of the isle"
    also_said = ("Become a Settler", "Settle", "Settle on the isle", "Join the isle")
    button = "Settle"

    def judge(self, state: State, player: Player) -> Verdict:
        if state.is_onlooker(player):
            return no_settler(state, player)
        if state.row(player) is not None:
            return Refusal("is_settler", "You are a Settler already.", GIFT)

        def settle(rolled: Sequence[int]) -> Effects:
            domains = dict(zip(rules.RESOURCES, rolled, strict=True))
            in_words = ", ".join(f"{resource} {number}" for resource, number in domains.items())
            return Effects(
                Set(Row, player=player, **domain_fields(domains)),
                say=f"{player} becomes a Settler. The Domains: {in_words}.",
                figures={"domains": domains},
            )

        numbers = {"Domain": sorted(state.charts.yields)}
        return Effects(Roll(numbers, settle, draw=len(rules.RESOURCES)))


@action
class Harvest(SettlerAction):
    """Harvest the crop of the most recent Production, change a Domain, take bonuses."""

    name = "settlers.harvest"
    title = "Harvest the crop"
    sentence = "Harvest the crop {change} {bonuses}"
    also_said = ("(Harvest|Collect) [(crop|crops|resources)]",)

    class Form(ActionForm):
        change = ChangeField()
        bonuses = BonusesField()

    def judge(self, state: State, player: Player, change: Any, bonuses: Any) -> Verdict:
        settler, row = state.acting(player)
        wanted = as_change(change), as_bonuses(bonuses)
        results = state.results
        refusal = legality.harvest_refusal(settler, results, state.charts, *wanted)
        if refusal or results is None:
            return refusal

        def effects_of(crop: rules.HarvestGains) -> Effects:
            change = wanted[0]
            clauses = [f"{player} harvests {describe_items(crop.from_domains)}"]
            if any(crop.from_buildings.values()):
                clauses.append(f"takes {describe_items(crop.from_buildings)} from their buildings")
            if isinstance(change, Swap):
                clauses.append(f"swaps the numbers of {change.a} and {change.b}")
            elif change is not None:
                clauses.append(f"sets {change.resource} to {change.number}")
            gains = [Gain(player, amount, resource) for resource, amount in crop.gained.items()]
            fields = domain_fields(crop.domains)
            return Effects(
                Together(gains, "harvest"),
                Set(row, **fields, harvested_in=state.isle.production),
                say=f"{enumerated(clauses)}.",
                figures={
                    "from_domains": rules.nonzero(crop.from_domains),
                    "from_buildings": rules.nonzero(crop.from_buildings),
                    "gained": rules.nonzero(crop.gained),
                    "domains": dict(crop.domains),
                },
            )

        likely = effects_of(rules.harvest(settler, results, state.charts, *wanted))
        return Effects(
            Then(lambda _: effects_of(harvest(state, settler, results, *wanted)), likely=likely),
            outlook="Costs nothing; once after each Production.",
        )


def as_change(sent: Any) -> Change | None:
    """The change that an input means; None for no change."""
    if not sent:
        return None
    if "swap" in sent:
        return Swap(sent["swap"]["a"], sent["swap"]["b"])
    return Shift(sent["shift"]["resource"], sent["shift"]["number"])


def as_bonuses(sent: Any) -> list[Bonus]:
    """The bonuses that an input means."""
    return [Bonus(bonus["building"], bonus["choice"]) for bonus in sent or ()]


@action
class Build(SettlerAction):
    """Pay for a building out of the stockpile and add it to the settlement."""

    name = "settlers.build"
    title = "Build"
    sentence = "Build a {building}, paying with {other} where the cost leaves a choice"
    also_said = (
        "(Build|Construct) {building} [on isle]",
        "(Build|Construct) {building} [paying] with {other}",
    )

    class Form(ActionForm):
        building = BuildingField()
        other = ResourceField(required=False, label="Resource of your choice")

    def judge(
        self, state: State, player: Player, building: str | None, other: str | None
    ) -> Verdict:
        settler, row = state.acting(player)
        buildings = buildings_for(state, settler)
        refusal = legality.build_refusal(settler, building, other, buildings)
        if refusal or building is None:
            return refusal
        chosen, does = buildings[building], lambda: state.charts.describe_building(building)
        if chosen.of_one_other and not other:
            return Effects(outlook=(f"Costs {rules.describe_cost(chosen)}.", does))
        cost = rules.paid_for(chosen, other or None)
        return Effects(
            Together(
                [Pay(player, cost[resource], resource) for resource in cost], f"{building} built"
            ),
            Set(row, buildings=[*row.buildings, building]),
            Then(lambda table: " ".join(settle_victories(table))),
            say=f"{player} builds a {building} for {describe_items(cost)}.",
            figures={"building": building, "paid": rules.nonzero(cost)},
            outlook=does,
        )


@action
class SwapWithMerchant(SettlerAction):
    """Swap several of one resource for another with the Merchant, once a visit."""

    name = "settlers.swap_with_merchant"
    title = "Swap with the Merchant"
    sentence = "Swap {give} for {take} with the Merchant"
    also_said = (
        "(Swap|Trade|Exchange) {give} for {take} [with Merchant]",
        "(Swap|Trade|Exchange) {} {give} for {} {take} [with Merchant]",
    )
    rule = MERCHANT

    class Form(ActionForm):
        give = ResourceField()
        take = ResourceField()

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(state_of(table).visitor_rule(MERCHANT))

    def judge(self, state: State, player: Player, give: str | None, take: str | None) -> Verdict:
        settler, row = state.acting(player)
        is_here = state.is_visited_by(MERCHANT)
        if refusal := legality.merchant_refusal(settler, is_here, give, take, state.charts):
            return refusal
        (price, goods), reason = state.charts.merchant, "swapped with the Merchant"
        gave, got = {give or "": price}, {take or "": goods}
        return Effects(
            Pay(player, price, give, reason),
            Gain(player, goods, take, reason),
            Set(row, used=[*row.used, state.isle.visitor]),
            say=f"{player} gives the Merchant {describe_items(gave)} for {describe_items(got)}.",
            figures={"gave": gave, "got": got},
            outlook=f"The Merchant takes {price} of one resource for {goods} of another.",
        )


class _Readiness(SettlerAction):
    """What a Settler says of the next Production: that they are Ready for it, or are no longer."""

    rule = DECK
    ready: ClassVar[bool]

    def judge(self, state: State, player: Player) -> Verdict:
        settler, row = state.acting(player)

        def follow(table: Table) -> str:
            schedule_production(table)
            if not self.ready:
                return f"{player} is Ready no longer."
            every = ", and so is every Settler" if state_of(table).all_are_ready else ""
            return f"{player} is Ready{every}."

        return legality.ready_refusal(settler, self.ready) or Effects(
            Set(row, ready=self.ready), Then(follow)
        )


@action
class Ready(_Readiness):
    """Costs nothing. When every Settler is Ready, the next Production happens at once."""

    name = "settlers.ready"
    title = "Be Ready"
    sentence = "Be Ready for the next Production"
    also_said = ("Am Ready", "Am Ready for the next Production")
    button = "Ready"
    ready = True


@action
class NotReady(_Readiness):
    """Costs nothing. The next Production then waits for you, or for its time."""

    name = "settlers.not_ready"
    title = "Be Ready no longer"
    sentence = "Be Ready no longer"
    also_said = ("Am not Ready", "Am Ready no longer", "Am no longer Ready")
    button = "Not Ready"
    ready = False


@action
class TellBribe(SettlerAction, PrivateAction):
    """Paid when the next Visitor arrives; your last bribe counts. Only you and the Onlooker see it.

    It may be more than you have: then what you have is paid, and the bribe is worth nothing.
    """

    name = "settlers.bribe"
    title = "Bribe the Thug"
    sentence = "Tell the Onlooker to pay the Thug {items}"
    also_said = ("(Bribe|Pay) Thug [with] {items}", "Pay {items} to Thug")
    button = "Tell"
    rule = THUG

    class Form(ActionForm):
        items = ItemsField(label="Your bribe", own=True)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(state_of(table).visitor_rule(THUG))

    def book(self, table: Table, data: Inputs) -> str:
        visit = state_of(table).visit
        return visit.book if visit else ""

    def judge(self, state: State, player: Player, items: Items | None) -> Verdict:
        has_watched, bribe = player.name in state.isle.watchers, items or {}
        return bribe_refusal(state.is_visited_by(THUG), has_watched) or Effects(
            Then(lambda table: save_bribe(table, player, bribe)),
            say=f"{player} tells the Onlooker a bribe for the Thug: {describe_items(bribe)}.",
        )


def bribe_refusal(is_here: bool, has_watched: bool) -> Refusal | None:
    """A Bribe may be told while the Visitor is the Thug, by who could not read the others' as the
    Onlooker; it may be more than one has."""
    away = "The Thug is not here. You can offer a bribe while it is the Visitor."
    read = "You were the Onlooker during this visit and could read the other bribes"
    watched = f"{read}: you may tell one in the Thug's next visit."
    return first_refusal(
        THUG, (not is_here, "no_thug", away), (has_watched, "has_watched", watched)
    )
