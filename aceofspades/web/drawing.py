"""Where a hand of cards has its lines.

Pure geometry: cards go in, what a template draws comes out, by its names. Lengths are in the
picture's own units, which are CSS pixels at the width that the picture is made for.
"""

from collections.abc import Iterable, Mapping
from types import SimpleNamespace

from aceofspades.rules.contest import describe_cards
from aceofspades.state.reading import DECK
from nomic.rulebook.charts import cut

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
_SEAT, _SEAT_TALL, _BACKS, _BACK_STEP = 118, 96, 5, 5  # room for a count of four digits


def table(
    held: Mapping[str, int],
    deck: int,
    width: int = WIDE,
    rows: int = 4,
    moved: Iterable[tuple[str, str]] = (),
) -> SimpleNamespace:
    """The table as everybody may see it: the Deck, and for each contestant as many backs of cards
    as they hold, five at most; the number tells the rest. No more than so many rows.

    A card flies from one to the other of each two between whom some have `moved` just now.
    """
    columns = width // _SEAT
    shown = [(DECK, deck), *held.items()][: columns * rows]
    seats = tuple(
        SimpleNamespace(
            name=cut(name, 14),
            count=count,
            x=(place % columns) * _SEAT + (width - columns * _SEAT) // 2,
            y=(place // columns) * _SEAT_TALL,
            backs=tuple(10 + _BACK_STEP * back for back in range(min(count, _BACKS))),
        )
        for place, (name, count) in enumerate(shown)
    )
    in_words = ", ".join(f"{name} {count}" for name, count in shown)
    places = {name: seat for (name, _), seat in zip(shown, seats, strict=True)}
    return SimpleNamespace(
        width=width,
        height=-(-len(shown) // columns) * _SEAT_TALL,
        flights=tuple(
            (places[giver], places[receiver])
            for giver, receiver in moved
            if giver in places and receiver in places
        ),
        seats=seats,
        says=f"Cards: {in_words}.",
    )


def hand(
    cards: Mapping[str, int], colours: Mapping[str, str], width: int = WIDE
) -> SimpleNamespace:
    """These cards as a picture of that width: a fan for each suit, in rows, and what it says in
    words. `colours` are those of the suits, in their order.

    A fan shows at most as many cards as fit in a row; its count tells the rest.
    """
    suits = [*colours, *(suit for suit in cards if suit not in colours)]
    fans: list[SimpleNamespace] = []
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
    return SimpleNamespace(
        width=width,
        height=round(y) + _TALL + _MARGIN,
        fans=tuple(fans),
        says=f"{describe_cards(cards)}.",
        card_width=_CARD,
        card_height=_TALL,
    )


def _fan(suit: str, count: int, shown: int, colour: str, x: float, y: float) -> SimpleNamespace:
    """The cards of one suit, laid over each other so that each one's corner can be seen.

    `tint` is the colour if the style sheet knows it; `is_drawn` tells whether the suit has a
    picture of its own.
    """
    cards = tuple(
        SimpleNamespace(
            suit=suit,
            name=suit if len(suit) < 9 else f"{suit[:8]}…",
            letter=suit[:1],
            colour=colour,
            tint=colour if colour in TINTS else "",
            is_drawn=suit in SHAPES,
            x=x + place * _STEP,
            y=y,
            is_top=place == shown - 1,
        )
        for place in range(shown)
    )
    return SimpleNamespace(suit=suit, count=count, cards=cards, y=y)
