"""The proposals of the demonstration's players, with votes on them: proposals.toml as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nomic.engine.programs.gallery import gallery
from nomic.simulation.demonstration.data import read
from settlers.rulebook import protection_money

LAST = "last"


_SHIPPED: dict[str, Callable[[], str]] = {
    "Protection Money": protection_money,
    # A rule that carries a program, to be adopted while one looks on.
    "The Lottery": lambda: next(
        piece for piece in gallery() if piece.title == "The Lottery"
    ).as_proposed([("hoof", "hooves")]),
}


@dataclass(frozen=True, slots=True)
class Bill:
    """A proposal submitted in the week of that number (0 is the first), or in the `last` one.

    `votes` are cast in the order in which they stand here. Links are numbers of earlier ones.
    """

    week: int | str
    author: str
    title: str
    body: str
    votes: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    conflicts: tuple[int, ...] = ()
    dependencies: tuple[int, ...] = ()


def _bill(told: dict[str, Any]) -> Bill:
    if "body_of" in told:
        told["body"] = _SHIPPED[told.pop("body_of")]()
    return Bill(**told)


_TOLD = read("proposals")
AT_THE_RACES = tuple(map(_bill, _TOLD["at_the_races"]))
IN_THE_NWEEK = tuple(map(_bill, _TOLD["in_the_nweek"]))
