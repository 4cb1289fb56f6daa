"""Where the isle has its lines, and the graphs of the Dice Deck and of the Productions.

Pure geometry: what there is goes in, what a template draws comes out, by its names. Lengths are in
the picture's own units, which are CSS pixels at the width that the picture is made for; the graphs
are as wide as a narrow page.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from types import SimpleNamespace
from typing import Any

from nomic.rulebook.charts import cut
from settlers.rules.isle import RESOURCES, Settler

WIDE, NARROW = 760, 358
DRAWN = ("Farm", "Quarry", "Church", "Cone")
"""The buildings that have a picture of their own; others are shown by their first letter."""

MOST_PLOTS = 8
_PLOT, _ACROSS, _STEP = 128, 162, 31
_ROOM_FOR_TREES = 30
_SEA = 70
_GLYPH = 38
_WAVES = ((0.06, 24), (0.2, 44), (0.34, 20), (0.93, 52))
_WORDS = 155
"""The room left of the landing place for whoever is there, and for a wave's own length."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A Settler as the pictures show them. `gains` is what the last results bring them still."""

    settler: Settler
    gains: Mapping[str, int] = field(default_factory=dict)
    marks: Sequence[str] = ()
    mine: bool = False

    @property
    def says(self) -> str:
        """The Settler's facts as a sentence, for those who hear the picture."""
        settler = self.settler
        domains = ", ".join(
            f"{resource} {'empty' if (number := settler.domains.get(resource)) is None else number}"
            + (f" that brings {self.gains[resource]}" if self.gains.get(resource) else "")
            for resource in RESOURCES
        )
        held = ", ".join(
            f"{settler.stockpile.get(resource, 0):,} {resource}" for resource in RESOURCES
        )
        built = ", ".join(building_counts(settler.buildings)) or "nothing"
        marks = f" ({', '.join(self.marks)})" if self.marks else ""
        return f"{settler.name}{marks}: Domains {domains}; Stockpile {held}; built {built}"


def isle(plots: Sequence[Plot], *, width: int = WIDE) -> SimpleNamespace:
    """The isle with a homestead for each plot, and the landing place at its lower shore.

    `shore` is the outline of `static/isle.svg` that is stretched to each kind of `land`.
    """
    narrow = width < 500
    # How many homesteads stand side by side: rows as full as can be.
    in_a_row = 2 if narrow else 4
    columns = min(max(len(plots), 1), in_a_row)
    if in_a_row < len(plots) <= MOST_PLOTS and not narrow:
        columns = -(-len(plots) // 2)
    rows = -(-len(plots) // columns)
    margin, top = (8, 14) if narrow else (30, 24)
    cell = (width - 2 * margin) / columns
    room = max(rows, 0) * _PLOT + (0 if rows else 40)
    bottom = top + room + (18 if narrow else 24)
    homesteads = tuple(
        _homestead(
            plot,
            x=round(margin + cell * (place % columns) + (cell - _ACROSS) / 2, 1),
            y=top + _PLOT * (place // columns) + 4,
        )
        for place, plot in enumerate(plots)
    )
    between = cell - _ACROSS
    trees = tuple(
        (round(margin + cell * column + between * share - 8, 1), top + _PLOT * row + y)
        for row in range(rows)
        for column in range(1, columns)
        for share, y in ((-0.2, 24), (0.15, 70), (-0.12, 96))
        if between >= _ROOM_FOR_TREES
    )
    jetty_x = round(width * (0.6 if narrow else 0.72), 1)
    # Short waves in the sea below the isle, clear of the landing place.
    spots = [(round(width * share, 1), bottom + deep) for share, deep in _WAVES]
    return SimpleNamespace(
        width=width,
        height=bottom + _SEA,
        shore="shore-narrow" if narrow else "shore-wide",
        land=(
            ("beach", _within(width, bottom, 0.0 if narrow else 2.0)),
            ("meadow", _within(width, bottom, 4.5 if narrow else 13.0)),
        ),
        homesteads=homesteads,
        jetty_x=jetty_x,
        jetty_y=bottom - 12,
        trees=trees,
        waves=tuple((x, y) for x, y in spots if not jetty_x - _WORDS < x < jetty_x + 90),
    )


def _homestead(plot: Plot, *, x: float, y: float) -> SimpleNamespace:
    """A plot of the isle: its upper left corner, and what stands in it from there. A tile is a
    Domain, what it brings now, and the Stockpile's amount; a glyph is all buildings of a name."""
    left_x = (_ACROSS - _STEP * len(RESOURCES)) / 2
    tiles = tuple(
        SimpleNamespace(
            resource=resource,
            x=left_x + _STEP * (place + 0.5),
            number=plot.settler.domains.get(resource),
            gain=plot.gains.get(resource, 0),
            held=(held := plot.settler.stockpile.get(resource, 0)),
            amount=short(held),
        )
        for place, resource in enumerate(RESOURCES)
    )
    counts = Counter(plot.settler.buildings)
    order = [*(name for name in DRAWN if name in counts), *sorted(set(counts) - set(DRAWN))]
    room = int((_ACROSS - 8) / _GLYPH)
    glyphs = tuple(
        SimpleNamespace(
            name=name,
            count=counts[name],
            x=8 + _GLYPH * place,
            is_drawn=name in DRAWN,
            letter=name[:1],
        )
        for place, name in enumerate(order[:room])
    )
    return SimpleNamespace(
        plot=plot,
        x=x,
        y=y,
        name=cut(plot.settler.name, int(_ACROSS / 8.4) - 1),
        tiles=tiles,
        glyphs=glyphs,
        more_glyphs=max(len(order) - room, 0),
        width=_ACROSS,
        height=_PLOT - 8,
    )


def _within(width: int, bottom: float, inset: float) -> tuple[float, float, float, float]:
    """The box of the land `inset` within its outermost line: x, y, width and height."""
    x, y = inset + 3, inset + 1
    return x, y, width - 2 * x, bottom - 2 * y


def short(amount: int) -> str:
    """An amount in few characters: 950, 12k, 3M."""
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10_000, "k")):
        if amount >= size:
            return f"{amount // (1_000 if unit == 'k' else size)}{unit}"
    return str(amount)


def building_counts(buildings: Sequence[str]) -> list[str]:
    counts = Counter(buildings)
    return [name if count == 1 else f"{name} ×{count}" for name, count in counts.items()]


_BASE, _TALLEST = 122.0, 92.0  # of the bars
_LABEL = 16  # the least from one label to the next


def deck(
    remaining: Mapping[int, int],
    whole: Mapping[int, int],
    *,
    last: Sequence[int] = (),
    mine: Sequence[int] = (),
) -> SimpleNamespace:
    """A bar for each result: the cards left, before the outline of all that there are.

    `last` are the last two results, `mine` the numbers of the viewer's Domains. `says` is what is
    left, as a sentence for those who hear the picture.
    """
    results = sorted(set(remaining) | set(whole))
    cards = sum(remaining.values())
    highest = max([*whole.values(), *remaining.values(), 1])
    step = (NARROW - 8) / max(len(results), 1)
    every = ceil(_LABEL / step)
    stacks = tuple(
        SimpleNamespace(
            result=result,
            named=place % every == 0,
            x=round(4 + step * (place + 0.5), 1),
            last=result in last,
            mine=result in mine,
            **_stack(remaining.get(result, 0), whole.get(result, 0), cards, highest),
        )
        for place, result in enumerate(results)
    )
    bar = round(min(step - 4, 26), 1)
    in_all = sum(whole.values())
    parts = (f"{stack.left} of {stack.whole} with {stack.result}" for stack in stacks)
    return SimpleNamespace(
        width=NARROW,
        height=158,
        base=_BASE,
        bar=bar,
        bar_left=-bar / 2,
        cards=cards,
        whole=in_all,
        stacks=stacks,
        says=f"{cards} of {in_all} cards are left: {', '.join(parts)}.",
    )


def _stack(remaining: int, whole: int, cards: int, highest: int) -> dict[str, Any]:
    """The cards of one result: how many are left of how many, and the lines of its bar."""
    chance = remaining / cards if cards else 0.0
    left_height, whole_height = (
        round(_TALLEST * count / highest, 1) for count in (remaining, whole)
    )
    return {
        "left": remaining,
        "whole": whole,
        "chance": chance,
        "percent": f"{chance * 100:.0f} %",
        "left_y": _BASE - left_height,
        "left_height": left_height,
        "whole_y": _BASE - whole_height,
        "whole_height": whole_height,
    }


# The Productions so far


@dataclass(frozen=True, slots=True)
class PastProduction:
    """A Production that has happened; `visitor` is who came after it, "" where nobody has yet.

    `opened` is the number of that visitor's visit, if what it sealed has been opened.
    """

    number: int
    entry: int
    results: tuple[int, int]
    visitor: str = ""
    victims: Sequence[str] = ()
    remade: bool = False
    opened: int | None = None

    @property
    def letter(self) -> str:
        """The visitor's first letter; "" for nobody."""
        return "" if self.visitor in ("", "None") else self.visitor[:1]


def history(past: Sequence[PastProduction], numbers: Sequence[int]) -> SimpleNamespace:
    """The two results of each Production, oldest first, over the numbers that a Domain can hold.

    `says` is the same in words, for those who hear the picture.
    """
    lows = [*numbers, *(number for production in past for number in production.results)]
    low, high = min(lows, default=2), max(lows, default=12)
    left_x, right_x, top, base = 26, NARROW - 10, 12.0, 172.0
    step = (right_x - left_x) / max(len(past), 8)
    every = max(1, -(-len(past) // 10))
    level = 2 * max(1, ceil(_LABEL * (high - low) / (2 * (base - top))))

    def y(number: int) -> float:
        return round(base - (base - top) * (number - low) / max(high - low, 1), 1)

    marks = tuple(
        SimpleNamespace(
            past=production,
            x=round(left_x + step * (place + 0.5), 1),
            first_y=y(production.results[0]),
            second_y=y(production.results[1]),
            labelled=(len(past) - 1 - place) % every == 0,
        )
        for place, production in enumerate(past)
    )
    visited = any(production.letter for production in past)
    return SimpleNamespace(
        width=NARROW,
        height=int(base) + (46 if visited else 28),
        left=left_x,
        right=right_x,
        base=base,
        rows=[(number, y(number)) for number in range(low, high + 1, level)],
        marks=marks,
        half=round(min(step / 2 - 1, 7), 1),
        visited=visited,
        says=" ".join(
            f"Production {production.number}: {production.results[0]} and {production.results[1]}."
            for production in past
        ),
    )
