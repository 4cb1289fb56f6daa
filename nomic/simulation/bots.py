"""How the program plays a subgame: the subgame's own room `bots` says it, as `BOTS`.

Only this package imports those rooms, by their name.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from nomic.engine.actions import find_action, legality
from nomic.engine.subgames import Subgame
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.games.models import Game, Player

SELDOM, USUAL, OFTEN, WHENEVER_OFFERED = 1, 20, 100, 300

type Act = tuple[str, dict[str, Any]]
"""An action's name and inputs."""

type Moves = Callable[[Table, Player], Iterable[Act]]
"""Acts that make sense for a player at a table, the best first."""

type Fact = tuple[re.Pattern[str], str]
"""A sentence on how a game stands, and the words by which people ask for it."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How simulated players take an action: how likely, against others, they choose it, and of how
    many tries for its inputs they send the first that is legal."""

    weight: int = USUAL
    tries: int = 4


class Demonstration:
    """A subgame's part in the demonstration; of this one nothing is shown."""

    opens_after = timedelta(0)
    """How long after the game's beginning there is something to do in it."""

    bodies: Mapping[str, Callable[[], str]] = {}
    """Bodies of proposals, by the names by which the demonstration's bills ask for them."""

    def beginnings(self) -> Iterable[tuple[str, Act]]:
        """Who does what as soon as it has opened."""
        return ()

    def play(self, player: Player, week: int, chance: Random) -> None:
        """Let the player do what they do in the week of that number (0 is the first)."""

    def end_week(self, officer: Player) -> None:
        """Let the officer do what is left when all have played in a week."""

    def duties(self, table: Table, officer: Player) -> Iterable[Act]:
        """What votes have left to the officer."""
        return ()

    def leave_open(self, game: Game) -> None:
        """Let the last acts be such that whoever looks at the game has something to do."""

    def decided_at(self, game: Game) -> datetime | None:
        """The game moment after which not much can happen in it; None while something can."""
        return None


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

    `facts` are told to people who talk to practice players, as far as everybody can see them.
    """

    practice: Callable[[Table, Player, Random], Iterable[Act]] = lambda *_: ()
    habits: Mapping[str, Habit] = field(default_factory=dict)
    worth_trying: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    bills: Sequence[str] = ()
    passing: Callable[[str, Mapping[str, Any] | None], Act | None] = lambda *_: None
    facts: Callable[[Table], Iterable[Fact]] = lambda _: ()
    demonstration: Demonstration = field(default_factory=Demonstration)


def bots_for(subgame: Subgame) -> Bots:
    """The `BOTS` of the room beside the subgame's class; bots that do nothing where it has none."""
    return _bots(type(subgame).__module__.rpartition(".")[0])


@cache
def _bots(package: str) -> Bots:
    if find_spec(f"{package}.bots") is None:
        return Bots()
    bots: Bots = import_module(f"{package}.bots").BOTS
    return bots


def take_first(player: Player, moves: Moves) -> bool:
    """Let the player take the first of these moves that is legal now; whether there was one."""
    table = glance(Game.objects.get(pk=player.game_id))
    for action, inputs in moves(table, player):
        if legality(find_action(action), table, player, inputs) is None:
            take(table.game.slug, player, action, inputs)
            return True
    return False
