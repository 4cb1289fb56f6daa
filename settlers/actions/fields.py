"""Inputs of the isle's actions: items, a change of a Domain, harvest bonuses, names of the isle.

A program sends objects and lists; a browser sends the parts of each, which its form has apart.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from nomic.engine.forms import (
    CountsField,
    IntegerChoice,
    Shaped,
    SomebodyField,
    TextChoice,
    WholeNumber,
)
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.charts import ChartBroken, unless_broken
from settlers.actions.composite_widgets import (
    MOST_ITEMS,
    NO_CHANGE,
    SHIFT,
    SWAP,
    BonusesWidget,
    ChangeWidget,
    ItemsWidget,
)
from settlers.rules.charts import MOST_NUMBER
from settlers.rules.isle import RESOURCES, as_people_sort
from settlers.state.reading import alliance_of, state_of

ON, OFF = "on", "off"
MOST_BONUSES = 1_000


class ResourceField(TextChoice):
    """One of the five resources."""

    noun = "resource"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(*RESOURCES, **kwargs)


class BuildingField(TextChoice):
    """A building that the rules' table has.

    Where the table cannot be read any name passes here, and the action is refused with the reason.
    """

    noun = "building"
    is_broken = False

    def options(self, table: Table, player: Player | None) -> list[str]:
        try:
            return list(state_of(table).charts.buildings)
        except ChartBroken:
            self.is_broken = True
            return []

    def validate(self, value: Any) -> None:
        if not self.is_broken:
            super().validate(value)


class SettlerField(SomebodyField):
    """Another Settler by name: chosen from a list, or written where there are very many."""

    noun = "Settler"
    oneself = ""

    def options(self, table: Table, player: Player | None) -> list[str]:
        state = state_of(table)
        if not state.is_on:
            return []
        others = [name for name in state.names if player is None or name != player.name]
        self.oneself = player.name if player and len(others) < len(state.names) else ""
        return sorted(others, key=as_people_sort)

    def validate(self, value: Any) -> None:
        """Their own name is no other Settler's: the action says so, since they are a Settler."""
        if value in self.words or not self.oneself or value != self.oneself:
            super().validate(value)


class AllyField(SettlerField):
    """Another Settler, or somebody on one's Alliance list who is none at present."""

    def options(self, table: Table, player: Player | None) -> list[str]:
        found = super().options(table, player)
        row = state_of(table).row(player) if player is not None else None
        return found if row is None else sorted({*found, *alliance_of(row)}, key=as_people_sort)


class OfferField(IntegerChoice):
    """The number of an open trade offer that this player made or got."""

    def __init__(self, *, got_only: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.got_only = got_only

    def offer(self, table: Table, player: Player | None) -> None:
        state = state_of(table)
        offers_of = state.offers_got if self.got_only else state.offers_of
        self.numbers = tuple(offer.number for offer in offers_of(player.name)) if player else ()
        self.choices = [(number, str(number)) for number in self.numbers]
        self.error_messages["invalid_choice"] = "An offer is named by its whole number."

    def valid_value(self, value: Any) -> bool:
        """Any number may name an offer that was open: whether it is, is the action's to say."""
        return True


class ItemsField(CountsField):
    """Amounts of resources: {"wheat": 2, "brick": 1}, whole numbers from 0 each.

    As a text, “2 wheat and 1 brick”.
    """

    json_name = "an object of resources and whole amounts"
    widget = ItemsWidget
    from_0 = "The amount of {} is a whole number from 0."
    at_most = "The amount of {} here is at most {:,}."
    no_counts = f"Items are amounts of {', '.join(RESOURCES)}."

    def __init__(self, *, most: int = MOST_ITEMS, **kwargs: Any) -> None:
        super().__init__(most=most, **kwargs)

    def things_for(self, table: Table, player: Player | None) -> Sequence[str]:
        return RESOURCES

    def held_by(self, table: Table, player: Player | None) -> Mapping[str, int]:
        state = state_of(table)
        own = state.settler(player) if state.is_on else None
        return own.stockpile if own else {}

    def called(self, given: Any) -> str:
        return _resource(given)

    def fits(self, value: Any) -> bool:
        return super().fits(value) and not any(isinstance(each, str) for each in value.values())

    def schema(self) -> dict[str, Any]:
        examples = [{"wheat": 1}, {"stone": 2, "wood": 1}, {"brick": 1, "sheep": 1}]
        return {**super().schema(), "examples": examples}


class ChangeField(Shaped, forms.Field):
    """A harvest's change of the Domains: null, {"swap": {"a": …, "b": …}} or {"shift": {"resource":
    …, "number": …}}; the inner object alone says the same."""

    json_type = (dict, str, type(None))
    json_name = "null, “none”, a swap or a shift to a whole number"
    widget = ChangeWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def fits(self, value: Any) -> bool:
        inner = value.get(SHIFT, value) if isinstance(value, Mapping) else {}
        number = inner.get("number") if isinstance(inner, Mapping) else None
        return super().fits(value) and (number is None or type(number) is int)

    def offer(self, table: Table, player: Player | None) -> None:
        state = state_of(table)
        row = state.row(player) if player is not None and state.is_on else None
        if row is None:
            return
        self.widget.domains = row.domains
        self.widget.numbers = unless_broken(lambda: sorted(state.charts.yields), ())

    def to_python(self, value: Any) -> dict[str, Any] | None:
        if value in (None, "", NO_CHANGE, {}):
            return None
        wrong = forms.ValidationError(
            "A change is a swap of two Domains, or a new number for one of them."
        )
        if not isinstance(value, Mapping):
            raise wrong
        swap = value.get(SWAP) if value.keys() == {SWAP} else value
        if isinstance(swap, Mapping) and swap.keys() == {"a", "b"}:
            return {SWAP: {each: _resource(swap[each]) for each in ("a", "b")}}
        shift = value.get(SHIFT) if value.keys() == {SHIFT} else value
        if not isinstance(shift, Mapping) or shift.keys() != {"resource", "number"}:
            raise wrong
        try:
            number = WholeNumber(0, MOST_NUMBER).clean(shift["number"])
        except forms.ValidationError:
            raise forms.ValidationError(
                f"A Domain is changed to a whole number from 0 to {MOST_NUMBER:,}."
            ) from None
        return {SHIFT: {"resource": _resource(shift["resource"]), "number": number}}

    def schema(self) -> dict[str, Any]:
        resource = {"type": "string", "enum": list(RESOURCES)}
        swap = {
            "type": "object",
            "properties": {"a": resource, "b": resource},
            "required": ["a", "b"],
            "additionalProperties": False,
        }
        shift = {
            "type": "object",
            "properties": {"resource": resource, "number": {"type": "integer"}},
            "required": ["resource", "number"],
            "additionalProperties": False,
        }
        return {
            "type": ["object", "string", "null"],
            "properties": {SWAP: swap, SHIFT: shift},
            "default": None,
            "examples": [
                None,
                {SWAP: {"a": "wheat", "b": "stone"}},
                *({SHIFT: {"resource": "wood", "number": number}} for number in (3, 4, 6, 9, 10)),
            ],
        }


class BonusesField(Shaped, forms.Field):
    """The Harvest Bonuses that are taken: [{"building": "Farm", "choice": "sheep"}, …].

    A building that leaves no choice needs none.
    """

    json_type = (list, type(None))
    json_name = "a list of buildings with choices"
    widget: Any = BonusesWidget

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def offer(self, table: Table, player: Player | None) -> None:
        state = state_of(table)
        row = state.row(player) if player is not None and state.is_on else None
        if row is None:
            return
        known = unless_broken(lambda: state.charts.buildings, {})
        owned = [known[each] for each in row.buildings if each in known]
        self.widget.offered = [(each.name, list(each.bonus)) for each in owned if each.bonus]

    def to_python(self, value: Any) -> list[dict[str, str]]:
        if value in (None, ""):
            return []
        if not isinstance(value, list) or len(value) > MOST_BONUSES:
            raise forms.ValidationError("Bonuses are a list of buildings, each with its choice.")
        bonuses = []
        for given in value:
            bonus = {"building": given} if isinstance(given, str) else given
            if not isinstance(bonus, Mapping) or not bonus.keys() <= {"building", "choice"}:
                raise forms.ValidationError(
                    "A bonus is a building and, where it leaves one, a choice."
                )
            building, choice = bonus.get("building"), bonus.get("choice")
            if not isinstance(building, str) or not isinstance(choice, str | None):
                raise forms.ValidationError(
                    "A bonus names a building and, where it leaves one, a choice."
                )
            if max(len(building), len(choice or "")) > 60:
                raise forms.ValidationError("No building and no resource has such a long name.")
            bonuses.append({"building": building, "choice": choice or ""})
        return bonuses

    def schema(self) -> dict[str, Any]:
        names = sorted({building for building, _ in self.widget.offered})
        shape = {
            "type": "object",
            "properties": {"building": {"type": "string"}, "choice": {"type": "string"}},
            "required": ["building"],
            "additionalProperties": False,
        }
        taken = self.widget.at_first
        about = f"Buildings of yours with a bonus: {', '.join(names) or 'none'}."
        return {
            "type": "array",
            "items": shape,
            "default": [],
            "description": about,
            "examples": [[], taken],
        }


def _resource(name: Any) -> str:
    if isinstance(name, str) and name.casefold() in RESOURCES:
        return name.casefold()
    shown = str(name)[:40]
    raise forms.ValidationError(
        f"“{shown}” is no resource of the isle. Known: {', '.join(RESOURCES)}."
    )
