"""What a Settler can do by themselves: come, harvest, build, deal with the Merchant, be Ready."""

from typing import Any

from nomic.engine.actions import Action, Inputs, action
from nomic.engine.forms import ActionForm
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import listed
from nomic.rulebook.charts import unless_broken
from settlers.actions.fields import BonusesField, BuildingField, ChangeField, ResourceField
from settlers.events.clock import keep_the_production
from settlers.events.victory import settle_victories
from settlers.models import DOMAINS
from settlers.models import Settler as Row
from settlers.rules import isle as rules
from settlers.rules import legality, worth
from settlers.rules.isle import Bonus, Change, Settler, Shift, Swap, describe_items
from settlers.rules.titles import DECK, GIFT, MERCHANT
from settlers.state.decisions import buildings_for, harvest
from settlers.state.reading import State, forget, state_of


class IsleAction(Action):
    """An action that the isle's rules allow."""

    rule = GIFT

    def applies(self, table: Table) -> bool:
        return table.rules.in_force(self.rule) and state_of(table).is_on

    def refusal(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        return self.why_not(state_of(table), player, data)

    def brings(self, table: Table, player: Player | None, data: Inputs) -> str:
        return unless_broken(lambda: self.worth(state_of(table), player, data), self.about)

    def worth(self, state: State, player: Player | None, data: Inputs) -> str:
        """What it brings and costs with the inputs chosen so far. Raises ChartBroken."""
        return self.about

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        """Why this is not legal on the isle; None if it is. Raises ChartBroken."""
        raise NotImplementedError


class SettlerAction(IsleAction):
    """An action for Settlers only."""

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        own = state.settler(player)
        if own is None:
            return no_settler(state, player)
        return self.settler_refusal(state, own, data)

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        """Why this Settler may not do it; None if they may. Raises ChartBroken."""
        raise NotImplementedError


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

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        if state.is_onlooker(player):
            return no_settler(state, player)
        if state.row(player) is not None:
            return Refusal("is_settler", "You are a Settler already.", GIFT)
        _ = state.charts.yields
        return None

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        domains = _roll_domains(table)
        row = Row(game=table.game, player=player, entry=table.seq)
        row.domains = dict(domains)
        row.save(force_insert=True)
        forget(table)
        told = ", ".join(f"{resource} {number}" for resource, number in domains.items())
        return Outcome(f"{player} becomes a Settler. The Domains: {told}.", {"domains": domains})


def _roll_domains(table: Table) -> dict[str, int]:
    """Five different numbers, one for each Domain."""
    numbers = sorted(state_of(table).charts.yields)
    rolled = table.dice.draw_for_each(["Domain"], numbers, len(rules.RESOURCES))["Domain"]
    return dict(zip(rules.RESOURCES, rolled, strict=True))


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

    def worth(self, state: State, player: Player | None, data: Inputs) -> str:
        return worth.of_a_harvest(state.settler(player), state.results, state.charts)

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        change, bonuses = as_change(data.get("change")), as_bonuses(data.get("bonuses"))
        refusal = legality.harvest_refusal(own, state.results, state.charts, change, bonuses)
        if refusal is None:
            _ = state.charts.yields  # what the Domains bring
        return refusal

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        state = state_of(table)
        own, row, results = state.settler(player), state.own(player), state.results
        assert own is not None
        assert results is not None
        change, bonuses = as_change(data["change"]), as_bonuses(data["bonuses"])
        crop = harvest(state, own, results, change, bonuses)
        table.ledger.create_several(player, crop.gained, "harvest")
        row.domains, row.harvested_in = dict(crop.domains), state.isle.production
        row.save(update_fields=[*DOMAINS, "harvested_in"])
        forget(table)
        return Outcome(_describe_harvest(player, change, crop), _crop_figures(crop))


def as_change(given: Any) -> Change | None:
    """The change that an input means."""
    if not given:
        return None
    if "swap" in given:
        return Swap(given["swap"]["a"], given["swap"]["b"])
    return Shift(given["shift"]["resource"], given["shift"]["number"])


def as_bonuses(given: Any) -> list[Bonus]:
    """The bonuses that an input means."""
    return [Bonus(each["building"], each["choice"]) for each in given or ()]


def _describe_harvest(player: Player, change: Change | None, crop: rules.Harvest) -> str:
    said = [f"{player} harvests {describe_items(crop.from_domains)}"]
    if any(crop.from_buildings.values()):
        said.append(f"takes {describe_items(crop.from_buildings)} from their buildings")
    if isinstance(change, Swap):
        said.append(f"swaps the numbers of {change.a} and {change.b}")
    elif change is not None:
        said.append(f"sets {change.resource} to {change.number}")
    return f"{listed(said)}."


def _crop_figures(crop: rules.Harvest) -> dict[str, Any]:
    return {
        "from_domains": rules.some(crop.from_domains),
        "from_buildings": rules.some(crop.from_buildings),
        "gained": rules.some(crop.gained),
        "domains": dict(crop.domains),
    }


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

    def worth(self, state: State, player: Player | None, data: Inputs) -> str:
        own = state.settler(player)
        buildings = buildings_for(state, own) if own else state.charts.buildings
        return worth.of_a_building(data.get("building"), buildings, state.charts.victory)

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        buildings = buildings_for(state, own)
        return legality.build_refusal(own, data.get("building"), data.get("other"), buildings)

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        state = state_of(table)
        own, row = state.settler(player), state.own(player)
        assert own is not None
        building = buildings_for(state, own)[data["building"]]
        cost = rules.paid_for(building, data["other"] or None)
        table.ledger.destroy_several(player, cost, f"{building.name} built")
        row.buildings.append(building.name)
        row.save(update_fields=["buildings"])
        forget(table)
        said = f"{player} builds a {building.name} for {describe_items(cost)}."
        won = settle_victories(table)
        figures = {"building": building.name, "paid": rules.some(cost)}
        return Outcome(" ".join([said, *won]), figures)


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

    def worth(self, state: State, player: Player | None, data: Inputs) -> str:
        return worth.of_a_swap(state.charts, data.get("give"), data.get("take"))

    def applies(self, table: Table) -> bool:
        return super().applies(table) and state_of(table).visitor_rule(MERCHANT) is not None

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        return legality.merchant_refusal(
            own, state.is_visited_by(MERCHANT), data.get("give"), data.get("take"), state.charts
        )

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        state = state_of(table)
        row, (given, taken) = state.own(player), state.charts.merchant
        table.ledger.destroy(player, given, data["give"], "swapped with the Merchant")
        table.ledger.create(player, taken, data["take"], "swapped with the Merchant")
        row.used.append(state.isle.visitor)
        row.save(update_fields=["used"])
        forget(table)
        gave, got = {data["give"]: given}, {data["take"]: taken}
        text = f"{player} gives the Merchant {describe_items(gave)} for {describe_items(got)}."
        return Outcome(text, {"gave": gave, "got": got})


class _Flag(SettlerAction):
    """Raise or lower the flag that says whether one is Ready for the next Production."""

    rule = DECK
    ready = True

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        return legality.ready_refusal(own, self.ready)

    def set(self, table: Table, player: Player) -> None:
        state = state_of(table)
        row = state.own(player)
        row.ready = self.ready
        row.save(update_fields=["ready"])
        keep_the_production(table)


@action
class Ready(_Flag):
    """Costs nothing. When every Settler is Ready, the next Production happens at once."""

    name = "settlers.ready"
    title = "Be Ready"
    sentence = "Be Ready for the next Production"
    also_said = ("Am Ready", "Am Ready for the next Production")
    button = "Ready"

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        self.set(table, player)
        all_are = state_of(table).all_are_ready
        return f"{player} is Ready{', and so is every Settler' if all_are else ''}."


@action
class NotReady(_Flag):
    """Costs nothing. The next Production then waits for you, or for its time."""

    name = "settlers.not_ready"
    title = "Be Ready no longer"
    sentence = "Be Ready no longer"
    also_said = ("Am not Ready", "Am Ready no longer", "Am no longer Ready")
    button = "Not Ready"
    ready = False

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        self.set(table, player)
        return f"{player} is Ready no longer."
