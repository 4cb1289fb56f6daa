"""The gain of a harvest and the value of a bribe, before they are sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.rulebook.charts import ChartBroken
from settlers.actions.settlers import Harvest, TellBribe, as_bonuses, as_change
from settlers.rules import isle as rules
from settlers.rules.isle import RESOURCES, Settler, describe_items
from settlers.rules.legality import harvest_refusal
from settlers.rules.thug import bribe_value
from settlers.rules.titles import GIFT, THUG
from settlers.state.decisions import harvest
from settlers.state.reading import state_of


@dataclass(frozen=True, slots=True)
class Preview:
    """The outcome of a harvest, or why there is none: one of `crop` and `refusal` is None."""

    settler: Settler
    crop: rules.Harvest | None
    refusal: Refusal | None

    @property
    def gained(self) -> str:
        """All that it brings, in words."""
        return describe_items(self.crop.gained) if self.crop else ""

    @property
    def sources(self) -> Iterator[tuple[str, str]]:
        """Where it comes from, each with what in words; nothing is left out that brings some."""
        if self.crop is None:
            return
        for resource, amount in self.crop.from_domains.items():
            yield f"Domain of {resource} ({self.settler.domains[resource]})", f"{amount} {resource}"
        if any(self.crop.from_buildings.values()):
            yield "Buildings", describe_items(self.crop.from_buildings)

    @property
    def domains(self) -> list[SimpleNamespace]:
        """Every Domain, as it is and as it would be; None where it is empty."""
        own = self.settler.domains
        domains = self.crop.domains if self.crop else own
        return [
            SimpleNamespace(
                resource=each,
                before=(before := own.get(each)),
                after=(after := domains.get(each)),
                changes=before != after,
            )
            for each in RESOURCES
        ]


def foresee_bribe(
    table: Table, player: Player | None, sent: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The value of those items as a bribe, by the rule and the player's own Stockpile alone.

    `refusal` says why it is none, `lacks` what one has too little of now: then it is worth 0 unless
    more comes in. None for who is no Settler, while the Thug is away and while no items are filled
    in.
    """
    state = state_of(table)
    own = state.settler(player)
    if own is None or not state.is_visited_by(THUG):
        return None
    form = TellBribe.Form(table, player, sent)
    if not form.is_valid():
        return None
    items = form.cleaned_data["items"]
    if not items:
        return None
    try:
        value = bribe_value(items, state.charts.bribes)
    except ChartBroken as broken:
        return {"refusal": broken.sentence}
    lacks = [each for each, amount in items.items() if amount > own.stockpile.get(each, 0)]
    told, lacking = describe_items(items), " and ".join(lacks)
    return {"told": told, "value": 0 if lacks else value, "lacks": lacking}


def foresee(
    table: Table, player: Player | None, sent: Mapping[str, Any] | None = None
) -> Preview | None:
    """The outcome of the harvest with the blanks as sent, or as the empty form has them.

    None for who is no Settler.
    """
    state = state_of(table)
    own = state.settler(player)
    if own is None or player is None:
        return None
    form = Harvest.Form(table, player, sent if sent is not None else {})
    if not form.is_valid():
        sentence = next(str(error) for errors in form.errors.values() for error in errors)
        return Preview(own, None, Refusal("malformed", sentence, GIFT))
    given = form.cleaned_data
    if sent is None:
        given = {"change": None, "bonuses": form.fields["bonuses"].widget.at_first}
    change, bonuses = as_change(given["change"]), as_bonuses(given["bonuses"])
    try:
        refusal = harvest_refusal(own, state.results, state.charts, change, bonuses)
        if refusal is not None or state.results is None:
            return Preview(own, None, refusal)
        crop = harvest(state, own, state.results, change, bonuses)
    except ChartBroken as broken:
        return Preview(own, None, Refusal("table_broken", broken.sentence, broken.rule))
    return Preview(own, crop, None)
