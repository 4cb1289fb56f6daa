"""Blanks that a browser fills in parts: how many cards of each suit, which contestants."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nomic.engine.forms import CountsWidget, Parts
from nomic.games.wording import parted

_CARDS = re.compile(r"([0-9]{1,20})\s+(.+?)(?:\s+cards?)?", re.IGNORECASE | re.DOTALL)
_PARTING = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


class CardsWidget(CountsWidget):
    """A number for each suit."""

    template = "aceofspades/composite_widgets/cards.html"

    def said(self, text: str) -> Mapping[str, Any]:
        return cards_said(text)


class ContestantsWidget(Parts):
    """A box to tick for each contestant; a line for their names where there are very many."""

    template = "aceofspades/composite_widgets/contestants.html"
    names: Callable[[], Sequence[str]] = staticmethod(list)
    most_boxes = 40

    def whole(self, parts: Mapping[str, Any]) -> Any:
        return list(parts)

    def drawn(self, value: Any) -> Mapping[str, Any]:
        names = self.names()
        chosen = names_said(value, names) if isinstance(value, str) else list(value or ())
        boxes = [(each, each in chosen) for each in names]
        return {"boxes": boxes if len(names) <= self.most_boxes else [], "line": ", ".join(chosen)}


def cards_said(text: str) -> dict[str, Any]:
    """The cards that a text like “2 Red and 1 Mauve” names; what is none stands for itself."""
    found: dict[str, Any] = {}
    for part in filter(None, _PARTING.split(text.strip().removesuffix("."))):
        card = _CARDS.fullmatch(part)
        if card is None or card[2] in found:
            return {part[:60]: None}
        found[card[2]] = card[1]
    return found


def names_said(text: str, known: Sequence[str]) -> list[str]:
    """The names in a text like “Alice, Bob and Carol.”; the known ones as they are known."""
    return parted(text.strip().removesuffix("."), known, ",;")
