"""How the program plays a subgame: the subgame's own room `bots` says it, as `BOTS`.

Only this package imports those rooms, by their name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from nomic.engine.subgames import Subgame
from nomic.engine.table import Table
from nomic.games.models import Player

SELDOM, USUAL, OFTEN, WHENEVER_OFFERED = 1, 20, 100, 300

type Act = tuple[str, dict[str, Any]]
"""An action's name and inputs."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How simulated players take an action: how likely, against others, they choose it, and of how
    many tries for its inputs they send the first that is legal."""

    weight: int = USUAL
    tries: int = 4


@dataclass(frozen=True, slots=True)
class Bots:
    """How practice players play a subgame with sense, and simulated ones by chance.

    `practice` yields what it makes sense for that practice player to do now, the best first; what
    is not legal is passed over. Its `Random` stands for their mood. Of secrets it knows theirs
    alone.

    Simulated players have `habits` by actions' names, those left out as usual, and values `worth
    trying` by an action's name and an input's. `bills` are bodies of proposals that bring more of
    the subgame into a game that plays it; `passing` is how a proposal of a body is brought in, and
    then, given what that came to, voted for; None where no proposals are made.
    """

    practice: Callable[[Table, Player, Random], Iterable[Act]] = lambda *_: ()
    habits: Mapping[str, Habit] = field(default_factory=dict)
    worth_trying: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    bills: Sequence[str] = ()
    passing: Callable[[str, Mapping[str, Any] | None], Act | None] = lambda *_: None


def bots_for(subgame: Subgame) -> Bots:
    """The `BOTS` of the room beside the subgame's class; bots that do nothing where it has none."""
    return _bots(type(subgame).__module__.rpartition(".")[0])


@cache
def _bots(package: str) -> Bots:
    if find_spec(f"{package}.bots") is None:
        return Bots()
    found: Bots = import_module(f"{package}.bots").BOTS
    return found
