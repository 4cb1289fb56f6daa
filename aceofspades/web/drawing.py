"""Where a hand of cards has its lines.

Pure geometry: cards go in, what a template draws comes out. Lengths are in the picture's own units,
which are CSS pixels at the width that the picture is made for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aceofspades.rules.contest import describe_cards

WIDE, NARROW = 760, 358
SHAPES = ("Mauve", "Red", "Black", "Green", "Hearts")
"""The suits that have a picture of their own; others are shown by their first letter."""
TINTS = ("mauve", "red", "black", "green", "pink")
"""The colours that the style sheet knows in light and dark."""

_CARD, _TALL = 76, 108
_STEP, _GAP = 30, 22
_MARGIN = 2
_ROWS = 8
_BETWEEN = 14


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the picture: its suit, and its upper left corner."""

    suit: str
    colour: str
    x: float
    y: float
    is_top: bool

    @property
    def is_drawn(self) -> bool:
        """Whether the suit has a picture of its own."""
        return self.suit in SHAPES

    @property
    def tint(self) -> str:
        """The name by which the style sheet knows its colour; "" for one that it does not."""
        return self.colour if self.colour in TINTS else ""

    @property
    def letter(self) -> str:
        """The first letter of the suit."""
        return self.suit[:1]

    @property
    def name(self) -> str:
        """The suit, as much of it as a card has room for."""
        return self.suit if len(self.suit) < 9 else f"{self.suit[:8]}…"


@dataclass(frozen=True, slots=True)
class Fan:
    """The cards of one suit, laid over each other so that each one's corner can be seen."""

    suit: str
    count: int
    cards: tuple[Card, ...]
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Hand:
    """A fan for each suit, in rows. `says` is what is drawn in words."""

    width: int
    height: int
    fans: tuple[Fan, ...]
    says: str
    card_width: int = _CARD
    card_height: int = _TALL


def hand(cards: Mapping[str, int], colours: Mapping[str, str], width: int = WIDE) -> Hand:
    """These cards as a picture of that width; `colours` are those of the suits, in their order.

    A fan shows at most as many cards as fit in a row; its count tells the rest.
    """
    suits = [*colours, *(suit for suit in cards if suit not in colours)]
    fans: list[Fan] = []
    x, y = float(_MARGIN), float(_MARGIN)
    for suit in suits:
        count = cards.get(suit, 0)
        if not count:
            continue
        shown = min(count, _ROWS)
        wide = _CARD + (shown - 1) * _STEP
        if x > _MARGIN and x + wide > width - _MARGIN:
            x, y = float(_MARGIN), y + _TALL + _BETWEEN
        fans.append(_fan(suit, count, shown, colours.get(suit, ""), x, y))
        x += wide + _GAP
    return Hand(
        width=width,
        height=round(y) + _TALL + _MARGIN,
        fans=tuple(fans),
        says=f"{describe_cards(cards)}.",
    )


def _fan(suit: str, count: int, shown: int, colour: str, x: float, y: float) -> Fan:
    cards = tuple(
        Card(suit, colour, x + place * _STEP, y, is_top=place == shown - 1)
        for place in range(shown)
    )
    return Fan(suit, count, cards, x, y)
