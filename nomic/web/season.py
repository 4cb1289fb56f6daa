"""What a season had, the game from one victory to the next: each thing with its entry.

The urls of each subgame register what it finds worth telling.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from nomic.games.models import Game


@dataclass(frozen=True, slots=True)
class Highlight:
    """A thing worth telling of a season, as a sentence, with its entry."""

    text: str
    entry: int


@dataclass(frozen=True, slots=True)
class Season:
    """The `number`th season of a game: its first and last entry. That which goes on has not ended;
    its last entry is the game's."""

    number: int
    first: int
    last: int
    ended: bool


type Tell = Callable[[Game, Season], Iterable[Highlight]]

_TOLD: dict[str, tuple[str, Tell]] = {}


def told_of_a_season(subgame: str, title: str, tell: Tell) -> None:
    """Let what that function finds in a season of a game that plays the subgame stand under that
    title."""
    _TOLD[subgame] = title, tell


def seasons_of(game: Game) -> list[Season]:
    """All its seasons, the oldest first: each ends with a victory, the last with the game."""
    ends = list(game.wins.order_by("entry").values_list("entry", flat=True).distinct())
    starts = [1, *(each + 1 for each in ends)]
    seasons = [
        Season(number, first, last, ended=True)
        for number, (first, last) in enumerate(zip(starts, ends, strict=False), 1)
    ]
    if starts[-1] <= game.last_entry:
        seasons.append(Season(len(starts), starts[-1], game.last_entry, ended=game.is_closed))
    return seasons


def highlights(
    game: Game, season: Season, subgames: Iterable[str]
) -> list[tuple[str, list[Highlight]]]:
    """What those subgames have to tell of the season, under the title of each."""
    told = [_TOLD[name] for name in subgames if name in _TOLD]
    found = [(title, list(tell(game, season))) for title, tell in told]
    return [(title, each) for title, each in found if each]
