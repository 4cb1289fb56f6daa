"""Where the race track, the chart of a race and the graph of pulls have their lines.

Pure geometry: what the race is goes in, what a template draws comes out, by its names. Lengths are
in the picture's own units, which are CSS pixels at the width that the picture is made for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, cos, pi, sin
from types import SimpleNamespace

from nomic.games.wording import enumerated

SILKS = 8
"""How many colours horses have; the names stand beside them, so they may repeat."""

WIDE, NARROW = 760, 358


@dataclass(frozen=True, slots=True)
class DrawnHorse:
    """A horse as the pictures show it; `owner` is empty while the horse is Agora's, and `silk` is
    the number of its colour, the same in every picture.

    `odds` are the multipliers of a bet at first, second and third, empty where no rule has them;
    `staked` is how many dollaries the viewer has bet on it.
    """

    name: str
    position: int
    place: int | None = None
    owner: str = ""
    silk: int = 0
    before: int | None = None
    odds: tuple[int, ...] = ()
    staked: int = 0

    @property
    def letter(self) -> str:
        return self.name[:1]

    @property
    def colours(self) -> str:
        """The style sheet's names for its colour, and for a horse that no player owns."""
        return f"silk-{self.silk % SILKS}" + ("" if self.owner else " unowned")

    @property
    def says(self) -> str:
        """The runner's facts as a sentence, for those who hear the picture."""
        where = f"at {self.position}" if self.place is None else f"{_ORDINALS[self.place]} home"
        whose = f"owned by {self.owner}" if self.owner else "not owned by a player"
        pays = f"; a bet pays {enumerated([*map(str, self.odds)], 'or')} times" if self.odds else ""
        staked = f"; you have bet {self.staked} on it" if self.staked else ""
        return f"{self.name}, {whose}: {where}{pays}{staked}"

    @property
    def priced(self) -> str:
        """The odds as the track has them: “×7 ×6 ×5”."""
        return " ".join(f"×{odd}" for odd in self.odds)


_ORDINALS = {1: "first", 2: "second", 3: "third"}


def track(
    runners: Sequence[DrawnHorse], *, finish: int, helmet_from: int | None, width: int = WIDE
) -> SimpleNamespace:
    """The track: a lane for each horse, a column for each step from 0 to `finish`, or to the horse
    that stands beyond it; without the helmets' line where None says where it is, or it is not
    reached."""
    ends = max([1, finish, *(max(runner.position, runner.before or 0) for runner in runners)])
    if helmet_from is not None and helmet_from > ends:
        helmet_from = None
    narrow = width < 500
    left_x, margin, top, lane_height = (0, 24, 26, 44) if narrow else (150, 34, 26, 40)
    tall, right_x = len(runners) * lane_height, width - margin
    start = left_x + (22 if narrow else 14)

    def at(position: int) -> float:
        return round(start + (right_x - start) * position / ends, 1)

    above = 30 if narrow else lane_height // 2 + 2  # of a lane's middle, where its horse runs
    lane = f"h{width - left_x}v{lane_height}h{left_x - width}z"
    tops = range(top, top + tall, lane_height)
    lanes = tuple(
        SimpleNamespace(
            runner=runner,
            middle=tops[row] + above,
            x=at(runner.position),
            from_x=at(before),
            ran=f"M{at(0)} 0H{at(runner.position)}",
            went="" if before == runner.position else f"M{at(before)} 0H{at(runner.position)}",
            chip=12 + 7 * len(str(runner.staked)) if runner.staked else 0,
        )
        for row, runner in enumerate(runners)
        for before in [runner.position if runner.before is None else runner.before]
    )
    label_step = _labelled((right_x - start) / ends, room=24)
    clear = 24 if narrow else 54  # which the label of the helmets' line needs on either side
    return SimpleNamespace(
        width=width,
        height=top + tall + 8,
        left=left_x,
        top=top,
        bottom=top + tall,
        tall=tall,
        ground="".join(f"M{left_x} {y}{lane}" for y in tops[::2]),
        odd_ground="".join(f"M{left_x} {y}{lane}" for y in tops[1::2]),
        lane=f"M0 {-above}h{width}v{lane_height}h{-width}z",
        step_lines="".join(f"M{at(step)} {top}v{tall}" for step in range(ends + 1)),
        helmet_from=helmet_from,
        helmet_x=None if helmet_from is None else at(helmet_from),
        finish_x=at(finish),
        scale=tuple(
            (step, at(step))
            for step in range(0, ends + 1, label_step)
            if helmet_from is None or abs(at(step) - at(helmet_from)) >= clear
        ),
        lanes=lanes,
        narrow=narrow,
    )


def _labelled(unit: float, *, room: float) -> int:
    """Each how many steps a label stands, so that each has that room: every fourth if it can."""
    return 4 * max(1, ceil(room / (4 * unit)))


_DASHES = ("", "7 4", "2 4", "9 3 2 3")


def chart(
    weeks: Sequence[str], positions: Mapping[str, Sequence[int]], *, finish: int, width: int = WIDE
) -> SimpleNamespace:
    """Positions over the weeks of a race; `positions[horse][i]` is the one after `weeks[i]`.

    Each course has its points, and its label at the right end; labels are pushed apart so that none
    covers another.
    """
    left_x, right_x, top = 26, width - 104, 14
    bottom = top + (240 if width >= 500 else 220)

    def x(week: int) -> float:
        return round(left_x + (right_x - left_x) * week / max(len(weeks) - 1, 1), 1)

    def y(position: float) -> float:
        return round(bottom - (bottom - top) * position / finish, 1)

    ends = {name: y(course[-1]) for name, course in positions.items()}
    labels = _apart(ends, gap=17, lowest=bottom + 4)
    courses = tuple(
        SimpleNamespace(
            name=name,
            silk=number % SILKS,
            points=" ".join(f"{x(week)},{y(position)}" for week, position in enumerate(course)),
            dashes=_DASHES[number % len(_DASHES)],
            end_x=x(len(course) - 1),
            end_y=ends[name],
            label_y=labels[name],
            last=course[-1],
        )
        for number, (name, course) in enumerate(positions.items())
    )
    every = max(1, round(len(weeks) / (10 if width >= 500 else 5)))
    level = _labelled((bottom - top) / finish, room=16)
    return SimpleNamespace(
        width=width,
        height=bottom + 26,
        left=left_x,
        right=right_x,
        label_x=right_x + 14,
        rows=tuple((step, y(step)) for step in range(0, finish + 1, level)),
        weeks=tuple((name, x(i)) for i, name in enumerate(weeks) if i % every == 0),
        courses=courses,
    )


def _apart(ends: Mapping[str, float], *, gap: float, lowest: float) -> dict[str, float]:
    """The same heights moved just enough that neighbours are `gap` apart and none is too low."""
    order = sorted(ends, key=lambda name: ends[name])
    placed: dict[str, float] = {}
    floor = float("-inf")
    for name in order:
        floor = placed[name] = max(ends[name], floor + gap)
    ceiling = lowest
    for name in reversed(order):
        ceiling = placed[name] = min(placed[name], ceiling)
        ceiling -= gap
    return placed


NODE_RADIUS = 30


def pulls(
    pulls_of: Mapping[str, Iterable[str]],
    at_start: Mapping[str, Iterable[str]],
    *,
    galloper: str = "",
) -> SimpleNamespace:
    """Who pulls whom: horses in a ring, an arrow from each galloper to each horse it pulls.

    A pull that is not in the rule's table was added by a jersey and is marked so.
    """
    names = list(pulls_of)
    centre, radius = complex(NARROW / 2, NARROW / 2), NARROW / 2 - NODE_RADIUS - 10
    spots = {
        name: _rounded(
            complex(
                centre.real + radius * sin(2 * pi * number / len(names)),
                centre.imag - radius * cos(2 * pi * number / len(names)),
            )
        )
        for number, name in enumerate(names)
    }
    arrows = []
    for puller in names:
        for pulled in sorted(pulls_of[puller]):
            path, barb = _arrow(spots[puller], spots[pulled], centre)
            added = pulled not in set(at_start.get(puller, ()))
            arrows.append(
                SimpleNamespace(puller=puller, pulled=pulled, path=path, barb=barb, added=added)
            )
    nodes = [
        SimpleNamespace(name=name, x=spot.real, y=spot.imag, galloper=name == galloper)
        for name, spot in spots.items()
    ]
    return SimpleNamespace(
        width=NARROW, height=NARROW, nodes=nodes, pulls=arrows, radius=NODE_RADIUS
    )


# Points of the plane are complex numbers: x + y j. A quarter turn is a product with j.


def _arrow(start: complex, end: complex, centre: complex) -> tuple[str, str]:
    """A curve between two nodes' rims, and the triangle at its end, as SVG path data; for a horse
    that pulls itself a small ear on the side of the ring's middle."""
    if start == end:
        inward, far = (_towards(start, centre, NODE_RADIUS + gap) for gap in (0, 34))
        side = (inward - start) * -0.6j
        tip = _rounded(inward + side * 0.4)
        neck = _towards(tip, far + side, 9)
        ear = f"M{_at(inward - side * 0.4)} C{_at(far - side)} {_at(far + side)} {_at(neck)}"
        return ear, _barb(tip, neck)
    # Bent to the right of the way it goes, so that a pull and its answer are two lines.
    bend = (start + end) / 2 + (end - start) * 0.14j
    tip = _towards(end, bend, NODE_RADIUS + 2)
    neck = _towards(tip, bend, min(9.0, abs(end - start) / 4))
    curve = f"M{_at(_towards(start, bend, NODE_RADIUS))} Q{_at(bend)} {_at(neck)}"
    return curve, _barb(tip, neck)


def _towards(start: complex, end: complex, by: float) -> complex:
    """The point so far from the one on the way to the other."""
    return _rounded(start + (end - start) * by / (abs(end - start) or 1.0))


def _rounded(point: complex) -> complex:
    return complex(round(point.real, 1), round(point.imag, 1))


def _at(point: complex) -> str:
    return f"{point.real:.1f},{point.imag:.1f}"


def _barb(tip: complex, neck: complex) -> str:
    across = (tip - neck) * -0.45j
    return f"M{_at(tip)} L{_at(neck + across)} L{_at(neck - across)} Z"
