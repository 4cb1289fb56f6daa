"""Inputs of the isle's actions: items, a change of a Domain, harvest bonuses, names of the isle.

A program sends objects and lists; a browser fills in the parts of each, which its widget has apart.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django import forms

from nomic.engine.forms import (
    CountsField,
    CountsWidget,
    IntegerChoice,
    Parts,
    Shaped,
    SomebodyField,
    TextChoice,
    WholeNumber,
)
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.charts import unless_broken
from settlers.rules.charts import MOST_NUMBER
from settlers.rules.isle import RESOURCES, as_people_sort
from settlers.state.reading import state_of

MOST_ITEMS = 10**12
NO_CHANGE, SWAP, SHIFT = "none", "swap", "shift"
_CHANGES = {SWAP: ("a", "b"), SHIFT: ("resource", "number")}  # and what there is to say of each
LEAVE_IT = "-"

_ITEM = re.compile(r"(-?[0-9]{1,40})\s+([a-z]+)", re.IGNORECASE)
_PARTING = re.compile(r"[\s,;]+(?:and\s+)?|\s+and\s+")


class ItemsWidget(CountsWidget):
    """A number for each resource."""

    template = "settlers/composite_widgets/items.html"
    things = staticmethod(lambda: RESOURCES)

    def said(self, text: str) -> Mapping[str, Any]:
        return items_in(text)

    def whole(self, parts: Mapping[str, Any]) -> Any:
        sent = {resource: parts[resource] for resource in RESOURCES if resource in parts}
        return super().whole(sent) if sent else None


class ChangeWidget(Parts):
    """No change, a swap of two Domains, or a new number for one."""

    template = "settlers/composite_widgets/change.html"

    domains: Mapping[str, int | None] = MappingProxyType({})
    numbers: Sequence[int] = ()

    def whole(self, parts: Mapping[str, Any]) -> Any:
        kind = parts.get("kind")
        if kind in (None, "", NO_CHANGE):
            return None
        if kind not in _CHANGES:
            return kind
        return {kind: {part: parts.get(part, "") for part in _CHANGES[kind]}}

    def drawn(self, value: Any) -> Mapping[str, Any]:
        value = value if isinstance(value, Mapping) else {}
        kind = next((name for name in _CHANGES if name in value), NO_CHANGE)
        inner = value.get(kind)
        return {
            "kind": kind,
            "chosen": inner if isinstance(inner, Mapping) else {},
            "domains": [(resource, self.domains.get(resource)) for resource in RESOURCES],
            "numbers": self.numbers,
        }


class BonusesWidget(Parts):
    """A choice for each building that has a bonus."""

    template = "settlers/composite_widgets/bonuses.html"

    offered: Sequence[tuple[str, Sequence[str]]] = ()

    @property
    def at_first(self) -> list[dict[str, str]]:
        """The choice while nobody has chosen: every bonus, the first resource of each."""
        return [{"building": name, "choice": next(iter(kinds))} for name, kinds in self.offered]

    def whole(self, parts: Mapping[str, Any]) -> Any:
        if "sent" not in parts:
            return None
        chosen = []
        for place, (building, _) in enumerate(self.offered):
            choice = parts.get(f"{place}", LEAVE_IT)
            if choice != LEAVE_IT:
                chosen.append({"building": building, "choice": choice})
        return chosen

    def drawn(self, value: Any) -> Mapping[str, Any]:
        taken = list(value) if isinstance(value, list | tuple) else None
        rows = []
        for building, choices in self.offered:
            wanted = choices[0] if taken is None else LEAVE_IT
            for bonus in taken or ():
                if isinstance(bonus, Mapping) and bonus.get("building") == building:
                    wanted = bonus.get("choice") or choices[0]
                    taken = [remaining for remaining in taken or () if remaining is not bonus]
                    break
            rows.append((building, choices, wanted))
        return {"rows": rows, "leave": LEAVE_IT}


def items_in(text: str) -> dict[str, Any]:
    """The items that a text like “2 wheat and 1 brick” names; what is no item stands for itself."""
    amounts: dict[str, Any] = {}
    rest = text.strip().removesuffix(".")
    if rest.casefold() in ("", "nothing"):
        return amounts
    while rest:
        match = _ITEM.match(rest)
        if match is None:
            return {rest[:60]: None}
        resource = match[2].casefold()
        if resource in amounts:
            return {resource: None}
        amounts[resource] = match[1]
        rest = rest[match.end() :]
        parting = _PARTING.match(rest)
        rest = rest[parting.end() :] if parting else rest
    return amounts


ON, OFF = "on", "off"
MOST_BONUSES = 1_000


class ResourceField(TextChoice):
    """One of the five resources."""

    noun = "resource"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(*RESOURCES, **kwargs)


class BuildingField(TextChoice):
    """A building that the rules' table has."""

    noun = "building"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return list(state_of(table).charts.buildings)


class SettlerField(SomebodyField):
    """Another Settler by name: chosen from a list, or written where there are very many."""

    noun = "Settler"

    def options(self, table: Table, player: Player | None) -> list[str]:
        state = state_of(table)
        if not state.is_on:
            return []
        names = [name for name in state.names if player is None or name != player.name]
        self.oneself = player.name if player and len(names) < len(state.names) else ""
        return sorted(names, key=as_people_sort)


class AllyField(SettlerField):
    """Another Settler, or somebody on one's Alliance list who is none at present."""

    def options(self, table: Table, player: Player | None) -> list[str]:
        names = super().options(table, player)
        row = state_of(table).row(player) if player is not None else None
        return names if row is None else sorted({*names, *row.alliance}, key=as_people_sort)


class OfferField(IntegerChoice):
    """The number of an open trade offer that this player made or got. Any number may name one that
    was open: whether it is, is the action's to say."""

    unknown = "An offer is named by its whole number."
    takes_any = True

    def __init__(self, *, got_only: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.got_only = got_only

    def options(self, table: Table, player: Player | None) -> list[int]:
        state = state_of(table)
        offers_of = state.offers_got if self.got_only else state.offers_of
        return [offer.number for offer in offers_of(player.name)] if player else []


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
        settler = state.settler(player) if state.is_on else None
        return settler.stockpile if settler else {}

    def called(self, given: Any) -> str:
        return _resource(given)

    def fits(self, value: Any) -> bool:
        return super().fits(value) and not any(isinstance(amount, str) for amount in value.values())

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
        for kind, names in _CHANGES.items() if isinstance(value, Mapping) else ():
            inner = value[kind] if value.keys() == {kind} else value
            if isinstance(inner, Mapping) and inner.keys() == {*names}:
                number = {"number": _number(inner["number"])} if kind == SHIFT else {}
                named = {name: _resource(inner[name]) for name in names if name not in number}
                return {kind: {**named, **number}}
        raise forms.ValidationError(
            "A change is a swap of two Domains, or a new number for one of them."
        )

    def schema(self) -> dict[str, Any]:
        resource = {"type": "string", "enum": list(RESOURCES)}
        changes: dict[str, Any] = {
            kind: {
                "type": "object",
                "properties": dict.fromkeys(names, resource),
                "required": list(names),
                "additionalProperties": False,
            }
            for kind, names in _CHANGES.items()
        }
        changes[SHIFT]["properties"] |= {"number": {"type": "integer"}}
        return {
            "type": ["object", "string", "null"],
            "properties": changes,
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
        charted = unless_broken(lambda: state.charts.buildings, {})
        owned = [charted[name] for name in row.buildings if name in charted]
        self.widget.offered = [
            (building.name, list(building.bonus)) for building in owned if building.bonus
        ]

    def to_python(self, value: Any) -> list[dict[str, str]]:
        if value in (None, ""):
            return []
        if not isinstance(value, list) or len(value) > MOST_BONUSES:
            raise forms.ValidationError("Bonuses are a list of buildings, each with its choice.")
        bonuses = []
        for sent in value:
            bonus = {"building": sent} if isinstance(sent, str) else sent
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


def _number(number: Any) -> Any:
    try:
        return WholeNumber(0, MOST_NUMBER).clean(number)
    except forms.ValidationError:
        raise forms.ValidationError(
            f"A Domain is changed to a whole number from 0 to {MOST_NUMBER:,}."
        ) from None


def _resource(name: Any) -> str:
    if isinstance(name, str) and name.casefold() in RESOURCES:
        return name.casefold()
    shown = str(name)[:40]
    raise forms.ValidationError(
        f"“{shown}” is no resource of the isle. Known: {', '.join(RESOURCES)}."
    )
