"""Seconds that programs take while something is kept, by the titles of their rules."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from nomic.contexts import within

_COSTS: ContextVar[dict[str, float] | None] = ContextVar("costs", default=None)


@contextmanager
def counted_by_rule() -> Iterator[dict[str, float]]:
    """The seconds that the programs of each rule take within."""
    costs: dict[str, float] = defaultdict(float)
    with within(_COSTS, costs):
        yield costs


def spend(rule: str, seconds: float) -> None:
    """The program of that rule took so many seconds."""
    costs = _COSTS.get()
    if costs is not None:
        costs[rule] += seconds


def spend_the_rest(rule: str, seconds: float) -> None:
    """Count for that rule, if its program ran, what is left of the seconds that something kept took
    in all: what recording it cost is of its rule too."""
    costs = _COSTS.get()
    if costs is not None and rule in costs:
        costs[rule] += max(seconds - sum(costs.values()), 0.0)
