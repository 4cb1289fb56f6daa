"""Where the bars of votes, the nweek and the graph of links have their lines.

Pure geometry: what the votes and links are goes in, what a template draws comes out. A bar is
`BAR` units wide and stretches with the page; the other pictures are in CSS pixels.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

BAR = 1000
WIDE, NARROW = 720, 340
CONFLICT, DEPENDENCY = "conflict", "dependency"
_NDAY, _STRIP = 28, 46
_MOST_NDAYS = 24
_ROW, _TOP, _BOX, _BEND = 52, 4, 34, 34
_APART = 5
_MOST_NODES = 24


@dataclass(frozen=True, slots=True)
class VoteBar:
    """The votes on a proposal side by side: FOR from the left, AGAINST from the right.

    Between them those who voted with the word that is `neither`, and room for those who have not
    voted, of so many `voters`. `quorum_x` is where FOR has to reach; None where no such number is
    known.
    """

    votes_for: int
    against: int
    present: int = 0
    voters: int = 0
    quorum: int | None = None
    neither: str = ""

    def _at(self, count: int) -> int:
        cast = self.votes_for + self.against + self.present
        return round(BAR * count / max(cast, self.voters, self.quorum or 0, 1))

    @property
    def silent(self) -> int:
        return max(self.voters - self.votes_for - self.against - self.present, 0)

    @property
    def for_width(self) -> int:
        return self._at(self.votes_for)

    @property
    def present_width(self) -> int:
        return self._at(self.votes_for + self.present) - self.for_width

    @property
    def against_width(self) -> int:
        return self._at(self.against)

    @property
    def against_x(self) -> int:
        return BAR - self.against_width

    @property
    def quorum_x(self) -> int | None:
        return None if self.quorum is None else self._at(self.quorum)

    @property
    def says(self) -> str:
        """The bar as a sentence, for those who hear it."""
        sentence = f"{self.votes_for} FOR, {self.against} AGAINST"
        sentence += f", {self.present} {self.neither}" if self.present else ""
        sentence += f", {self.silent} not voted" if self.silent else ""
        return sentence + (f"; the quorum is {self.quorum}." if self.quorum is not None else ".")


def strip(nday: int, ndays: int, voting_from: int) -> SimpleNamespace | None:
    """The nweek at that nday, an nday a square; None where it has more ndays than can be drawn."""
    if ndays > _MOST_NDAYS:
        return None
    squares = tuple(
        SimpleNamespace(
            number=number,
            x=(number - 1) * _NDAY,
            middle=(number - 0.5) * _NDAY,
            voting=number >= voting_from,
            today=number == nday,
            over=number < nday,
        )
        for number in range(1, ndays + 1)
    )
    return SimpleNamespace(width=ndays * _NDAY + 2, height=_STRIP, side=_NDAY - 3, ndays=squares)


@dataclass(frozen=True, slots=True)
class ListedLink:
    """One proposal lists another. `source` and `target` are handles as texts."""

    kind: str
    source: str
    target: str

    @property
    def words(self) -> str:
        return "conflicts with" if self.kind == CONFLICT else "depends on"


def graph(
    centre: str, ties: Sequence[ListedLink], titles: Mapping[str, str], *, width: int = WIDE
) -> SimpleNamespace:
    """The proposals around `here`, which stands in the middle, and the links among them: to the
    right what each depends on.

    What is nearer by links comes first; of more than can be drawn, `left_out` tells how many.
    """
    columns = _columns(centre, ties)
    drawn = dict(list(columns.items())[:_MOST_NODES])
    used = sorted(set(drawn.values()))
    stacks = {column: [handle for handle in drawn if drawn[handle] == column] for column in used}
    tallest = max(len(stack) for stack in stacks.values())
    height = _TOP + tallest * _ROW
    room = (width - _BEND) / len(used)
    box = min(room - (18 if width < WIDE else 44), 168)
    nodes = {
        handle: SimpleNamespace(
            handle=handle,
            label=_label(handle, titles.get(handle, ""), box),
            x=(x := round((place + 0.5) * room, 1)),
            y=(y := _TOP + (row + 0.5) * _ROW + (tallest - len(stack)) * _ROW / 2),
            left=round(x - round(box, 1) / 2, 1),
            right=round(x + round(box, 1) / 2, 1),
            top=y - _BOX / 2,
            width=round(box, 1),
            height=_BOX,
            is_here=handle == centre,
        )
        for place, (column, stack) in enumerate(stacks.items())
        for row, handle in enumerate(stack)
    }
    lines = [_line(tie, nodes) for tie in ties if tie.source in nodes and tie.target in nodes]
    return SimpleNamespace(
        width=width,
        height=height,
        nodes=tuple(nodes.values()),
        lines=tuple(lines),
        left_out=len(columns) - len(drawn),
    )


def _columns(centre: str, ties: Collection[ListedLink]) -> dict[str, int]:
    """Which column each proposal stands in, 0 for `here`, in the order of their nearness."""
    near: dict[str, list[tuple[str, int]]] = {}
    for tie in ties:
        step = 1 if tie.kind == DEPENDENCY else 0
        near.setdefault(tie.source, []).append((tie.target, step))
        near.setdefault(tie.target, []).append((tie.source, -step))
    columns = {centre: 0}
    queue = [centre]
    for handle in queue:
        for neighbour, step in near.get(handle, ()):
            if neighbour not in columns:
                columns[neighbour] = columns[handle] + step
                queue.append(neighbour)
    return columns


def _label(handle: str, title: str, box: float) -> str:
    """The handle, and as much of the title as the box has room for."""
    room = int(box / 7) - len(handle) - 3
    if not title or room < 4:
        return handle
    return f"{handle} {title if len(title) <= room else title[: room - 1].rstrip() + '…'}"


def _line(tie: ListedLink, nodes: Mapping[str, SimpleNamespace]) -> SimpleNamespace:
    """From one box to another: across, or where both stand in one column round their side."""
    source, target = nodes[tie.source], nodes[tie.target]
    # Lines of both kinds may join the same two boxes: each kind has ends of its own.
    lift = -_APART if tie.kind == CONFLICT else _APART
    if source.x == target.x:
        inward = lift if source.y < target.y else -lift
        y1, y2 = source.y + inward, target.y - inward
        x1, x2 = source.right, target.right
        bend, side = x1 + min(16 + abs(y1 - y2) / 6, 1.2 * _BEND), -1
    else:
        y1, y2 = source.y + lift, target.y + lift
        onward = source.x < target.x
        x1, x2 = (source.right, target.left) if onward else (source.left, target.right)
        bend, side = (x1 + x2) / 2, 1 if onward else -1
    path = f"M{x1} {y1}C{bend:.1f} {y1} {bend:.1f} {y2} {x2} {y2}"
    barb = f"M{x2} {y2}l{-side * 9} -5v10z" if tie.kind == DEPENDENCY else ""
    middle = round((x1 + x2 + 3 * bend + 3 * bend) / 8, 1)
    says = f"{tie.source} {tie.words} {tie.target}"
    return SimpleNamespace(tie=tie, path=path, barb=barb, x=middle, y=(y1 + y2) / 2, says=says)
