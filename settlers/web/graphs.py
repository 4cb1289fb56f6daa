"""Where the graphs of the Dice Deck and of the Productions have their lines.

Pure geometry, in the pictures' own units: CSS pixels at the width of a narrow page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from settlers.web.drawing import NARROW


@dataclass(frozen=True, slots=True)
class Stack:
    """The cards of one result: how many are left of how many, and its bar's lines."""

    result: int
    left: int
    whole: int
    chance: float
    x: float
    left_y: float
    left_height: float
    whole_y: float
    whole_height: float
    last: bool
    mine: bool

    @property
    def percent(self) -> str:
        """The chance that the next card shows it."""
        return f"{self.chance * 100:.0f} %" if self.left else "0 %"


@dataclass(frozen=True, slots=True)
class DeckChart:
    width: int
    height: int
    base: float
    bar: float
    cards: int
    whole: int
    stacks: tuple[Stack, ...]

    @property
    def bar_left(self) -> float:
        return -self.bar / 2

    @property
    def says(self) -> str:
        """What is left, as a sentence for those who hear the picture."""
        parts = (f"{each.left} of {each.whole} with {each.result}" for each in self.stacks)
        return f"{self.cards} of {self.whole} cards are left: {', '.join(parts)}."


def deck(
    left: Mapping[int, int],
    whole: Mapping[int, int],
    *,
    last: Sequence[int] = (),
    mine: Sequence[int] = (),
    width: int = NARROW,
) -> DeckChart:
    """A bar for each result: the cards left, before the outline of all that there are.

    `last` are the last two results, `mine` the numbers of the viewer's Domains.
    """
    results = sorted(set(left) | set(whole))
    cards = sum(left.values())
    highest = max([*whole.values(), *left.values(), 1])
    base, tall = 122.0, 92.0
    step = (width - 8) / max(len(results), 1)

    def high(count: int) -> float:
        return round(tall * count / highest, 1)

    stacks = tuple(
        Stack(
            result=result,
            left=(now := left.get(result, 0)),
            whole=(once := whole.get(result, 0)),
            chance=now / cards if cards else 0.0,
            x=round(4 + step * (place + 0.5), 1),
            left_y=base - high(now),
            left_height=high(now),
            whole_y=base - high(once),
            whole_height=high(once),
            last=result in last,
            mine=result in mine,
        )
        for place, result in enumerate(results)
    )
    bar = round(min(step - 4, 26), 1)
    return DeckChart(width, 158, base, bar, cards, sum(whole.values()), stacks)


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


@dataclass(frozen=True, slots=True)
class PastMark:
    past: Past
    x: float
    first_y: float
    second_y: float
    labelled: bool

    @property
    def letter(self) -> str:
        """The visitor's first letter; "" for nobody."""
        return "" if self.past.visitor in ("", "None") else self.past.visitor[:1]


@dataclass(frozen=True, slots=True)
class History:
    width: int
    height: int
    left: int
    right: int
    base: float
    rows: tuple[tuple[int, float], ...]
    marks: tuple[PastMark, ...]
    half: float
    visited: bool

    @property
    def says(self) -> str:
        """The results of each Production, as a sentence for those who hear the picture."""
        return " ".join(
            f"Production {mark.past.number}: {mark.past.results[0]} and {mark.past.results[1]}."
            for mark in self.marks
        )


def history(past: Sequence[Past], numbers: Sequence[int], *, width: int = NARROW) -> History:
    """The two results of each Production, oldest first, over the numbers that a Domain can hold."""
    lows = [*numbers, *(result for each in past for result in each.results)]
    low, high = min(lows, default=2), max(lows, default=12)
    left, right, top, base = 26, width - 10, 12.0, 172.0
    step = (right - left) / max(len(past), 8)
    every = max(1, -(-len(past) // 10))

    def y(number: int) -> float:
        return round(base - (base - top) * (number - low) / max(high - low, 1), 1)

    marks = tuple(
        PastMark(
            past=each,
            x=round(left + step * (place + 0.5), 1),
            first_y=y(each.results[0]),
            second_y=y(each.results[1]),
            labelled=(len(past) - 1 - place) % every == 0,
        )
        for place, each in enumerate(past)
    )
    rows = tuple((number, y(number)) for number in range(low, high + 1, 2))
    visited = any(mark.letter for mark in marks)
    half = round(min(step / 2 - 1, 7), 1)
    tall = int(base) + (46 if visited else 28)
    return History(width, tall, left, right, base, rows, marks, half, visited)
