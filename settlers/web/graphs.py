"""Where the graphs of the Dice Deck and of the Productions have their lines.

Pure geometry, in the pictures' own units: CSS pixels at the width of a narrow page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from types import SimpleNamespace
from typing import Any

from settlers.web.drawing import NARROW

_BASE, _TALLEST = 122.0, 92.0  # of the bars
_LABEL = 16  # the least from one label to the next


def deck(
    left: Mapping[int, int],
    whole: Mapping[int, int],
    *,
    last: Sequence[int] = (),
    mine: Sequence[int] = (),
) -> SimpleNamespace:
    """A bar for each result: the cards left, before the outline of all that there are.

    `last` are the last two results, `mine` the numbers of the viewer's Domains. `says` is what is
    left, as a sentence for those who hear the picture.
    """
    results = sorted(set(left) | set(whole))
    cards = sum(left.values())
    highest = max([*whole.values(), *left.values(), 1])
    step = (NARROW - 8) / max(len(results), 1)
    every = ceil(_LABEL / step)
    stacks = tuple(
        SimpleNamespace(
            result=result,
            named=place % every == 0,
            x=round(4 + step * (place + 0.5), 1),
            last=result in last,
            mine=result in mine,
            **_stack(left.get(result, 0), whole.get(result, 0), cards, highest),
        )
        for place, result in enumerate(results)
    )
    bar = round(min(step - 4, 26), 1)
    in_all = sum(whole.values())
    parts = (f"{each.left} of {each.whole} with {each.result}" for each in stacks)
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


def _stack(left: int, whole: int, cards: int, highest: int) -> dict[str, Any]:
    """The cards of one result: how many are left of how many, and the lines of its bar."""
    chance = left / cards if cards else 0.0
    left_height, whole_height = (round(_TALLEST * each / highest, 1) for each in (left, whole))
    return {
        "left": left,
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
class Past:
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


def history(past: Sequence[Past], numbers: Sequence[int]) -> SimpleNamespace:
    """The two results of each Production, oldest first, over the numbers that a Domain can hold.

    `says` is the same in words, for those who hear the picture.
    """
    lows = [*numbers, *(result for each in past for result in each.results)]
    low, high = min(lows, default=2), max(lows, default=12)
    left, right, top, base = 26, NARROW - 10, 12.0, 172.0
    step = (right - left) / max(len(past), 8)
    every = max(1, -(-len(past) // 10))
    level = 2 * max(1, ceil(_LABEL * (high - low) / (2 * (base - top))))

    def y(number: int) -> float:
        return round(base - (base - top) * (number - low) / max(high - low, 1), 1)

    marks = tuple(
        SimpleNamespace(
            past=each,
            x=round(left + step * (place + 0.5), 1),
            first_y=y(each.results[0]),
            second_y=y(each.results[1]),
            labelled=(len(past) - 1 - place) % every == 0,
        )
        for place, each in enumerate(past)
    )
    visited = any(each.letter for each in past)
    return SimpleNamespace(
        width=NARROW,
        height=int(base) + (46 if visited else 28),
        left=left,
        right=right,
        base=base,
        rows=[(number, y(number)) for number in range(low, high + 1, level)],
        marks=marks,
        half=round(min(step / 2 - 1, 7), 1),
        visited=visited,
        says=" ".join(
            f"Production {each.number}: {each.results[0]} and {each.results[1]}." for each in past
        ),
    )
