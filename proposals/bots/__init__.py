"""Habits of simulated players in an assembly."""

from collections.abc import Mapping
from typing import Any

from nomic.simulation.bots import OFTEN, SELDOM, Act, Bots, Habit
from proposals.bots import practice


def _passing(body: str, brought: Mapping[str, Any] | None) -> Act:
    """The act that submits a text, or once it is `brought` the vote for it."""
    if brought is None:
        return "proposals.submit", {"body": body}
    return "proposals.vote", {"proposal": brought["proposal"], "choice": "FOR"}


BOTS = Bots(
    practice.practice,
    habits={
        "proposals.submit": Habit(OFTEN),
        "proposals.vote": Habit(OFTEN),
        "proposals.comment": Habit(SELDOM),
    },
    passing=_passing,
)
