"""How much of this house an act goes through: the files, functions and calls of ours that are
entered while one bet is taken. No time, so that any machine says the same."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from bench import cast
from bench.figures import Figure
from bench.size import Size
from nomic.engine.take import take
from nomic.infrastructure.paths import ROOT

NAME = "the way of a bet"
_ACTION, _INPUTS = "horses.bet", {"horse": "Alexia", "dollaries": 1}
_MOST_FILES = 45
_INNER = ("<listcomp>", "<genexpr>", "<lambda>", "<dictcomp>", "<setcomp>")  # parts of functions


def measure(size: Size) -> list[Figure]:
    """The way of a bet in a process that has taken one before, whatever the size."""
    game = cast.races("way")
    cast.seat(game, 4)
    *others, last = game.players.order_by("pk")
    for player in others:  # what a process reads once is no part of the way
        take(game.slug, player, _ACTION, _INPUTS, "once")
    entered = _entered(lambda: take(game.slug, last, _ACTION, _INPUTS, "once"))
    files = len({code.co_filename for code in entered})
    return [
        Figure(NAME, "files", "files", files, _MOST_FILES, at_most=1),
        Figure(NAME, "functions", "functions", len(entered)),
        Figure(NAME, "calls", "calls", entered.total()),
    ]


def _entered(act: Callable[[], object]) -> Counter[CodeType]:
    """How often each function of the site and its subgames is entered by that act."""
    calls: Counter[CodeType] = Counter()
    ours = tuple(f"{ROOT / top}/" for top in ("nomic", "horses"))

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ours) and code.co_name not in _INNER:
            calls[code] += 1

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls
