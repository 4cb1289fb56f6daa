"""What simulated players do in an assembly."""

from collections.abc import Mapping
from typing import Any

from nomic.engine.subgames import OFTEN, SELDOM, Act, Habit

HABITS = {
    "proposals.submit": Habit(OFTEN),
    "proposals.vote": Habit(OFTEN),
    "proposals.comment": Habit(SELDOM),
}


def passing(body: str, brought: Mapping[str, Any] | None) -> Act:
    """To submit it, and then to vote for it."""
    if brought is None:
        return "proposals.submit", {"body": body}
    return "proposals.vote", {"proposal": brought["proposal"], "choice": "FOR"}
