"""What simulated players try in the lottery: numbers of tickets that they can pay for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_WORTH_TRYING: dict[str, dict[str, Sequence[Any]]] = {
    "lottery.buy_tickets": {"tickets": (1, 1, 2, 3, 5)},
    "lottery.correct_tickets": {"tickets": (0, 1, 4)},
}


def worth_trying(action: str) -> Mapping[str, Sequence[Any]]:
    """Values for that action's inputs, by their names."""
    return _WORTH_TRYING.get(action, {})
