"""Where the isle has its lines: shore, homesteads, landing place.

Pure geometry: what the isle is goes in, what a template draws comes out, by its names. Lengths are
in the picture's own units, which are CSS pixels at the width that the picture is made for.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

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
        own = self.settler
        domains = ", ".join(
            f"{each} {'empty' if (number := own.domains.get(each)) is None else number}"
            + (f" that brings {self.gains[each]}" if self.gains.get(each) else "")
            for each in RESOURCES
        )
        held = ", ".join(f"{own.stockpile.get(each, 0):,} {each}" for each in RESOURCES)
        built = ", ".join(counted(own.buildings)) or "nothing"
        marks = f" ({', '.join(self.marks)})" if self.marks else ""
        return f"{own.name}{marks}: Domains {domains}; Stockpile {held}; built {built}"


def isle(plots: Sequence[Plot], *, width: int = WIDE) -> SimpleNamespace:
    """The isle with a homestead for each plot, and the landing place at its lower shore.

    `shore` is the outline of `static/isle.svg` that is stretched to each kind of `land`.
    """
    narrow = width < 500
    # How many homesteads stand side by side: rows as full as can be.
    most = 2 if narrow else 4
    columns = min(max(len(plots), 1), most)
    if most < len(plots) <= MOST_PLOTS and not narrow:
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
    left = (_ACROSS - _STEP * len(RESOURCES)) / 2
    tiles = tuple(
        SimpleNamespace(
            resource=resource,
            x=left + _STEP * (place + 0.5),
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


def counted(buildings: Sequence[str]) -> list[str]:
    counts = Counter(buildings)
    return [name if count == 1 else f"{name} ×{count}" for name, count in counts.items()]
