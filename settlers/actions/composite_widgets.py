"""Blanks that a browser fills in parts: amounts, a change of the Domains, Harvest Bonuses."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from nomic.engine.forms import CountsWidget, Parts
from settlers.rules.isle import RESOURCES

MOST_ITEMS = 10**12
NO_CHANGE, SWAP, SHIFT = "none", "swap", "shift"
LEAVE_IT = "-"

_ITEM = re.compile(r"(-?[0-9]{1,40})\s+([a-z]+)", re.IGNORECASE)
_PARTING = re.compile(r"[\s,;]+(?:and\s+)?|\s+and\s+")


class ItemsWidget(CountsWidget):
    """A number for each resource."""

    template = "settlers/composite_widgets/items.html"
    things = staticmethod(lambda: RESOURCES)

    def said(self, text: str) -> Mapping[str, Any]:
        return items_said(text)

    def whole(self, parts: Mapping[str, Any]) -> Any:
        sent = {each: parts[each] for each in RESOURCES if each in parts}
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
        if kind == SWAP:
            return {SWAP: {each: parts.get(each, "") for each in ("a", "b")}}
        if kind == SHIFT:
            return {SHIFT: {each: parts.get(each, "") for each in ("resource", "number")}}
        return kind

    def drawn(self, value: Any) -> Mapping[str, Any]:
        value = value if isinstance(value, Mapping) else {}
        kind = next((each for each in (SWAP, SHIFT) if each in value), NO_CHANGE)
        inner = value.get(kind)
        return {
            "kind": kind,
            "chosen": inner if isinstance(inner, Mapping) else {},
            "domains": [(each, self.domains.get(each)) for each in RESOURCES],
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
            for each in taken or ():
                if isinstance(each, Mapping) and each.get("building") == building:
                    wanted = each.get("choice") or choices[0]
                    taken = [other for other in taken or () if other is not each]
                    break
            rows.append((building, choices, wanted))
        return {"rows": rows, "leave": LEAVE_IT}


def items_said(text: str) -> dict[str, Any]:
    """The items that a text like “2 wheat and 1 brick” names; what is no item stands for itself."""
    found: dict[str, Any] = {}
    rest = text.strip().removesuffix(".")
    if rest.casefold() in ("", "nothing"):
        return found
    while rest:
        item = _ITEM.match(rest)
        if item is None:
            return {rest[:60]: None}
        name = item[2].casefold()
        if name in found:
            return {name: None}
        found[name] = item[1]
        rest = rest[item.end() :]
        parting = _PARTING.match(rest)
        rest = rest[parting.end() :] if parting else rest
    return found
