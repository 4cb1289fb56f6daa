"""Marking Regulations as blocks, against the same functions in plain Python.

Twenty regulations of those that the contest ships mark a contest's hands in the sandbox, the start
of its process included. Python runs the very same text, without limits, on copies of those hands.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import aceofspades
from aceofspades.rules.marks import MarkingProgram, Question, mark, program_in
from bench.figures import Figure, median
from bench.size import Size

_REGULATIONS = 20
_SUITS = ("Mauve", "Red", "Black", "Green", "Hearts")
_REPEATS = 5
_BOOKS = ("rulebook/library/*.md", "rulebook/*.md")


def measure(size: Size) -> list[Figure]:
    """At each number of hands: in the sandbox, and in this process."""
    figures = []
    for hands in size.hands:
        question = _question(hands)
        plain = _plain(question)
        assert mark(question).worths == plain()
        case = f"{hands:,} hands, {_REGULATIONS} regulations"
        took = _by_turns(size.rounds * _REPEATS, partial(mark, question), plain)
        figures.append(Figure("marks", case, "ms", took[0], took[1]))
    return figures


def _question(hands: int) -> Question:
    room = Path(aceofspades.__file__).parent
    texts = [file.read_text() for book in _BOOKS for file in sorted(room.glob(book))]
    shipped = [program.source for text in texts if (program := program_in(0, text))]
    numbers = range(300, 300 + _REGULATIONS)
    chance = Random(hands)
    names = [f"contestant {number}" for number in range(hands)]
    return Question(
        hands={name: {suit: chance.randint(0, 9) for suit in _SUITS} for name in names},
        alliances=tuple(zip(names[::3], names[1::3], strict=False)),
        programs=tuple(map(MarkingProgram, numbers, cycle(shipped))),
    )


def _plain(question: Question) -> Callable[[], dict[str, float]]:
    functions: list[Any] = []
    for program in question.programs:
        scope: dict[str, Any] = {}
        exec(program.source, scope)  # noqa: S102 (our own texts)
        functions.append(scope.get("mark") or partial(_by_hand, scope["mark_hand"]))

    def worths() -> dict[str, float]:
        worth: dict[str, float] = dict.fromkeys(question.hands, 0)
        for function in functions:
            hands = {name: dict(hand) for name, hand in question.hands.items()}
            worth = function(hands, dict(worth), [list(each) for each in question.alliances])
        return {name: float(number) for name, number in worth.items()}

    return worths


def _by_hand(mark_hand: Any, hands: Any, *rest: Any) -> dict[str, float]:
    return {name: mark_hand(name, hands, *rest) for name in hands}


def _by_turns(rounds: int, *ways: Callable[[], object]) -> list[float]:
    """The middle milliseconds of each way, after one that is not counted."""
    took: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds + 1):
        for way, times in zip(ways, took, strict=True):
            since = time.perf_counter()
            way()
            times.append((time.perf_counter() - since) * 1000)
    return [median(times[1:]) for times in took]
